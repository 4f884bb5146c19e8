"""Reader of recorded games in Euchre Game Notation 1.4 (four hands, no joker).

A record holds calls and the cards in the order played; who led, who won a trick, most discards, the kitty
and the hand of a seat that sat out are not in it. :func:`deal_of` works out the first two with a ranking of
its own (nothing here uses the rules engine's order of cards) and fills the others with cards that nobody
showed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.rules import Action, Card, Kind, Seat, Variant, action, build, parse_card
from referee.rules.deal import dealt_positions

SUIT_LETTERS = "schd"
_SISTERS = {"S": "C", "C": "S", "H": "D", "D": "H"}


class EgnError(ValueError):
    """A record that cannot be read, or cannot have happened."""


@dataclass(frozen=True)
class EgnDeal:
    """One deal as recorded."""

    number: int
    dealer: Seat
    upcard: str
    calls: tuple[str, ...]
    is_alone: bool
    lone_defender: Seat
    discard: str | None
    tricks: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class EgnGame:
    """A game: the variant its rule set states, the totals before it, its deals."""

    variant: Variant
    initial_score: tuple[int, ...]
    deals: tuple[EgnDeal, ...]


@dataclass(frozen=True)
class Reconstructed:
    """A deck that the record could have come from, and the answers to every question."""

    deck: tuple[Card, ...]
    actions: tuple[Action, ...]


def read_game(path: Path) -> EgnGame:
    """Return the game recorded in *path*.

    :raises EgnError: if its rule set has something that is no option of ``standard``.
    """
    record = json.loads(path.read_text(encoding="utf-8"))
    metadata = record["metadata"]
    return EgnGame(
        variant=variant_of(metadata["ruleset"]),
        initial_score=tuple(metadata.get("initialScore", (0, 0))),
        deals=tuple(_read_deal(deal) for deal in record["deals"]),
    )


def variant_of(ruleset: dict[str, Any]) -> Variant:
    """Return ``standard`` with the options that an EGN rule set states."""
    options: dict[str, str | int] = {}
    for name, value in ruleset.items():
        match name, value:
            case "std", bool():
                options["stick_dealer"] = "on" if value else "off"
            case "canadian", bool():
                options["dealer_partner_order"] = "alone-only" if value else "normal"
            case "loner_lead", "LEFT_OF_DEALER":
                options["loner_lead"] = "eldest"
            case "loner_lead", "LEFT_OF_LONER":
                options["loner_lead"] = "left-of-loner"
            case "defend_alone", bool():
                options["alone_defenders"] = "any" if value else "none"
            case "winning_score", int():
                options["target"] = value
            case _:
                raise EgnError(f"{name}={value!r} is no option of standard")
    return build("standard", options)


def _read_deal(deal: dict[str, Any]) -> EgnDeal:
    bidding, *play = deal["phases"]
    discard = bidding.get("discard")
    return EgnDeal(
        number=deal["dealNumber"],
        dealer=deal["initialState"]["dealer"],
        upcard=_card(deal["initialState"]["upCard"]),
        calls=tuple(bidding["calls"]),
        is_alone=bidding["isAlone"],
        lone_defender=bidding.get("aloneDefender", -1),
        discard=_card(discard) if discard else None,
        tricks=tuple(tuple(_card(card) for card in trick) for trick in play[0]["tricks"]) if play else (),
    )


def _card(text: str) -> str:
    return text.upper().replace("N", "9")


# -- who called and who played -------------------------------------------------------------------------


def _caller(deal: EgnDeal) -> Seat:
    return (deal.dealer + len(deal.calls)) % 4


def _is_ordered(deal: EgnDeal) -> bool:
    return deal.calls[-1] == "Order"


def _trump(deal: EgnDeal) -> str:
    if _is_ordered(deal):
        return deal.upcard[1]
    word = deal.calls[-1].upper()
    if word not in _SISTERS:
        raise EgnError(f"deal {deal.number}: {deal.calls[-1]!r} makes no trump")
    return word


def _suit(card: str, trump: str) -> str:
    return trump if card == "J" + _SISTERS[trump] else card[1]


def _height(card: str, trump: str) -> int:
    if card[0] == "J" and _suit(card, trump) == trump:
        return 101 if card[1] == trump else 100
    return "9TJQKA".index(card[0]) + (50 if card[1] == trump else 0)


def _winner(played: Sequence[tuple[Seat, str]], trump: str) -> Seat:
    led = _suit(played[0][1], trump)
    return max((_height(card, trump), seat) for seat, card in played if _suit(card, trump) in (led, trump))[1]


def _active(deal: EgnDeal) -> list[Seat]:
    out = set()
    if deal.is_alone:
        out.add((_caller(deal) + 2) % 4)
    if deal.lone_defender >= 0:
        out.add((deal.lone_defender + 2) % 4)
    return [seat for seat in range(4) if seat not in out]


def plays_of(deal: EgnDeal) -> list[tuple[Seat, str]]:
    """Return who played what, in order: the dealer's left leads, then the winner of each trick."""
    active, trump = _active(deal), _trump(deal)
    seat = (deal.dealer + 1) % 4
    plays: list[tuple[Seat, str]] = []
    for trick in deal.tricks:
        if len(trick) != len(active):
            raise EgnError(f"deal {deal.number}: {len(trick)} cards to a trick of {len(active)} seats")
        played = []
        for card in trick:
            while seat not in active:
                seat = (seat + 1) % 4
            played.append((seat, card))
            seat = (seat + 1) % 4
        plays += played
        seat = _winner(played, trump)
    return plays


