"""One hand as a list of steps still to do, from the deal to the points (RULES.md 3.3 to 3.8, 3.14).

``state["to_do"]`` holds the steps. Some are questions to a seat, some do themselves: doing one may put
others in its place. A state is never changed; every function returns a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tests.evaluator import scores
from tests.evaluator.cards import (
    beats,
    effective_suit,
    is_joker,
    once,
    plain_ranks,
    sets,
    up,
    without,
)
from tests.evaluator.tables import SUITS, Game

State = dict[str, Any]
Step = tuple[Any, ...]


# -- small help --------------------------------------------------------------------------------------


def clockwise(game: Game, first: int) -> list[int]:
    return [(first + step) % game["seats"] for step in range(game["seats"])]


def left(state: State, seat: int) -> int:
    return (seat + 1) % int(state["game"]["seats"])


def partners(state: State, seat: int) -> list[int]:
    """Return the seats of the same fixed side, clockwise from *seat*."""
    if state["game"]["alliance"] != "sides":
        return []
    return [other for other in clockwise(state["game"], seat) if other != seat and (other - seat) % 2 == 0]


def is_partner_of_dealer(state: State, seat: int) -> bool:
    return seat in partners(state, state["dealer"])


def bid_of(state: State) -> dict[str, Any]:
    """Return the standing bid, then the contract; empty without one."""
    return state["bid"] or {}


def first(state: State, *steps: Step) -> State:
    """Return the state with *steps* before all others."""
    return {**state, "to_do": (*steps, *state["to_do"])}


def instead(state: State, *steps: Step) -> State:
    """Return the state with *steps* and no others to do."""
    return {**state, "to_do": steps}


def hand_of(state: State, seat: int) -> list[str]:
    """Return the cards of a seat from low to high."""
    return up(state["game"], state["strain"], state["hands"][seat])


def with_hand(state: State, seat: int, cards: Iterable[str]) -> State:
    hands = list(state["hands"])
    hands[seat] = tuple(cards)
    return {**state, "hands": tuple(hands)}


def lose(state: State, seat: int, cards: Sequence[str]) -> State:
    return with_hand(state, seat, without(state["hands"][seat], cards))


def gain(state: State, seat: int, cards: Iterable[str]) -> State:
    return with_hand(state, seat, (*state["hands"][seat], *cards))


def inside(text: str) -> str:
    return text.partition("(")[2].removesuffix(")")


def each(word: str, cards: Iterable[str]) -> list[str]:
    return once(f"{word}({card})" for card in cards)


# -- the deal (3.3) ----------------------------------------------------------------------------------


def dealt_hands(game: Game, deck: Sequence[str], dealer: int) -> list[list[str]]:
    pattern = game.get("deal_pattern", "singles")
    seats = clockwise(game, (dealer + 1) % game["seats"])
    if pattern == "singles":
        rounds = [[1] * len(seats)] * game["hand"]
    elif pattern == "alternating":
        rounds = [[3 if place % 2 == 0 else 2 for place in range(len(seats))]]
        rounds.append([5 - count for count in rounds[0]])
    else:
        rounds = [[int(size)] * len(seats) for size in pattern.removeprefix("packets-").split("-")]
    hands: list[list[str]] = [[] for _ in seats]
    top = 0
    for counts in rounds:
        for seat, count in zip(seats, counts, strict=True):
            hands[seat] += deck[top : top + count]
            top += count
    return hands


def deal(game: Game, deck: Sequence[str], dealer: int, totals: Sequence[int] | None = None) -> State:
    """Return the first question of a hand dealt from *deck*."""
    assert sorted(deck) == sorted(game["cards"])
    dealt = game["seats"] * game["hand"]
    upcard = deck[dealt] if game["upcard"] else None
    rest = list(deck[dealt + 1 :] if game["upcard"] else deck[dealt:])
    state: State = {
        "game": game,
        "dealer": dealer,
        "totals": tuple(totals) if totals is not None else scores.starting_totals(game),
        "hands": tuple(tuple(cards) for cards in dealt_hands(game, deck, dealer)),
        "upcard": upcard,
        "rest": tuple(rest),
        "turned": upcard[1] if upcard and not is_joker(game, upcard) else None,
        "strain": None,
        "maker": None,
        "orderer": None,
        "named_blind": False,
        "taker": None,
        "may_leave": False,
        "bid": None,
        "bidder": None,
        "bid_strain": None,
        "spoken": 0,
        "passes": 0,
        "lone_maker": None,
        "lone_defender": None,
        "out": (),
        "ally": None,
        "offered": None,
        "received": 0,
        "took_widow": False,
        "trick": (),
        "tricks": (0,) * game["seats"],
        "reneges": (),
        "log": (),
        "to_do": (),
        "result": None,
    }
    return do_what_needs_no_question(first(state, *opening(state)))


def opening(state: State) -> list[Step]:
    game, dealer = state["game"], state["dealer"]
    order = clockwise(game, left(state, dealer))
    joker_is_up = state["upcard"] is not None and is_joker(game, state["upcard"])
    if joker_is_up:  # RED-5, UPA-BEN-1, ALM-TRUMP-2
        return [("name blind", dealer)]
    if game.get("clubs_are_forced") and state["upcard"][1] == "C":  # BUCK-TRUMP-1, DC-TRUMP-1
        return [("clubs",)]
    steps: list[Step] = []
    if "on" in (game.get("redeal_farmers_hand"), game.get("redeal_no_ace_no_face_no_trump")):  # RED-4
        steps += [("claim", seat) for seat in order]
    if game.get("hand_for_widow"):  # DC3-WID-1
        steps += [("hand for widow", seat) for seat in (order[-2], order[-1], order[0])]
    if game["making"] == "upcard":
        return [*steps, *[("round 1", seat) for seat in order]]
    if game["making"] == "bids":
        return [*steps, ("bid", order[0])]
    return [*steps, ("dealer makes", dealer)]


# -- asking and answering ----------------------------------------------------------------------------


def actor(state: State) -> int | None:
    """Return the seat that is asked, ``None`` when the hand is over."""
    return None if state["result"] else state["to_do"][0][1]


def legal(state: State) -> list[str]:
    """Return the lawful answers in the order of SRV-ORDER-1."""
    if state["result"]:
        return []
    name, seat, *more = state["to_do"][0]
    return QUESTIONS[name][0](state, seat, *more)


def apply(state: State, text: str) -> State:
    """Return the state after *text*: a lawful answer, or a card that is held and does not follow suit."""
    name, seat, *_ = state["to_do"][0]
    if text not in legal(state):
        assert name == "card", f"{text} is not lawful: {legal(state)}"
        assert inside(text) in state["hands"][seat], f"{text} is not held"
        assert state["game"]["renege"] != "rejected", f"{text} does not follow suit"
    return do_what_needs_no_question(answered(state, text, forced=False))


def talk(state: State, seat: int) -> State:
    """Return the state after forbidden talk by *seat* (REN-TALK-1)."""
    return over(state, "table talk", seat)


def answered(state: State, text: str, *, forced: bool) -> State:
    name, seat, *more = state["to_do"][0]
    state = {**state, "log": (*state["log"], (seat, text, forced)), "to_do": state["to_do"][1:]}
    return QUESTIONS[name][1](state, seat, text, *more)


def do_what_needs_no_question(state: State) -> State:
    """SRV-ASK-2, -4: go on to the next question that the answers so far leave open."""
    while not state["result"]:
        name, *more = state["to_do"][0]
        if name not in QUESTIONS:
            state = DOES_ITSELF[name]({**state, "to_do": state["to_do"][1:]}, *more)
        elif everybody_sees_the_answer(state):
            state = answered(state, legal(state)[0], forced=True)
        else:
            return state
    return state


def everybody_sees_the_answer(state: State) -> bool:
    """SRV-ASK-2, -3."""
    name, seat, *_ = state["to_do"][0]
    if name in ("bid", "stay or drop"):  # what may be bid and the totals are public
        return len(legal(state)) == 1
    if name == "round 1":  # ALM-TRUMP-3
        return bool(seat == state["dealer"] and state["named_blind"])
    return name == "card" and len(state["hands"][seat]) == 1


def over(state: State, end: str, offender: int | None = None) -> State:
    return {**state, "result": scores.result(state, end, offender), "to_do": ()}


# -- before the auction ------------------------------------------------------------------------------


def claims(state: State, seat: int) -> list[str]:
    """RED-1, -2, SRV-ASK-3."""
    game, cards = state["game"], state["hands"][seat]
    no_joker = not any(is_joker(game, card) for card in cards)
    low = no_joker and all(card[0] in "T98765432" for card in cards)
    farmers = game["redeal_farmers_hand"] == "on" and low
    nothing = (
        game["redeal_no_ace_no_face_no_trump"] == "on" and low and all(card[1] != state["upcard"][1] for card in cards)
    )
    return ["NO_CLAIM", "CLAIM_REDEAL"] if farmers or nothing else ["NO_CLAIM"]


def claim(state: State, seat: int, text: str) -> State:
    return over(state, "claimed") if text == "CLAIM_REDEAL" else state


def blind_names(state: State, seat: int) -> list[str]:
    return [f"NAME_BLIND({suit})" for suit in SUITS]


def name_blind(state: State, dealer: int, text: str) -> State:
    state = {**state, "turned": inside(text), "named_blind": True}
    if state["game"]["joker_up"] == "dealer makes":  # UPA-BEN-1
        return accepted(state, dealer)
    others = clockwise(state["game"], left(state, dealer))  # ALM-TRUMP-3
    return first(state, *[("round 1", seat) for seat in others])


def clubs(state: State) -> State:
    return instead({**state, "strain": "C"}, ("lead",))


def hand_swaps(state: State, seat: int) -> list[str]:
    return ["KEEP_HAND", "TAKE_HAND"]


def swap_hand(state: State, seat: int, text: str) -> State:
    if text == "KEEP_HAND":
        return state
    later = [step for step in state["to_do"] if step[0] != "hand for widow"]
    return instead(with_hand(state, seat, state["rest"]), *later)


# -- the upcard auction (3.4) ------------------------------------------------------------------------


def may_call_alone(state: State, seat: int, maker: int) -> bool:
    """ALONE-TIME-2, ALONE-WHO-1: the maker, or with ``any`` another seat of the side it makes the makers."""
    game = state["game"]
    if game.get("alone_timing") != "with-call" or game["alone_makers"] == "none":
        return False
    return seat == maker or (game["alone_makers"] == "any" and seat in partners(state, maker))


def round_1_words(state: State, seat: int) -> list[str]:
    game, dealer = state["game"], state["dealer"]
    if seat == dealer:
        if state["named_blind"]:  # ALM-TRUMP-3
            return ["TAKE_UP"]
        natural = [card for card in state["hands"][seat] if card[1] == state["turned"] and not is_joker(game, card)]
        if game["dealer_needs_natural"] == "on" and not natural:  # UPA-NAT-1
            return ["TURN_DOWN"]
        return ["TURN_DOWN", "TAKE_UP", *(["TAKE_UP_ALONE"] if may_call_alone(state, seat, seat) else [])]
    if is_partner_of_dealer(state, seat):  # UPA-R1-2
        if game["dealer_partner_order"] == "takes-it-down":
            return ["PASS", "TAKE_DOWN_ALONE"]
        if game["dealer_partner_order"] == "alone-only":
            return ["PASS", "ORDER_UP_ALONE"]
    maker = dealer if game.get("order_up_makers") == "dealer-side" else seat
    return ["PASS", "ORDER_UP", *(["ORDER_UP_ALONE"] if may_call_alone(state, seat, maker) else [])]


def round_1(state: State, seat: int, text: str) -> State:
    if text == "PASS":
        return state
    if text == "TURN_DOWN":
        if state["game"]["auction_rounds"] == 1:
            return instead(state, ("nobody made trump",))
        order = clockwise(state["game"], left(state, seat))
        return instead(state, *[("round 2", other) for other in order], ("nobody made trump",))
    return accepted(state, seat, text)


def accepted(state: State, seat: int, text: str = "TAKE_UP") -> State:
    """UPA-MAKE-1, -2 and UPA-PICK-1 to -4: who is the maker, and who takes the upcard."""
    game, dealer = state["game"], state["dealer"]
    took_down = text == "TAKE_DOWN_ALONE"
    is_joker_up = is_joker(game, state["upcard"])
    ordered = seat != dealer and not took_down
    state = {
        **state,
        "strain": state["turned"],
        "maker": dealer if game.get("order_up_makers") == "dealer-side" and not took_down else seat,
        "orderer": seat if ordered else None,
        "taker": seat if took_down else dealer,
        "may_leave": ordered and game["dealer_pickup"] == "optional" and not is_joker_up,
    }
    if text.endswith("ALONE"):
        state = plays_alone(state, seat)
        if ordered and is_partner_of_dealer(state, seat):  # UPA-PICK-4
            state = {**state, "taker": None}
    return trump_is_made(state)


def round_2_words(state: State, seat: int) -> list[str]:
    suits = [suit for suit in SUITS if suit != state["turned"]]  # UPA-R2-1
    words = [f"NAME({suit})" for suit in suits]
    if may_call_alone(state, seat, seat):
        words += [f"NAME_ALONE({suit})" for suit in suits]
    stuck = seat == state["dealer"] and state["game"].get("stick_dealer") == "on"  # UPA-R2-2
    return words if stuck else ["PASS", *words]


def round_2(state: State, seat: int, text: str) -> State:
    if text == "PASS":
        return state
    state = {**state, "strain": inside(text), "maker": seat}
    if text.startswith("NAME_ALONE"):
        state = plays_alone(state, seat)
    return trump_is_made(state)


def nobody_made_trump(state: State) -> State:
    rule = state["game"]["nobody_bids"]
    if rule == "no trump":  # BUCK-TRUMP-3, DC-AUC-2
        return instead({**state, "strain": "NT"}, ("lead",))
    if rule == "joker holder":  # HAS-AUC-2, -3
        for seat, cards in enumerate(state["hands"]):
            if any(is_joker(state["game"], card) for card in cards):
                three = {"said": "BID(3)", "rank": 3, "tricks": 3, "number": 3}
                shown = (*state["log"], (seat, "BID(3)", True))
                return trump_is_made({**state, "bid": three, "bidder": seat, "maker": seat, "log": shown})
    return over(state, "thrown in")


def trump_is_made(state: State) -> State:
    """Return the state with all that comes between the auction and the first lead to do."""
    return instead(state, *[(step,) for step in state["game"]["after"]], ("lead",))


# -- the bid auction (3.10) --------------------------------------------------------------------------


def strains(game: Game) -> list[str]:
    """BIDA-NT-1."""
    if "no_trump_kinds" not in game:
        return str(game["strains"]).split()
    return [*SUITS, "NT", *(["NTL"] if game["no_trump_kinds"] == "high-low" else [])]


def may_outbid(state: State, seat: int, bid: dict[str, Any]) -> bool:
    game, standing = state["game"], state["bid"]
    if bid.get("misere") and game["nap_misere"] == "off":  # NAP-AUC-2
        return False
    if standing is None:
        return "only_over" not in bid
    if "only_over" in bid:
        return bool(bid["only_over"] == standing["said"])
    if bid["rank"] == standing["rank"]:
        if game.get("equal_bid_replaces"):  # LATER-AUC-2
            return True
        # BU40-AUC-2
        dealers = game.get("dealer_may_repeat_alone") and bid.get("alone")
        return bool(dealers and seat == state["dealer"] and state["bidder"] != seat)
    return bool(bid["rank"] > standing["rank"])


def bids_open_to(state: State, seat: int) -> list[str]:
    game = state["game"]
    texts = []
    for bid in game["bids"]:
        if not may_outbid(state, seat, bid):
            continue
        number = bid.get("number")
        if not game["strain_in_bid"]:
            if number is None or number >= game["min_bid"]:
                texts.append(bid["said"])
            continue
        for strain in strains(game):
            least = game["min_bid"]
            if strain in ("NT", "NTL"):  # BU32-AUC-1
                least = game.get("min_bid_nt", least)
            if number is None:
                texts.append(f"{bid['said']}({strain})")
            elif number >= least:
                texts.append(f"BID({number}, {strain})")
    return texts


def bid_words(state: State, seat: int) -> list[str]:
    bids = bids_open_to(state, seat)
    dealer_speaks_first_time = seat == state["dealer"] and state["spoken"] < state["game"]["seats"]
    if state["game"].get("dealer_must_bid") == "on" and state["bid"] is None and dealer_speaks_first_time:
        return bids  # BIDA-FORCE-1
    return ["PASS", *bids]


def make_bid(state: State, seat: int, text: str) -> State:
    game, seats = state["game"], state["game"]["seats"]
    state = {**state, "spoken": state["spoken"] + 1}
    if text == "PASS":
        state = {**state, "passes": state["passes"] + 1}
    else:
        said, strain = text, None
        if game["strain_in_bid"]:
            words = inside(text).split(", ")
            strain = words[-1]
            said = f"BID({words[0]})" if len(words) == 2 else text.partition("(")[0]
        bid = next(bid for bid in game["bids"] if bid["said"] == said)
        state = {**state, "passes": 0, "bid": bid, "bidder": seat, "bid_strain": strain}
    if state["bid"] is None:
        over_now = state["passes"] == seats
        return first(state, ("nobody made trump",)) if over_now else first(state, ("bid", left(state, seat)))
    # BIDA-END-1, -2
    still_to_speak = seats - state["spoken"] if game["bid_rounds"] == "single" else seats - 1 - state["passes"]
    speakers = clockwise(game, left(state, seat))[:still_to_speak]
    if any(bids_open_to(state, other) for other in speakers):
        return first(state, ("bid", speakers[0]))
    return won(state)  # BIDA-END-3


def won(state: State) -> State:
    """BIDA-WON-1."""
    bid = state["bid"]
    state = {**state, "maker": state["bidder"], "strain": "NT" if bid.get("misere") else state["bid_strain"]}
    if bid.get("alone"):
        state = plays_alone(state, state["maker"])
    return trump_is_made(state)


def choose_strain(state: State) -> State:
    return first(state, ("choose", state["maker"]))


def strain_words(state: State, seat: int) -> list[str]:
    return [f"CHOOSE({strain})" for strain in strains(state["game"])]


def choose(state: State, seat: int, text: str) -> State:
    return {**state, "strain": inside(text)}


# -- dealer-makes (4.24) -----------------------------------------------------------------------------


def dealer_words(state: State, dealer: int) -> list[str]:
    others = [card for card in hand_of(state, dealer) if card[1] != state["turned"]]
    return ["KEEP_UPCARD", *each("TAKE_AND_SHOW", others)]


def dealer_makes(state: State, dealer: int, text: str) -> State:
    state = {**state, "maker": dealer, "strain": state["turned"]}
    if text != "KEEP_UPCARD":
        shown = inside(text)
        state = {**gain(lose(state, dealer, [shown]), dealer, [state["upcard"]]), "strain": shown[1]}
    return trump_is_made(state)


def offer_kitty(state: State) -> State:
    dealer = state["dealer"]  # DM-XCH-1
    order = [left(state, dealer), (dealer - 1) % 4, (dealer + 2) % 4, dealer]
    return first(state, *[("swap kitty", seat) for seat in order])


def kitty_words(state: State, seat: int) -> list[str]:
    return ["NO_SWAP", *sets("SWAP_KITTY", hand_of(state, seat), len(state["rest"]))]


def swap_kitty(state: State, seat: int, text: str) -> State:
    if text == "NO_SWAP":
        return state
    later = [step for step in state["to_do"] if step[0] != "swap kitty"]
    return instead(gain(lose(state, seat, inside(text).split()), seat, state["rest"]), *later)


# -- upcard, widow -----------------------------------------------------------------------------------


def pick_up(state: State) -> State:
    """UPA-PICK-1 to -5."""
    taker = state["taker"]
    if taker is None:
        return state
    if state["may_leave"]:
        return first(state, ("take upcard", taker))
    return first(gain(state, taker, [state["upcard"]]), ("discard", taker, 1))


def offer_upcard(state: State) -> State:
    """DC-PICK-1."""
    return first(state, ("take upcard", state["maker"]))


def upcard_words(state: State, seat: int) -> list[str]:
    return ["LEAVE_UPCARD", "TAKE_UPCARD"]


def take_upcard(state: State, seat: int, text: str) -> State:
    if text == "LEAVE_UPCARD":
        return state
    return first(gain(state, seat, [state["upcard"]]), ("discard", seat, 1))


def discard_words(state: State, seat: int, count: int) -> list[str]:
    return sets("DISCARD", hand_of(state, seat), count)


def discard(state: State, seat: int, text: str, count: int) -> State:
    return lose(state, seat, inside(text).split())


def widow_is_open(state: State) -> bool:
    """AUC-WID-1, HOO3-ALONE-1, BU48W-WID-2."""
    bid = bid_of(state)
    if bid.get("no_widow"):
        return False
    return not (bid.get("alone") and state["game"].get("widow_when_alone") == "forbidden")


def take_widow(state: State) -> State:
    if not widow_is_open(state):
        return state
    widow = state["rest"][: state["game"]["widow"]]
    return {**gain(state, state["maker"], widow), "took_widow": True}


def offer_widow(state: State) -> State:
    return first(state, ("widow", state["maker"])) if widow_is_open(state) else state


def widow_words(state: State, seat: int) -> list[str]:
    return ["LEAVE_WIDOW", "TAKE_WIDOW"]


def answer_widow(state: State, seat: int, text: str) -> State:
    return take_widow(state) if text == "TAKE_WIDOW" else state


def discard_widow(state: State) -> State:
    if not state["took_widow"]:
        return state
    return first(state, ("discard", state["maker"], state["game"]["widow"]))


# -- alone (3.5) -------------------------------------------------------------------------------------


def is_of_makers(state: State, seat: int) -> bool:
    """Tell whether *seat* is of the maker's true side."""
    maker = state["maker"]
    if maker is None:
        return False
    return seat == maker or seat in partners(state, maker) or seat == state["ally"]


