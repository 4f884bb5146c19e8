"""Hands of ``standard`` played in lock-step with OpenSpiel's ``euchre``: the same deal, the same decisions.

What OpenSpiel plays is ``standard`` with :func:`matching_variant`'s options. Where the two still differ by
rule, the difference is mapped here and nowhere else:

=====================================  ==================================  ================================
ours                                   OpenSpiel 2.0.2                     mapped by
=====================================  ==================================  ================================
UPA-PICK-1, R-08: any of the six cards  the card turned up cannot be        we never discard it; it must be
may be discarded                       discarded                           the only card that differs
ALONE-TIME-2: with ``with-call`` alone  asked after the discard             the answer is that of the call
is part of the call
UPA-PICK-4: the dealer's partner        the dealer takes it and discards,   the dealer, who sits out, discards
orders up alone, nobody takes the card  then sits out                       the first card open to him
ALONE-POLL-1: the defender on the       the defender next to the dealer     who defends alone is drawn before
maker's left is asked first            is asked first                      either is asked
SRV-ASK-2: the last trick is played     every card is asked for             each of its cards is the only one
without a question                                                         open there
=====================================  ==================================  ================================

Sources: RULES.md 3.4, 3.5, 3.14; ``open_spiel/games/euchre/euchre.cc``.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from referee.rules import Action, Card, Hand, Kind, PhaseKind, Seat, Variant, action, build

NOBODY_ALONE = -1
PASS, ALONE, WITH_PARTNER = 24, 29, 30
"""OpenSpiel's numbers for what is no card and no suit."""
_SUIT_TO_THEIRS = (3, 0, 2, 1)
"""Our S C H D in its C D H S."""
_ROUND_ONE_ACCEPTS = frozenset({Kind.ORDER_UP, Kind.ORDER_UP_ALONE, Kind.TAKE_UP, Kind.TAKE_UP_ALONE})
_ALONE_CALLS = frozenset({Kind.ORDER_UP_ALONE, Kind.TAKE_UP_ALONE, Kind.NAME_ALONE})


class Disagreement(AssertionError):
    """The two programs differ where the mapping says they agree."""


def matching_variant(*, stick_dealer: bool, lone_defender: bool, alone_with_call: bool) -> Variant:
    """Return ``standard`` with the options that OpenSpiel plays (both timings of "alone" can be mapped)."""
    return build(
        "standard",
        {
            "stick_dealer": stick_dealer,
            "alone_defenders": "any" if lone_defender else "none",
            "alone_timing": "with-call" if alone_with_call else "after-trump",
            "alone_makers": "caller",
            "loner_lead": "eldest",
        },
    )


