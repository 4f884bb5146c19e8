"""Actions as text and back: ``PLAY(AS)``, ``NAME(H)``, ``BID(3, H)``, ``MOON(NT)``, ``ASK(5)``."""

from __future__ import annotations

import re

from referee.rules.actions import BID_TEXTS, Action, Bid, BidName, Kind, action, bid
from referee.rules.cards import UNFIXED, format_cards, format_strain, parse_cards, parse_strain
from referee.rules.errors import NotationError, nearest

CARD_KINDS = frozenset(
    {
        Kind.DISCARD,
        Kind.GIVE,
        Kind.OFFER,
        Kind.ACCEPT,
        Kind.CALL_BEST,
        Kind.SWAP,
        Kind.SWAP_KITTY,
        Kind.TAKE_AND_SHOW,
        Kind.CALL_CARD,
        Kind.PLAY,
    }
)
"""Kinds that use cards."""
STRAIN_KINDS = frozenset({Kind.NAME, Kind.NAME_ALONE, Kind.NAME_BLIND, Kind.CHOOSE, Kind.CALL_SUIT})
"""Kinds that use a strain (``BID`` may)."""
_BID_WORDS = {text: name for name, text in BID_TEXTS.items()}
_ACTION = re.compile(r"\s*([0-9A-Z_a-z-]+)\s*(?:\(([^()]*)\))?\s*\Z")


def format_action(act: Action) -> str:
    """Return the text form; :func:`parse_action` reads it back."""
    if act.bid is not None:
        words = [str(act.bid.number)] if act.bid.name is BidName.NUMBER else []
        if act.strain != UNFIXED:
            words.append(format_strain(act.strain))
        head = "BID" if act.bid.name is BidName.NUMBER else BID_TEXTS[act.bid.name]
        return f"{head}({', '.join(words)})" if words else head
    head = act.kind.name
    if act.cards:
        return f"{head}({format_cards(act.cards)})"
    if act.strain != UNFIXED:
        return f"{head}({format_strain(act.strain)})"
    return f"{head}({act.seat})" if act.seat >= 0 else head


def parse_action(text: str) -> Action:
    """Return the action written in *text*.

    ``ALONE(H)`` is the bid of the double-deck games, ``ALONE`` the word said after trump is fixed.

    :raises NotationError: if it is none.
    """
    match = _ACTION.match(text)
    if match is None:
        raise NotationError(f"{text!r} is no action; write it as in PASS, NAME(H), BID(3, H), PLAY(AS)")
    head, inside = match[1].upper(), (match[2] or "").strip()
    if head == "BID" or (head in _BID_WORDS and (head != "ALONE" or inside)):
        return _parse_bid(text, head, inside)
    try:
        kind = Kind[head]
    except KeyError:
        known = [k.name for k in Kind] + list(_BID_WORDS)
        raise NotationError(f"{text!r} is no action{nearest(head, known)}") from None
    if kind in CARD_KINDS:
        cards = tuple(parse_cards(inside))
        if not cards:
            raise NotationError(f"{text!r}: {head} needs cards, as in {head}(AS)")
        return action(kind, cards)
    if kind in STRAIN_KINDS:
        return action(kind, strain=parse_strain(inside))
    if kind is Kind.ASK:
        if not inside.isdecimal():
            raise NotationError(f"{text!r}: ASK needs a seat, as in ASK(2)")
        return action(kind, seat=int(inside))
    if inside:
        raise NotationError(f"{text!r}: {head} stands alone, without brackets")
    return action(kind)


def _parse_bid(text: str, head: str, inside: str) -> Action:
    words = [word for word in re.split(r"[,\s]+", inside) if word]
    said: Bid
    if head == "BID":
        if not words or not words[0].isdecimal():
            raise NotationError(f"{text!r}: BID needs a number, as in BID(3) or BID(3, H)")
        said = bid(BidName.NUMBER, int(words.pop(0)))
    else:
        said = bid(_BID_WORDS[head])
    if len(words) > 1:
        raise NotationError(f"{text!r}: more than one strain")
    return action(Kind.BID, strain=parse_strain(words[0]) if words else UNFIXED, bid=said)