def plays_alone(state: State, seat: int) -> State:
    """ALONE-OUT-1."""
    which = "lone_maker" if is_of_makers(state, seat) else "lone_defender"
    return {**state, which: seat, "out": (*state["out"], *partners(state, seat))}


def poll(state: State) -> State:
    """ALONE-POLL-1, -2."""
    makers, maker = state["game"]["alone_makers"], state["maker"]
    asked = []
    if state["lone_maker"] is None and makers != "none":
        if state["game"].get("alone_timing", "after-trump") == "with-call":
            asked = [maker] if state["named_blind"] and maker == state["dealer"] else []  # ALONE-TIME-2
        else:
            asked = [maker, *partners(state, maker)] if makers == "any" else [maker]
    return first(state, *[("alone", seat) for seat in asked], ("poll defenders",))


def poll_defenders(state: State) -> State:
    game = state["game"]
    rule = game.get("alone_defenders", "none")
    if rule == "none" or (rule == "against-loner" and state["lone_maker"] is None):
        return state
    order = clockwise(game, left(state, state["maker"]))
    return first(state, *[("alone", seat) for seat in order if not is_of_makers(state, seat)])


def alone_words(state: State, seat: int) -> list[str]:
    return ["NOT_ALONE", "ALONE"]


def say_alone(state: State, seat: int, text: str) -> State:
    if text == "NOT_ALONE":
        return state
    side = is_of_makers(state, seat)  # ALONE-ONE-1: his side is not asked again
    later = [step for step in state["to_do"] if step[0] != "alone" or is_of_makers(state, step[1]) != side]
    return instead(plays_alone(state, seat), *later)