# -- what nobody showed --------------------------------------------------------------------------------


def deal_of(game: EgnGame, deal: EgnDeal, seed: int = 0) -> Reconstructed:
    """Return a deck and the actions that give *deal*; *seed* picks among the cards that nobody showed.

    :raises EgnError: if no deck does.
    """
    plays = plays_of(deal)
    hands: list[list[str]] = [[card for who, card in plays if who == seat] for seat in range(4)]
    caller = _caller(deal)
    is_taken = _is_ordered(deal) and not (deal.is_alone and caller == (deal.dealer + 2) % 4)
    discard = deal.discard
    if is_taken:
        discard = _take_back_the_upcard(deal, hands[deal.dealer])
    elif discard is not None:
        raise EgnError(f"deal {deal.number}: a discard, but nobody takes the upcard")
    shown = [card for hand in hands for card in hand] + [deal.upcard]
    if len(set(shown)) != len(shown):
        raise EgnError(f"deal {deal.number}: a card is played twice, or the upcard by a seat that has not taken it")
    everything = [rank + suit for suit in "SCHD" for rank in "9TJQKA"]
    unseen = [card for card in everything if card not in shown]
    random.Random(f"{seed}/{deal.number}").shuffle(unseen)
    for hand in hands:
        while len(hand) < 5:
            card = unseen.pop()
            if discard is None and hand is hands[deal.dealer] and is_taken:
                discard = card
            hand.append(card)
    positions = dealt_positions(game.variant.deal_pattern, 4, 5, deal.dealer)
    deck = [parse_card(card) for card in [deal.upcard] * 20 + [deal.upcard, *unseen]]
    for seat, places in enumerate(positions):
        for place, card in zip(places, hands[seat], strict=True):
            deck[place] = parse_card(card)
    actions = [*_calls(deal), *([_on_card(Kind.DISCARD, discard)] if is_taken and discard else [])]
    if game.variant.alone_defenders != "none":
        actions += _defenders_words(deal)
    asked = plays[: -len(_active(deal))]  # SRV-ASK-2: the last trick is played without a question
    return Reconstructed(tuple(deck), (*actions, *(_on_card(Kind.PLAY, card) for _, card in asked)))


def _take_back_the_upcard(deal: EgnDeal, dealers: list[str]) -> str | None:
    """Make *dealers* cards played those dealt to him; return his discard, ``None`` if it is not known."""
    if deal.upcard in dealers:
        dealers.remove(deal.upcard)
        if deal.discard is not None:
            dealers.append(deal.discard)
        return deal.discard
    if not dealers:
        return deal.discard or deal.upcard  # he sits out; what he discards is nobody's business
    if deal.discard not in (None, deal.upcard):
        raise EgnError(f"deal {deal.number}: the dealer took {deal.upcard}, never showed it and discarded another card")
    return deal.upcard


def _on_card(kind: Kind, card: str) -> Action:
    return action(kind, (parse_card(card),))


def _calls(deal: EgnDeal) -> list[Action]:
    words: list[Action] = []
    for index, call in enumerate(deal.calls):
        is_dealer = index % 4 == 3
        if call == "Pass":
            words.append(action(Kind.TURN_DOWN if is_dealer and index < 4 else Kind.PASS))
        elif call == "Order":
            kind = Kind.TAKE_UP if is_dealer else Kind.ORDER_UP
            alone = Kind.TAKE_UP_ALONE if is_dealer else Kind.ORDER_UP_ALONE
            words.append(action(alone if deal.is_alone else kind))
        else:
            kind = Kind.NAME_ALONE if deal.is_alone else Kind.NAME
            words.append(action(kind, strain=SUIT_LETTERS.index(call)))
    return words


def _defenders_words(deal: EgnDeal) -> list[Action]:
    """Return the defenders' answers, the one on the maker's left first (ALONE-POLL-1)."""
    words = []
    for step in (1, 3):
        alone = (_caller(deal) + step) % 4 == deal.lone_defender
        words.append(action(Kind.ALONE if alone else Kind.NOT_ALONE))
        if alone:
            break
    return words
