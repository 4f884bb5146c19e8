"""What every phase answers: who acts, what is open to him, what an action does."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from referee.rules.actions import Action, Kind, action
from referee.rules.cards import CARD_NAMES, Card, format_cards
from referee.rules.errors import ActionRefused, Reason

if TYPE_CHECKING:
    from referee.rules.hand import Hand
    from referee.rules.variant import Variant


class PhaseKind(enum.IntEnum):
    """Which paragraph; numbers are those of ``euchre.v1.PhaseKind``."""

    REDEAL_CLAIM = 1
    BLIND_NAMING = 2
    UPCARD_AUCTION = 3
    FORCED_CLUBS = 4
    PICK_UP = 5
    GOING_ALONE = 6
    EXCHANGE = 7
    BID_AUCTION = 8
    STRAIN_CHOICE = 9
    WIDOW = 10
    WIDOW_DISCARD = 11
    HAND_SWAP = 12
    DEALER_MAKES = 13
    KITTY_SWAP = 14
    DROP_OUT = 15
    ALLY_CALL = 16
    PLAY = 17


@dataclass(frozen=True, slots=True)
class CardChoice:
    """The choice of *minimum* to *maximum* of *cards*, answered by one action of *kind* that names them."""

    kind: Kind
    cards: tuple[Card, ...]
    """Low to high (SRV-LOW-1), each copy of a double pack."""
    minimum: int
    maximum: int

    def sets(self) -> list[Action]:
        """Return every choice in the order of SRV-ORDER-2, equal ones once."""
        found: dict[Action, None] = {}
        for size in range(self.minimum, self.maximum + 1):
            for cards in combinations(self.cards, size):
                found[action(self.kind, cards)] = None
        return list(found)

    def first(self) -> Action:
        """Return the first of :meth:`sets`: the lowest cards."""
        return action(self.kind, self.cards[: self.minimum])

    def refusal(self, act: Action) -> ActionRefused | None:
        """Return why the cards of *act* are no such choice, or ``None``."""
        if not self.minimum <= len(act.cards) <= self.maximum:
            wanted = str(self.minimum)
            if self.maximum > self.minimum:
                wanted += f" to {self.maximum}"
            return ActionRefused(Reason.WRONG_CARDS, f"{act!r}: {len(act.cards)} cards, wanted {wanted}")
        held = list(self.cards)
        for card in act.cards:
            if card not in held:
                return ActionRefused(
                    Reason.NOT_HELD, f"{act!r}: {CARD_NAMES[card]} is not held; cards are {format_cards(self.cards)}"
                )
            held.remove(card)
        return None


def each(actions: tuple[Action, ...], hand: Hand) -> list[Action]:
    """Return the action on each card of ``hand.actor``, low to high, equal ones once."""
    found = [actions[card] for card in hand.hands[hand.actor]]
    return found if hand.packs == 1 else list(dict.fromkeys(found))


class Phase:
    """One paragraph of the rulebook.

    Subclasses are stateless. The hand calls ``begin`` once, then for every seat it names in ``hand.actor``:
    ``forced`` (is there only one answer that everybody can see?), ``options`` or ``choice``, and ``take``, which
    asks ``refusal`` and then calls ``apply``. A phase ends by calling ``hand.next_phase()``, or ends the hand.
    """

    kind: PhaseKind
    may_be_forced = False
    """``forced`` can return an answer; saves asking where it cannot."""

    def is_idle(self, variant: Variant) -> bool:
        """Tell whether the options of *variant* leave this phase nothing to do in any hand; it is skipped then."""
        return False

    def begin(self, hand: Hand) -> None:
        """Set ``hand.actor`` to the first seat asked, or call ``hand.next_phase()``."""
        raise AssertionError(self.kind)

    def words(self, hand: Hand) -> Sequence[Action]:
        """Return the lawful actions that choose no set of cards, the default first (SRV-ORDER-1)."""
        raise AssertionError(self.kind)

    def choice(self, hand: Hand) -> CardChoice | None:
        """Return the set of cards that may be chosen, if this question is such a one."""
        return None

    def forced(self, hand: Hand) -> Action | None:
        """Return the answer that public information alone leaves, or ``None`` (SRV-ASK-2)."""
        return None

    def options(self, hand: Hand) -> list[Action]:
        """Return every lawful action in the canonical order."""
        words = self.words(hand)
        choice = self.choice(hand)
        return list(words) if choice is None else [*words, *choice.sets()]

    def refusal(self, hand: Hand, act: Action) -> ActionRefused | None:
        """Return why *act* is impossible now, or ``None`` if a table would let it happen.

        Does not check who sent it; that is the service's business.
        """
        choice = self.choice(hand)
        if choice is not None and act.kind is choice.kind:
            return choice.refusal(act)
        words = self.words(hand)
        if act in words:
            return None
        if act.cards and any(word.kind is act.kind for word in words):
            return ActionRefused(Reason.NOT_HELD, f"{act!r}: not open to seat {hand.actor}; {hand.describe()}")
        names = [repr(word) for word in words] + ([f"{choice.kind.name} of cards"] if choice else [])
        shown = ", ".join(names)
        return ActionRefused(
            Reason.NOT_OPEN, f"{act!r}: not open to seat {hand.actor}, lawful are {shown}; {hand.describe()}"
        )

    def take(self, hand: Hand, act: Action) -> None:
        """Note *act* and do it for ``hand.actor``, with the answers that it leaves no choice about.

        :raises ActionRefused: if it is impossible; nothing has changed then.
        """
        refused = self.refusal(hand, act)
        if refused is not None:
            raise refused
        hand.events.append((hand.actor, act, False, hand.seers(act)))
        self.apply(hand, act)
        if hand.phase.may_be_forced:
            hand.answer_forced()

    def apply(self, hand: Hand, act: Action) -> None:
        """Do *act*, which is lawful (or a renege), for ``hand.actor``."""
        raise AssertionError(self.kind)
