//! The rules of docs/heuristic.md, by cases worked out by hand.

use euchre_kit::cards::{NO_TRUMP, card_names, parse_card, parse_cards};
use euchre_kit::wire::{Action, Bid, BidName, CardChoice, DecisionRequest, Event, TrickCard};
use euchre_kit::{ActionKind, Card, PhaseKind, Question, Variant, decide};

use crate::calls::Heuristic;
use crate::common::variant;
use crate::estimate::Estimator;

const SPADES: i32 = 1;
const HEARTS: i32 = 3;

fn cards(names: &str) -> Vec<Card> {
    parse_cards(names).unwrap()
}

fn word(kind: ActionKind) -> Action {
    Action {
        kind: kind.into(),
        ..Action::default()
    }
}

fn with_card(kind: ActionKind, card: Card) -> Action {
    Action {
        cards: vec![card],
        ..word(kind)
    }
}

/// Returns a question to seat 1 about a hand, low to high.
fn asked(phase: PhaseKind, hand: &str, options: Vec<Action>) -> DecisionRequest {
    DecisionRequest {
        phase: phase.into(),
        seat: 1,
        cards: cards(hand),
        active: vec![0, 1, 2, 3],
        options,
        ..DecisionRequest::default()
    }
}

/// Returns what the bot does.
fn answer(variant: &Variant, request: &DecisionRequest) -> Action {
    let question = Question::new(request, variant, 0);
    let answer = decide(&mut Heuristic, &question);
    answer.action(&question).expect("there is such an option").clone()
}

#[test]
fn the_upcard_is_ordered_up_by_three_trumps_and_alone_by_four() {
    for (hand, upcard, seat, wanted) in [
        ("9S TS 9C QD KD", "9H", 1, ActionKind::Pass),
        ("9S AC AH QH JD", "9H", 2, ActionKind::OrderUp),
        ("AS KH AH JD JH", "9H", 2, ActionKind::OrderUpAlone),
    ] {
        let options = [ActionKind::Pass, ActionKind::OrderUp, ActionKind::OrderUpAlone];
        let request = DecisionRequest {
            seat,
            upcard: parse_card(upcard).unwrap(),
            ..asked(PhaseKind::UpcardAuction, hand, options.map(word).to_vec())
        };
        assert_eq!(answer(&variant("standard"), &request).kind(), wanted, "{hand}");
    }
}

#[test]
fn a_hand_that_may_be_claimed_is_claimed() {
    let options = vec![word(ActionKind::NoClaim), word(ActionKind::ClaimRedeal)];
    let request = asked(PhaseKind::RedealClaim, "9C 9D 9H TC TD", options);
    assert_eq!(answer(&variant("standard"), &request).kind(), ActionKind::ClaimRedeal);
}

#[test]
fn the_dealer_discards_a_lone_low_card_and_keeps_trumps() {
    let options = cards("9C TD AD QS AS JS")
        .into_iter()
        .map(|card| with_card(ActionKind::Discard, card));
    let request = DecisionRequest {
        strain: SPADES,
        ..asked(PhaseKind::PickUp, "9C TD AD QS AS JS", options.collect())
    };
    assert_eq!(card_names(&answer(&variant("standard"), &request).cards), "9C");
}

/// Returns every bid of a variant's ladder.
fn bids(variant: &Variant) -> Vec<Action> {
    let bid = |bid: &Option<Bid>| Action {
        bid: *bid,
        ..word(ActionKind::Bid)
    };
    variant.bids.iter().map(|rung| bid(&rung.bid)).collect()
}

#[test]
fn four_sure_trumps_and_a_void_bid_four_at_once_and_one_where_the_auction_goes_on() {
    for (preset, wanted) in [("bid-euchre", 4), ("pepper", 1)] {
        let variant = variant(preset);
        let options = [vec![word(ActionKind::Pass)], bids(&variant)].concat();
        let request = asked(PhaseKind::BidAuction, "9S TC KH AH JD JH", options.clone());
        let found = answer(&variant, &request);
        assert_eq!(found.bid.map(|bid| bid.number), Some(wanted), "{preset}");
    }
}

#[test]
fn where_a_pass_is_not_allowed_the_cheapest_bid_is_made() {
    let variant = variant("bid-later-24");
    let request = DecisionRequest {
        history: vec![Event::default(); 3],
        ..asked(PhaseKind::BidAuction, "9S TS 9C QC 9D TD", bids(&variant))
    };
    assert_eq!(answer(&variant, &request).bid, variant.bids[0].bid);
}