# -- cards between a loner and his partner (3.6) -----------------------------------------------------


def exchanges(state: State) -> State:
    """3.6: the maker's first, then the defender's."""
    loners = [seat for seat in (state["lone_maker"], state["lone_defender"]) if seat is not None]
    return first(state, *[("exchange with", seat) for seat in loners if partners(state, seat)])


def exchange(state: State, loner: int) -> State:
    rule, partner = state["game"]["loner_exchange"], partners(state, loner)[0]
    if rule == "ask-one":
        return first(state, ("ask", loner))
    if rule == "partner-offers-one":
        return first(state, ("offer", partner, loner))
    if rule == "call-best":
        return first(state, ("call best", loner))
    if rule == "fixed-by-bid":
        count = bid_of(state)["receives"]
        return first(state, ("discard", loner, count), ("give", partner, loner, count)) if count else state
    if rule.startswith("up-to-"):
        return first(state, ("swap", loner, int(rule[-1])))
    return state


def ask_words(state: State, loner: int) -> list[str]:
    return ["NO_ASK", *[f"ASK({seat})" for seat in partners(state, loner)]]


def ask(state: State, loner: int, text: str) -> State:
    if text == "NO_ASK":
        return state
    return first(state, ("give", int(inside(text)), loner, 1), ("discard", loner, 1))


