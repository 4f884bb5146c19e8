"""What a bot is: a class that answers questions."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

from euchre.v1 import actions_pb2, play_pb2, variants_pb2

if TYPE_CHECKING:
    from euchre_kit.variant import Variant

Answer: TypeAlias = "int | actions_pb2.Action | play_pb2.Reply"
"""An index into ``request.options``, an action spelled out, or a reply with a confidence or a note."""

_PREFIX: Final = "PHASE_KIND_"
PHASE_METHODS: Final = {
    number: name.removeprefix(_PREFIX).lower() for name, number in variants_pb2.PhaseKind.items() if number
}
"""By phase number, the method of :class:`Bot` that answers it."""

_MASK: Final = (1 << 64) - 1


class Bot:
    """A bot. Override :meth:`decide`, or the methods of the phases that you have an opinion on.

    A method that is not overridden falls through to :meth:`otherwise`, which plays the default of the
    rules (pass, stay, the lowest card).
    """

    name: str = "bot"
    """Told to the referee, for its logs; ``EUCHRE_NAME`` overrides it."""
    version: str = ""
    """The bot's own version, for the record."""
    tables: int = 0
    """Games it takes at once; zero: no limit of its own. A bot that thinks long says 1."""
    variants: ClassVar[tuple[str, ...]] = ()
    """Presets it plays; empty: all."""

    def __init__(self) -> None:
        self.seed = seed_from_environment()
        """From ``EUCHRE_SEED``, or by chance."""

    # -- questions -----------------------------------------------------------------------------

    def decide(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Answer a question. As it stands: call the method of the phase asked."""
        method = PHASE_METHODS.get(request.phase, "otherwise")
        answer: Answer = getattr(self, method)(request, variant)
        return answer

    def otherwise(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Answer what no other method does: the default."""
        return 0

    def redeal_claim(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """NO_CLAIM or CLAIM_REDEAL."""
        return self.otherwise(request, variant)

    def blind_naming(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """NAME_BLIND by suit, without having seen the hand."""
        return self.otherwise(request, variant)

    def upcard_auction(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """PASS, ORDER_UP, TAKE_UP, TURN_DOWN, NAME, and their forms alone."""
        return self.otherwise(request, variant)

    def forced_clubs(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """Nothing is asked in this phase today."""
        return self.otherwise(request, variant)

    def pick_up(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """LEAVE_UPCARD or TAKE_UPCARD; or DISCARD one card."""
        return self.otherwise(request, variant)

    def going_alone(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """NOT_ALONE or ALONE."""
        return self.otherwise(request, variant)

    def exchange(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """ASK, OFFER, CALL_BEST, SWAP, GIVE and their refusals: cards between a loner and a partner."""
        return self.otherwise(request, variant)

    def bid_auction(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """PASS, or BID."""
        return self.otherwise(request, variant)

    def strain_choice(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """CHOOSE a strain."""
        return self.otherwise(request, variant)

    def widow(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """LEAVE_WIDOW or TAKE_WIDOW."""
        return self.otherwise(request, variant)

    def widow_discard(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """DISCARD as many cards as the widow had."""
        return self.otherwise(request, variant)

    def hand_swap(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """KEEP_HAND or TAKE_HAND."""
        return self.otherwise(request, variant)

    def dealer_makes(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """KEEP_UPCARD or TAKE_AND_SHOW a discard."""
        return self.otherwise(request, variant)

    def kitty_swap(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """NO_SWAP or SWAP_KITTY some cards."""
        return self.otherwise(request, variant)

    def drop_out(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """STAY or DROP."""
        return self.otherwise(request, variant)

    def ally_call(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """CALL_SUIT or CALL_CARD."""
        return self.otherwise(request, variant)

    def play(self, request: play_pb2.DecisionRequest, variant: Variant) -> Answer:
        """PLAY a card."""
        return self.otherwise(request, variant)

    # -- notices -------------------------------------------------------------------------------

    def table_opened(self, notice: play_pb2.TableOpened) -> None:
        """Hear that a game begins."""

    def hand_ended(self, notice: play_pb2.HandEnded) -> None:
        """Hear how a hand ended, with all cards revealed."""

    def game_ended(self, notice: play_pb2.GameEnded) -> None:
        """Hear how a game ended."""

    def fault(self, notice: play_pb2.Fault) -> None:
        """Hear what this bot did wrong. The client has printed it to stderr already."""

    # -- chance --------------------------------------------------------------------------------

    def chance(self, request: play_pb2.DecisionRequest) -> random.Random:
        """Return a source of chance that depends on the seed and on what the seat knows, and on nothing else.

        So the same question gets the same answer, whatever else the bot plays at the same time.
        """
        return random.Random(decision_key(self.seed, request))


def seed_from_environment() -> int:
    """Return ``EUCHRE_SEED`` as a number (any text will do), or a seed by chance."""
    text = os.environ.get("EUCHRE_SEED", "").strip()
    if not text:
        return int.from_bytes(os.urandom(8), "big")
    if text.lstrip("-").isdigit():
        return int(text) & _MASK
    return random.Random(text).getrandbits(64)


def decision_key(seed: int, request: play_pb2.DecisionRequest) -> int:
    """Return a number that follows from the seed and from the question as the seat sees it."""
    history = request.history
    last = history[-1].action.cards if history else ()
    mixed = hash(
        (seed, request.hand, request.seat, request.dealer, request.phase, len(history), *request.cards, -1, *last)
    )
    return mixed & _MASK


# -- answers -----------------------------------------------------------------------------------


def act(
    kind: actions_pb2.ActionKind,
    cards: tuple[int, ...] | list[int] = (),
    *,
    strain: int = 0,
) -> actions_pb2.Action:
    """Return an action spelled out."""
    return actions_pb2.Action(kind=kind, cards=cards, strain=strain)  # type: ignore[arg-type]


def card_sets(choice: play_pb2.CardChoice) -> Iterator[tuple[int, ...]]:
    """Yield every lawful set of a choice of cards, smaller sets first, lower cards first.

    Equal sets of a double pack come more than once.
    """
    cards = tuple(choice.cards)
    for size in range(choice.minimum, choice.maximum + 1):
        yield from combinations(cards, size)


def number_of_sets(choice: play_pb2.CardChoice) -> int:
    """Return how many sets :func:`card_sets` yields."""
    return sum(comb(len(choice.cards), size) for size in range(choice.minimum, choice.maximum + 1))


def set_at(choice: play_pb2.CardChoice, index: int) -> tuple[int, ...]:
    """Return the set at *index* of :func:`card_sets`, without going through those before it.

    :raises IndexError: if there is none.
    """
    cards = tuple(choice.cards)
    for size in range(choice.minimum, choice.maximum + 1):
        count = comb(len(cards), size)
        if index < count:
            return _combination_at(cards, size, index)
        index -= count
    raise IndexError("no such set")


def _combination_at(cards: tuple[int, ...], size: int, index: int) -> tuple[int, ...]:
    chosen = []
    for place, card in enumerate(cards):
        if not size:
            break
        with_card = comb(len(cards) - place - 1, size - 1)
        if index < with_card:
            chosen.append(card)
            size -= 1
        else:
            index -= with_card
    return tuple(chosen)


def as_reply(answer: object, request: play_pb2.DecisionRequest) -> play_pb2.Reply:
    """Return *answer* as a reply to *request*.

    :raises TypeError: if it is no answer.
    """
    if isinstance(answer, play_pb2.Reply):
        answer.decision_id = request.decision_id
        return answer
    if isinstance(answer, actions_pb2.Action):
        return play_pb2.Reply(decision_id=request.decision_id, action=answer)
    if isinstance(answer, int):
        if not 0 <= answer < len(request.options):
            raise TypeError(f"decide returned option {answer}; there are {len(request.options)}, from 0")
        return play_pb2.Reply(decision_id=request.decision_id, option=answer)
    raise TypeError(f"decide returned {answer!r}; return the index of an option, an Action or a Reply")
