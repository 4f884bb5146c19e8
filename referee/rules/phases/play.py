"""Lead and play (RULES.md 3.7) and the renege (3.8). The hottest code of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.rules.actions import PLAY, Action
from referee.rules.cards import CARD_NAMES, NOBODY, UNFIXED, Seat, format_cards
from referee.rules.errors import ActionRefused, Reason
from referee.rules.phases.base import Phase, PhaseKind

if TYPE_CHECKING:
    from referee.rules.hand import Hand


class Play(Phase):
    """PLAY-1 to PLAY-5, LEAD-1 to LEAD-4, REN-DEF-1 to REN-MODE-1."""

    kind = PhaseKind.PLAY

    def begin(self, hand: Hand) -> None:
        """Find the opening leader and the order of the active seats."""
        everybody, out = hand.variant.everybody, hand.out
        hand.active = tuple([seat for seat in everybody if seat not in out]) if out else everybody
        hand.begin_play(opening_leader(hand))

    def options(self, hand: Hand) -> list[Action]:
        """Return the cards that follow suit, or all; low to high, equal cards once. Never a renege."""
        cards = hand.hands[hand.actor]
        plays: list[Action] = []
        if hand.trick:
            effective, led = hand.effective, hand.led
            plays = [PLAY[card] for card in cards if effective[card] == led]
        if not plays:
            plays = [PLAY[card] for card in cards]
        return plays if hand.packs == 1 else list(dict.fromkeys(plays))

    def words(self, hand: Hand) -> list[Action]:
        """Return the options: a card is a word."""
        return self.options(hand)

    def refusal(self, hand: Hand, act: Action) -> ActionRefused | None:
        """Refuse what is no card of the seat; a card that is held is played (REN-MODE-1)."""
        if not act.is_play:
            return ActionRefused(Reason.NOT_OPEN, f"{act!r}: seat {hand.actor} is to play a card; {hand.describe()}")
        cards = hand.hands[hand.actor]
        if act.card not in cards:
            return ActionRefused(
                Reason.NOT_HELD,
                f"{act!r}: seat {hand.actor} does not hold {CARD_NAMES[act.card]} but {format_cards(cards)}; "
                f"{hand.describe()}",
            )
        if hand.renege_is_rejected and self.is_renege(hand, act):
            return ActionRefused(
                Reason.MUST_FOLLOW,
                f"{act!r}: seat {hand.actor} must follow suit with one of "
                f"{', '.join(map(repr, self.options(hand)))}; {hand.describe()}",
            )
        return None

    @staticmethod
    def is_renege(hand: Hand, act: Action) -> bool:
        """REN-DEF-1: another effective suit while holding the one led."""
        effective, led = hand.effective, hand.led
        return (
            bool(hand.trick)
            and effective[act.card] != led
            and any(effective[card] == led for card in hand.hands[hand.actor])
        )

    def take(self, hand: Hand, act: Action) -> None:
        """Play the card; complete the trick, the hand, or the offence."""
        seat, card = hand.actor, act.card
        if not act.is_play or card not in hand.hands[seat] or hand.renege_is_rejected:
            refused = self.refusal(hand, act)
            if refused is not None:
                raise refused
        hand.events.append((seat, act, False, -1))
        play_card(hand, card)
        if hand.cards_left == 1 and not hand.trick:
            # SRV-ASK-2: everybody has one card, so nobody is asked.
            while hand.result is None:
                seat = hand.actor
                card = hand.hands[seat][0]
                hand.events.append((seat, PLAY[card], True, -1))
                play_card(hand, card)


def play_card(hand: Hand, card: int) -> None:
    """Play *card* for ``hand.actor``; complete the trick, the hand, or the offence."""
    seat, trick, effective = hand.actor, hand.trick, hand.effective
    cards = hand.hands[seat]
    cards.remove(card)
    suit = effective[card]
    if trick:
        trick.append(card)
        led = hand.led
        if suit != led:
            for other in cards:
                if effective[other] == led:
                    if hand.note_renege(seat):
                        return
                    break
        strength = hand.beats[card]
        if strength > hand.best or (strength == hand.best and hand.later_wins):
            hand.best = strength
            hand.best_seat = seat
    else:
        trick.append(card)
        if hand.strain == UNFIXED:
            hand.fix_strain(suit)  # NAP-TRUMP-1
        hand.led = suit
        hand.beats = beats = hand.variant.tables.beats[hand.strain][suit]
        hand.best = beats[card]
        hand.best_seat = seat
    if hand.reneges and hand.is_renege_proved(seat, suit):
        return
    if len(trick) < hand.playing:
        hand.actor = hand.following[seat]
        return
    winner = hand.best_seat
    hand.tricks_won[winner] += 1
    hand.actor = hand.leader = winner
    hand.cards_left -= 1
    hand.trick = []
    if hand.cards_left == 0:
        hand.finish_played()


def opening_leader(hand: Hand) -> Seat:
    """Return who leads to the first trick (LEAD-1 to LEAD-4, STD-LEAD-2)."""
    variant = hand.variant
    if variant.declarer_leads and hand.maker != NOBODY:
        return hand.maker
    active = hand.active
    if variant.other_of_two_leads and len(active) == 2 and hand.maker != NOBODY:
        makers = [seat for seat in active if hand.is_of_makers(seat)]
        if len(makers) == 1:
            return active[0] if active[1] == makers[0] else active[1]
    loner = hand.lone_maker if hand.lone_maker != NOBODY else hand.lone_defender
    if variant.makers_are_loners:
        loner = hand.maker
    after = hand.dealer
    if variant.loner_lead == "left-of-loner" and loner != NOBODY:
        after = loner
    elif variant.loner_lead == "left-of-loner-if-ordered" and _plays_alone(hand, hand.orderer):
        after = hand.orderer
    seat = variant.left(after)
    while seat not in active:
        seat = variant.left(seat)
    return seat


def _plays_alone(hand: Hand, seat: Seat) -> bool:
    """Tell whether *seat* is a loner of either side; with ``dealer-side`` makers who ordered may defend alone."""
    return seat != NOBODY and seat in (hand.lone_maker, hand.lone_defender)