def give_words(state: State, giver: int, loner: int, count: int) -> list[str]:
    return sets("GIVE", hand_of(state, giver), count)


def give(state: State, giver: int, text: str, loner: int, count: int) -> State:
    cards = inside(text).split()
    return {**gain(lose(state, giver, cards), loner, cards), "received": count}


def offer_words(state: State, partner: int, loner: int) -> list[str]:
    return ["NO_OFFER", *each("OFFER", hand_of(state, partner))]


def offer(state: State, partner: int, text: str, loner: int) -> State:
    if text == "NO_OFFER":
        return state
    return first({**state, "offered": inside(text)}, ("accept", loner, partner))


def accept_words(state: State, loner: int, partner: int) -> list[str]:
    return ["DECLINE", *each("ACCEPT", hand_of(state, loner))]


def accept(state: State, loner: int, text: str, partner: int) -> State:
    if text == "DECLINE":
        return state
    card = state["offered"]
    return gain(lose(lose(state, loner, [inside(text)]), partner, [card]), loner, [card])


def call_words(state: State, loner: int) -> list[str]:
    return ["NO_CALL", *each("CALL_BEST", hand_of(state, loner))]


def call_best(state: State, loner: int, text: str) -> State:
    if text == "NO_CALL":
        return state
    return first(lose(state, loner, [inside(text)]), ("give", partners(state, loner)[0], loner, 1))