def card_to_theirs(card: Card) -> int:
    """Return OpenSpiel's number of a card, ``4 * rank + suit`` from the nine of clubs."""
    return 4 * (card % 13 - 7) + _SUIT_TO_THEIRS[card // 13]


def suit_to_theirs(suit: int) -> int:
    """Return OpenSpiel's number for a suit that is accepted or named."""
    return 25 + _SUIT_TO_THEIRS[suit]


@dataclass
class Counts:
    """What was compared."""

    hands: int = 0
    decisions: int = 0
    loners: int = 0
    lone_defenders: int = 0
    thrown_in: int = 0


class LockStep:
    """Plays random hands of one setting in both programs and raises :class:`Disagreement`."""

    def __init__(self, *, stick_dealer: bool, lone_defender: bool, alone_with_call: bool, seed: int) -> None:
        import pyspiel

        self.variant = matching_variant(
            stick_dealer=stick_dealer, lone_defender=lone_defender, alone_with_call=alone_with_call
        )
        self.game: Any = pyspiel.load_game(
            "euchre", {"stick_the_dealer": stick_dealer, "allow_lone_defender": lone_defender}
        )
        self.alone_with_call = alone_with_call
        self.random = random.Random(seed)
        self.counts = Counts()
        self._deck = list(self.variant.deck)

    def play_hand(self) -> Hand:
        """Play one random hand in both and return ours, which is over."""
        self.random.shuffle(self._deck)
        dealer = self.random.randrange(4)
        hand = Hand(self.variant, self._deck, dealer)
        theirs = self._deal(hand)
        alone_call = self._auction(hand, theirs)
        if hand.result is None:
            self._discard(hand, theirs)
            self._makers_alone(hand, theirs, said_alone=alone_call)
            self._defenders_alone(hand, theirs)
            self._play(hand, theirs)
        self._compare_results(hand, theirs)
        return hand

    def _deal(self, hand: Hand) -> Any:
        theirs = self.game.new_initial_state()
        theirs.apply_action(hand.dealer)
        for index in range(20):
            theirs.apply_action(card_to_theirs(hand.dealt[(hand.dealer + index) % 4][index // 4]))
        theirs.apply_action(card_to_theirs(hand.upcard))
        return theirs

    def _same(self, what: str, ours: object, theirs: object, hand: Hand) -> None:
        if ours != theirs:
            raise Disagreement(f"{what}: ours {ours}, OpenSpiel's {theirs}; {hand.describe()}; deck {hand.deck}")

    def _call_to_theirs(self, hand: Hand, act: Action) -> int:
        if act.kind in (Kind.PASS, Kind.TURN_DOWN):
            return PASS
        return suit_to_theirs(hand.turned_suit if act.kind in _ROUND_ONE_ACCEPTS else act.strain)

    def _auction(self, hand: Hand, theirs: Any) -> bool:
        """Play both rounds; tell whether trump was made alone, by the call."""
        while hand.result is None and hand.phase.kind is PhaseKind.UPCARD_AUCTION:
            self.counts.decisions += 1
            options = hand.options()
            self._same("seat to call", hand.actor, theirs.current_player(), hand)
            self._same(
                "calls", sorted({self._call_to_theirs(hand, act) for act in options}), theirs.legal_actions(), hand
            )
            act = self._draw_call(options)
            theirs.apply_action(self._call_to_theirs(hand, act))
            hand.apply(act)
            if act.kind in _ALONE_CALLS:
                return True
        return False

    def _draw_call(self, options: list[Action]) -> Action:
        """Pass often enough that every seat and both rounds make trump, and that hands are thrown in."""
        if options[0].kind in (Kind.PASS, Kind.TURN_DOWN) and self.random.random() < 0.8:
            return options[0]
        return self.random.choice(options)

    def _discard(self, hand: Hand, theirs: Any) -> None:
        if hand.phase.kind is PhaseKind.PICK_UP:
            self.counts.decisions += 1
            self._same("seat to discard", hand.actor, theirs.current_player(), hand)
            options = hand.options()
            options.remove(action(Kind.DISCARD, (hand.upcard,)))
            self._same("discards", sorted(card_to_theirs(act.card) for act in options), theirs.legal_actions(), hand)
            act = self.random.choice(options)
            theirs.apply_action(card_to_theirs(act.card))
            hand.apply(act)
        elif hand.taker < 0 and hand.orderer >= 0:
            self._same("seat to discard for one who sits out", hand.dealer, theirs.current_player(), hand)
            theirs.apply_action(theirs.legal_actions()[0])

    def _makers_alone(self, hand: Hand, theirs: Any, *, said_alone: bool) -> None:
        if self.alone_with_call:
            alone = said_alone
        else:
            self.counts.decisions += 1
            self._same("maker's options", hand.options(), [action(Kind.NOT_ALONE), action(Kind.ALONE)], hand)
            self._same("seat asked to play alone", hand.actor, theirs.current_player(), hand)
            alone = self.random.random() < 0.4
            hand.apply(action(Kind.ALONE if alone else Kind.NOT_ALONE))
        self._same("seat asked to play alone", hand.maker, theirs.current_player(), hand)
        self._same("open to the maker", [ALONE, WITH_PARTNER], theirs.legal_actions(), hand)
        theirs.apply_action(ALONE if alone else WITH_PARTNER)
        self.counts.loners += alone

    def _defenders_alone(self, hand: Hand, theirs: Any) -> None:
        if self.variant.alone_defenders == "none":
            return
        defenders = [seat for seat in range(4) if (seat - hand.maker) % 2]
        lone: Seat = self.random.choice([NOBODY_ALONE, NOBODY_ALONE, *defenders])
        asked: list[Seat] = []
        while hand.phase.kind is PhaseKind.GOING_ALONE:
            asked.append(hand.actor)
            hand.apply(action(Kind.ALONE if hand.actor == lone else Kind.NOT_ALONE))
        expected = [(hand.maker + 1) % 4, (hand.maker + 3) % 4]
        self._same("defenders asked", asked, expected[: 1 + (lone != expected[0])], hand)
        theirs_asked: list[Seat] = []
        while theirs.legal_actions() == [ALONE, WITH_PARTNER]:
            theirs_asked.append(theirs.current_player())
            theirs.apply_action(ALONE if theirs_asked[-1] == lone else WITH_PARTNER)
        if not set(theirs_asked) <= set(defenders):
            raise Disagreement(f"asked to defend alone: {theirs_asked}; {hand.describe()}")
        self.counts.lone_defenders += lone != NOBODY_ALONE

    def _play(self, hand: Hand, theirs: Any) -> None:
        self._same("strain", hand.strain, _SUIT_TO_THEIRS.index(int(theirs.trump_suit())), hand)
        while hand.result is None:
            self.counts.decisions += 1
            options = hand.options()
            self._same("seat to play", hand.actor, theirs.current_player(), hand)
            self._same(
                "lawful cards", sorted(card_to_theirs(act.card) for act in options), theirs.legal_actions(), hand
            )
            act = self.random.choice(options)
            theirs.apply_action(card_to_theirs(act.card))
            hand.apply(act)
        for seat, act, forced, _ in hand.events:
            if forced:
                self._same("seat to play the last card", seat, theirs.current_player(), hand)
                self._same("last card", [card_to_theirs(act.card)], theirs.legal_actions(), hand)
                theirs.apply_action(card_to_theirs(act.card))

    def _compare_results(self, hand: Hand, theirs: Any) -> None:
        self._same("is over", hand.is_over, theirs.is_terminal(), hand)
        assert hand.result is not None
        tricks = [0, 0, 0, 0]
        if hand.maker >= 0:
            self._same("maker", hand.maker, theirs.declarer(), hand)
            for trick in theirs.tricks():
                tricks[trick.winner()] += 1
        else:
            self.counts.thrown_in += 1
        self._same("tricks", list(hand.result.tricks), tricks, hand)
        first, second = hand.result.points
        returns = [float(first - second), float(second - first)] * 2
        self._same("returns", returns, list(theirs.returns()), hand)
        self.counts.hands += 1