#[test]
fn the_best_cards_are_given_and_the_worst_discarded() {
    let variant = variant("bid-us-48-widow");
    let held = "9S TS 9C QC AC 9D TD KD AH JD JH";
    let choice = |kind: ActionKind| CardChoice {
        kind: kind.into(),
        cards: cards(held),
        minimum: 3,
        maximum: 3,
    };
    let ask = |phase, kind| DecisionRequest {
        strain: HEARTS,
        choice: Some(choice(kind)),
        ..asked(phase, held, vec![word(kind)])
    };
    let given = answer(&variant, &ask(PhaseKind::Exchange, ActionKind::Give));
    assert_eq!(
        (given.kind(), card_names(&given.cards).as_str()),
        (ActionKind::Give, "JH JD AH")
    );
    let gone = answer(&variant, &ask(PhaseKind::WidowDiscard, ActionKind::Discard));
    assert_eq!((gone.kind(), gone.cards.len()), (ActionKind::Discard, 3));
    for kept in cards("AH JD JH AC") {
        assert!(!gone.cards.contains(&kept), "{}", card_names(&gone.cards));
    }
}

#[test]
fn a_hand_stays_in_with_tricks_and_drops_without() {
    for (hand, wanted) in [
        ("9C TC QD 9H TH", ActionKind::Drop),
        ("9C AD KS AS JS", ActionKind::Stay),
    ] {
        let options = vec![word(ActionKind::Stay), word(ActionKind::Drop)];
        let request = DecisionRequest {
            strain: SPADES,
            maker: Some(0),
            ..asked(PhaseKind::DropOut, hand, options)
        };
        assert_eq!(answer(&variant("buck"), &request).kind(), wanted, "{hand}");
    }
}

/// A card to play in a trick: hand low to high, the trick so far as "seat:card ...", the maker, and the card wanted.
struct Lead(&'static str, &'static str, u32, &'static str);

fn played(variant: &Variant, case: &Lead, bid: Option<Bid>) -> String {
    let Lead(hand, trick, maker, _) = case;
    let trick: Vec<TrickCard> = trick
        .split_whitespace()
        .map(|entry| entry.split_once(':').expect("seat:card"))
        .map(|(seat, card)| TrickCard {
            seat: seat.parse().unwrap(),
            card: parse_card(card).unwrap(),
        })
        .collect();
    let event = |played: &TrickCard| Event {
        seat: played.seat,
        action: Some(with_card(ActionKind::Play, played.card)),
        ..Event::default()
    };
    let options = cards(hand).into_iter().map(|card| with_card(ActionKind::Play, card));
    let request = DecisionRequest {
        strain: if bid.is_some() { NO_TRUMP } else { SPADES },
        maker: Some(*maker),
        bid,
        history: trick.iter().map(event).collect(),
        trick,
        ..asked(PhaseKind::Play, hand, options.collect())
    };
    card_names(&answer(variant, &request).cards)
}

#[test]
fn it_leads_follows_covers_and_throws() {
    let standard = variant("standard");
    for (name, case) in [
        ("makers lead the highest trump", Lead("9C AD AS JS", "", 1, "JS")),
        ("defenders lead an ace", Lead("9S 9C AD", "", 0, "AD")),
        (
            "the last covers as low as it can",
            Lead("QC KC AC", "2:9C 3:TC 0:JH", 0, "QC"),
        ),
        (
            "the last throws low on a partner's trick",
            Lead("9C KC", "2:TC 3:AC 0:JH", 0, "9C"),
        ),
        (
            "a trump saves a trick from opponents",
            Lead("9S TS", "3:TC 0:AC", 0, "9S"),
        ),
        ("a hopeless hand throws its lowest", Lead("9D QD", "0:AC", 0, "9D")),
        (
            "nothing is laid on a partner's card that cannot be beaten",
            Lead("9H KH", "3:AH 0:TH", 0, "9H"),
        ),
    ] {
        assert_eq!(played(&standard, &case, None), case.3, "{name}");
    }
}

#[test]
fn in_a_misere_the_declarer_ducks_and_the_others_get_under_him() {
    let napoleon = variant("napoleon");
    let bid = Some(Bid {
        name: BidName::Misere.into(),
        number: 0,
    });
    for (name, case) in [
        ("an avoider plays its highest loser", Lead("7C QC AC", "0:KC", 1, "QC")),
        (
            "the others stay below him who must take none",
            Lead("7C QC AC", "0:KC", 0, "QC"),
        ),
    ] {
        assert_eq!(played(&napoleon, &case, bid), case.3, "{name}");
    }
}

/// 19 hidden cards, 15 in other hands: p = 4/19. JS: nothing above, 0.35+0.05+0.55. KS: JC and AS above,
/// 0.35+0.05·p²+0.55/4. AC: four others out (KC QC TC 9C, the jack is a trump), r = 14/19, f = (1−r⁴)², 0.9·f. AD and KD:
/// nothing above, four others out, (0.9+0.4)·f. No heart: 0.3.
#[test]
fn two_trumps_and_two_aces_count_what_they_count_by_hand() {
    let standard = variant("standard");
    let count = Estimator::new(&standard).count(SPADES, &cards("JS KS AC AD KD"));
    let (p, r): (f64, f64) = (4.0 / 19.0, 14.0 / 19.0);
    let f = (1.0 - r.powi(4)).powi(2);
    let wanted = 0.95 + 0.35 + 0.05 * p * p + 0.55 / 4.0 + 0.9 * f + 1.3 * f + 0.3;
    assert!((count - wanted).abs() < 1e-9, "{count}, not {wanted}");
}