def swap_words(state: State, loner: int, most: int) -> list[str]:
    words = ["NO_SWAP"]
    for count in range(1, most + 1):
        words += sets("SWAP", hand_of(state, loner), count)
    return words


def swap(state: State, loner: int, text: str, most: int) -> State:
    if text == "NO_SWAP":
        return state
    cards = inside(text).split()
    return first(lose(state, loner, cards), ("give", partners(state, loner)[0], loner, len(cards)))


# -- who is in the hand ------------------------------------------------------------------------------


def ask_who_drops(state: State) -> State:
    others = clockwise(state["game"], left(state, state["maker"]))[:-1]  # BUCK-DROP-1
    return first(state, *[("stay or drop", seat) for seat in others])


def drop_words(state: State, seat: int) -> list[str]:
    floor = state["game"].get("may_not_drop_at")  # DC3-DROP-1
    return ["STAY"] if floor is not None and state["totals"][seat] <= floor else ["STAY", "DROP"]


def drop(state: State, seat: int, text: str) -> State:
    return {**state, "out": (*state["out"], seat)} if text == "DROP" else state


def ask_for_ally(state: State) -> State:
    if state["lone_maker"] is not None:  # CALL-ALONE-1, AUC-ALLY-1
        return state
    return first(state, ("call ally", state["maker"]))


def ally_words(state: State, maker: int) -> list[str]:
    game, strain = state["game"], state["strain"]
    if game["ally"] == "suit":
        return [f"CALL_SUIT({suit})" for suit in SUITS if suit != strain]
    others = [card for card in game["cards"] if card not in state["hands"][maker]]
    return [f"CALL_CARD({card})" for card in reversed(up(game, strain, others))]


def call_ally(state: State, maker: int, text: str) -> State:
    game, called = state["game"], inside(text)
    candidates = [called]
    if game["ally"] == "suit":  # CALL-ALLY-2: from the highest down, the left bower is no card of its suit
        cards = [rank + called for rank in plain_ranks(game, state["strain"])]
        candidates = [card for card in cards if effective_suit(game, state["strain"], card) == called]
    for card in candidates:
        for seat, held in enumerate(state["hands"]):
            if card in held:
                return {**state, "ally": None if seat == maker else seat}  # CALL-ALLY-3
    return state


# -- lead and play (3.7), renege (3.8) ---------------------------------------------------------------


def active_seats(state: State) -> list[int]:
    return [seat for seat in range(state["game"]["seats"]) if seat not in state["out"]]


def opening_leader(state: State) -> int:
    game, maker, active = state["game"], state["maker"], active_seats(state)
    if game.get("declarer_leads") and maker is not None:  # LEAD-4, DC-LEAD-1
        return int(maker)
    if game.get("lead_3") and len(active) == 2 and maker is not None:  # LEAD-3
        others = [seat for seat in active if not is_of_makers(state, seat)]
        if len(others) == 1:
            return others[0]
    after = state["dealer"]  # LEAD-1
    loners = [seat for seat in (state["lone_maker"], state["lone_defender"]) if seat is not None]
    if game.get("every_maker_is_a_loner"):  # CUT-LEAD-1
        loners = [maker]
    rule = game.get("loner_lead", "eldest")
    if rule == "left-of-loner" and loners:  # LEAD-2; of two loners the maker's is "the loner"
        after = loners[0]
    if rule == "left-of-loner-if-ordered" and state["orderer"] in loners:  # STD-LEAD-2
        after = state["orderer"]
    return next(seat for seat in clockwise(game, left(state, after)) if seat in active)


def lead(state: State) -> State:
    return first(state, ("trick", opening_leader(state)))


def trick(state: State, leader: int) -> State:
    active = active_seats(state)
    order = [seat for seat in clockwise(state["game"], leader) if seat in active]
    return first({**state, "trick": ()}, *[("card", seat) for seat in order], ("gather",))


def suit_led(state: State) -> str:
    return effective_suit(state["game"], state["strain"], state["trick"][0][1])


def card_words(state: State, seat: int) -> list[str]:
    cards = hand_of(state, seat)
    if state["trick"]:  # PLAY-2
        led = suit_led(state)
        following = [card for card in cards if effective_suit(state["game"], state["strain"], card) == led]
        cards = following or cards
    return each("PLAY", cards)


def play(state: State, seat: int, text: str) -> State:
    game, card = state["game"], inside(text)
    if not state["trick"] and state["strain"] is None:  # NAP-TRUMP-1
        state = {**state, "strain": card[1]}
    suit = effective_suit(game, state["strain"], card)
    if state["trick"]:
        led = suit_led(state)
        able = any(effective_suit(game, state["strain"], other) == led for other in state["hands"][seat])
        if suit != led and able:  # REN-DEF-1
            state = {**state, "reneges": (*state["reneges"], (seat, led))}
            if game["renege"] == "immediate":
                return over(lose(state, seat, [card]), "renege", seat)
    state = {**lose(state, seat, [card]), "trick": (*state["trick"], (seat, card))}
    if (seat, suit) in state["reneges"]:  # REN-PROVE-1
        return over(state, "renege", seat)
    return state


def gather(state: State) -> State:
    """PLAY-3 to -5."""
    (winner, best), *others = state["trick"]
    for seat, card in others:
        if beats(state["game"], state["strain"], best, card):
            winner, best = seat, card
    tricks = list(state["tricks"])
    tricks[winner] += 1
    state = {**state, "tricks": tuple(tricks)}
    return first(state, ("trick", winner)) if state["hands"][winner] else over(state, "played")


QUESTIONS: dict[str, tuple[Callable[..., list[str]], Callable[..., State]]] = {
    "claim": (claims, claim),
    "name blind": (blind_names, name_blind),
    "hand for widow": (hand_swaps, swap_hand),
    "round 1": (round_1_words, round_1),
    "round 2": (round_2_words, round_2),
    "bid": (bid_words, make_bid),
    "choose": (strain_words, choose),
    "dealer makes": (dealer_words, dealer_makes),
    "swap kitty": (kitty_words, swap_kitty),
    "take upcard": (upcard_words, take_upcard),
    "discard": (discard_words, discard),
    "widow": (widow_words, answer_widow),
    "alone": (alone_words, say_alone),
    "ask": (ask_words, ask),
    "give": (give_words, give),
    "offer": (offer_words, offer),
    "accept": (accept_words, accept),
    "call best": (call_words, call_best),
    "swap": (swap_words, swap),
    "stay or drop": (drop_words, drop),
    "call ally": (ally_words, call_ally),
    "card": (card_words, play),
}
"""Steps that ask a seat: what it may answer, and what the answer does."""

DOES_ITSELF: dict[str, Callable[..., State]] = {
    "clubs": clubs,
    "nobody made trump": nobody_made_trump,
    "strain": choose_strain,
    "kitty": offer_kitty,
    "upcard": pick_up,
    "offer upcard": offer_upcard,
    "take widow": take_widow,
    "offer widow": offer_widow,
    "discard widow": discard_widow,
    "poll": poll,
    "poll defenders": poll_defenders,
    "exchange": exchanges,
    "exchange with": exchange,
    "drop": ask_who_drops,
    "ally": ask_for_ally,
    "lead": lead,
    "trick": trick,
    "gather": gather,
}
"""Steps without a question."""
