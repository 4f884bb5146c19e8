//! The questions before play.

use euchre_kit::cards::{printed_suit, without};
use euchre_kit::wire::{Action, BidName, variant::Scoring};
use euchre_kit::{ActionKind, Answer, Bot, Card, PhaseKind, Question, Rung, Strain, Variant};

use crate::estimate::{Estimator, SURE_VALUE, above, best_of, rest, suit_cards};
use crate::tricks;

// Thresholds of docs/heuristic.md, in tricks.

/// A maker needs so many of five.
const FIVE_TRICK_NEED: f64 = 3.0;
/// Expected by a defender who plays alone.
const LONE_DEFENCE: f64 = 3.2;
/// A defender takes so much of the count.
const DEFENCE_FACTOR: f64 = 0.7;
/// To spare when outbidding a partner.
const OVER_PARTNER: f64 = 0.7;
/// To spare for a bid of all tricks.
const ALL_TRICKS_SPARE: f64 = 0.5;
/// To spare for each card of the hand beyond five: long hands vary more.
const SPARE_PER_CARD: f64 = 0.05;
/// The greatest danger of a misère.
const SAFE_MISERE: f64 = 2.0;
/// The least count to stay in.
const STAY_COUNT: f64 = 1.4;
const PER_DROPPED: f64 = 0.12;
/// Of a call alone that is sound: before every call with partners.
const ALONE_SPARE: f64 = 9.0;
/// A hand with less than this a card in its best suit is swapped.
const POOR_HAND: f64 = 0.4;
/// Of a pass: just less than a call that is expected to succeed.
const PASS_SPARE: f64 = -1e-6;
/// The share of the upcard's worth when a partner takes it.
const PARTNER_TAKING: f64 = 0.8;
/// The share of the upcard's worth lost when an opponent takes it.
const ENEMY_TAKING: f64 = 0.6;

/// The heuristic bot. It remembers nothing.
pub struct Heuristic;

/// Tells whether two seats are of one fixed side; a seat is with itself.
fn are_together(variant: &Variant, seat: u32, other: u32) -> bool {
    seat == other || variant.has_fixed_sides() && variant.side_of(seat) == variant.side_of(other)
}

/// Returns how many cards the loner of a variant receives (of a bid that fixes the number, by the bid).
fn received(variant: &Variant, bid: Option<BidName>) -> u32 {
    match variant.option("loner_exchange") {
        "" | "none" => 0,
        "fixed-by-bid" => match bid {
            Some(BidName::Alone1) => 1,
            Some(BidName::Alone2) => 2,
            _ => 0,
        },
        rule => rule
            .strip_prefix("up-to-")
            .and_then(|number| number.parse().ok())
            .unwrap_or(1),
    }
}

fn either(q: &Question, yes: bool, then: ActionKind, otherwise: ActionKind) -> Answer {
    Answer::option(q.find(if yes { then } else { otherwise }))
}

/// Returns the first option of the greatest value.
fn best_option(q: &Question, value: impl Fn(&Action) -> f64) -> Answer {
    Answer::option(best_of(0..q.options.len(), |index| value(&q.options[*index])))
}

/// Returns the hand with the upcard.
fn with_upcard(q: &Question) -> Vec<Card> {
    let mut cards = q.cards.clone();
    cards.push(q.upcard);
    cards
}

/// Returns what accepting the upcard would make trump.
fn turned_suit(q: &Question) -> Strain {
    let mut said = q.history.iter().filter_map(|event| event.action.as_ref());
    said.find(|action| action.kind() == ActionKind::NameBlind)
        .map_or_else(|| printed_suit(q.upcard), |action| action.strain)
}

/// Returns the tricks beyond its need that a call is thought to take; just below zero for a pass.
fn spare_of_call(q: &Question, call: &Action) -> f64 {
    let (estimator, turned) = (Estimator::new(q.variant), turned_suit(q));
    let count = match call.kind() {
        ActionKind::Pass | ActionKind::TurnDown => return PASS_SPARE,
        ActionKind::Name | ActionKind::NameAlone => estimator.count(call.strain, &q.cards),
        ActionKind::TakeUp | ActionKind::TakeUpAlone | ActionKind::TakeDownAlone => {
            let (left, _) = estimator.best_discard(turned, &with_upcard(q));
            estimator.count(turned, &left)
        }
        kind => {
            let with_dealer = are_together(q.variant, q.seat, q.dealer);
            if q.variant.option("order_up_makers") == "dealer-side" && !with_dealer {
                return f64::NEG_INFINITY; // the opponents would be the makers
            }
            let higher = above(q.variant.order(turned), &rest(q.variant, &[]), q.upcard);
            let worth = estimator.trump_worth(higher);
            let share = match (with_dealer, kind) {
                (false, _) => -ENEMY_TAKING,
                (true, ActionKind::OrderUp) => PARTNER_TAKING,
                (true, _) => 0.0, // alone nobody takes it (UPA-PICK-4)
            };
            estimator.count(turned, &q.cards) + share * worth
        }
    };
    match call.kind() {
        ActionKind::NameAlone | ActionKind::TakeUpAlone | ActionKind::TakeDownAlone | ActionKind::OrderUpAlone => {
            let is_sound = estimator.alone(count, received(q.variant, None)) >= estimator.hand - 1.0;
            if is_sound {
                ALONE_SPARE + count
            } else {
                f64::NEG_INFINITY
            }
        }
        _ => estimator.together(count) - FIVE_TRICK_NEED,
    }
}

/// Returns the discard of one card: the one that is missed least of those on offer.
fn discard_one(q: &Question) -> Answer {
    let estimator = Estimator::new(q.variant);
    let (_, best) = estimator.best_discard(q.strain, &q.cards);
    let (order, _) = estimator.keep_order(q.strain, &q.cards);
    let mut wanted = std::iter::once(best).chain(order.into_iter().rev());
    Answer::option(wanted.find_map(|card| q.find_card(ActionKind::Discard, card)))
}

/// Returns an exchange of cards in numbers.
fn exchange_several(q: &Question) -> Answer {
    let Some(choice) = &q.choice else {
        return Answer::Option(0);
    };
    let (order, values) = Estimator::new(q.variant).keep_order(q.strain, &choice.cards);
    let (least, most) = (choice.minimum as usize, choice.maximum as usize);
    if choice.kind() == ActionKind::Give {
        return Answer::cards(choice, &order[..most]);
    }
    let weak = order.iter().filter(|card| values[**card as usize] < SURE_VALUE).count();
    match weak.max(least).min(most) {
        0 => Answer::Option(0),
        number => Answer::cards(choice, &order[order.len() - number..]),
    }
}

/// A bid with what it is thought to take.
struct Offer {
    option: usize,
    rung: Rung,
    spare: f64,
}

impl Offer {
    fn new(q: &Question, option: usize) -> Self {
        let said = &q.options[option];
        let rung = q.variant.rung(&said.bid.unwrap_or_default());
        let strains = if said.strain == 0 {
            rung.strains.clone()
        } else {
            vec![said.strain]
        };
        let spare = spare_of_bid(q, &rung, &strains);
        Self { option, rung, spare }
    }

    fn is_sound(&self, q: &Question) -> bool {
        self.spare >= least_spare(q, &self.rung)
    }
}

/// Returns the tricks beyond its need of a bid in the best of the strains it can be played in.
fn spare_of_bid(q: &Question, rung: &Rung, strains: &[Strain]) -> f64 {
    let estimator = Estimator::new(q.variant);
    if rung.is_misere() {
        return SAFE_MISERE - estimator.danger(&q.cards);
    }
    let tricks = strains.iter().map(|strain| {
        let count = estimator.count(*strain, &q.cards);
        if rung.alone {
            estimator.alone(count, received(q.variant, Some(rung.name)))
        } else {
            estimator.together(count)
        }
    });
    tricks.fold(f64::NEG_INFINITY, f64::max) - f64::from(rung.tricks)
}

/// Returns the tricks that a bid must have to spare.
fn least_spare(q: &Question, rung: &Rung) -> f64 {
    let is_over_partner = q
        .bidder
        .is_some_and(|other| other != q.seat && are_together(q.variant, q.seat, other));
    if rung.is_misere() {
        0.0
    } else if rung.tricks >= q.variant.hand_size {
        ALL_TRICKS_SPARE
    } else if is_over_partner {
        OVER_PARTNER
    } else {
        SPARE_PER_CARD * (f64::from(q.variant.hand_size) - 5.0)
    }
}

/// Returns the bid to make of several sound ones: low if the auction goes on or ends here, high otherwise.
fn chosen<'a>(q: &Question, sound: &[&'a Offer]) -> Option<&'a Offer> {
    let goes_on = q.variant.option("bid_rounds") == "until-passed";
    let is_last = q.history.len() + 1 >= q.variant.seats as usize;
    let pays_bid = matches!(q.variant.scoring, Some(Scoring::BidValue(_)));
    let low = goes_on || (is_last && !pays_bid);
    let tricks = |offer: &Offer| if low { 0 } else { offer.rung.tricks };
    sound.iter().copied().max_by(|x, y| {
        (tricks(x).cmp(&tricks(y)))
            .then(y.rung.rank.cmp(&x.rung.rank))
            .then(x.spare.total_cmp(&y.spare))
            .then(y.option.cmp(&x.option))
    })
}

impl Bot for Heuristic {
    /// Claims: a hand that may be claimed is poor.
    fn redeal_claim(&mut self, q: &Question) -> Answer {
        Answer::option(q.options.len() - 1)
    }

    /// Makes the call with most tricks to spare, and passes if none has any.
    fn upcard_auction(&mut self, q: &Question) -> Answer {
        best_option(q, |call| spare_of_call(q, call))
    }

    /// Takes the upcard if a discard makes the hand better, and discards what is missed least.
    fn pick_up(&mut self, q: &Question) -> Answer {
        if q.find(ActionKind::Discard).is_some() {
            return discard_one(q);
        }
        let estimator = Estimator::new(q.variant);
        let (left, _) = estimator.best_discard(q.strain, &with_upcard(q));
        let is_better = estimator.count(q.strain, &left) > estimator.count(q.strain, &q.cards);
        either(q, is_better, ActionKind::TakeUpcard, ActionKind::LeaveUpcard)
    }

    /// Plays alone if nearly all tricks are expected; against the makers, if they would be euchred.
    fn going_alone(&mut self, q: &Question) -> Answer {
        let estimator = Estimator::new(q.variant);
        let count = estimator.count(q.strain, &q.cards);
        let defends = q.maker.is_some_and(|maker| !are_together(q.variant, q.seat, maker));
        let goes = if defends {
            estimator.alone(DEFENCE_FACTOR * count, 0) >= LONE_DEFENCE
        } else {
            estimator.alone(count, received(q.variant, None)) >= estimator.hand - 1.0
        };
        either(q, goes, ActionKind::Alone, ActionKind::NotAlone)
    }

    /// Takes what help there is, gives the best and lays down the worst.
    fn exchange(&mut self, q: &Question) -> Answer {
        if q.choice.is_some() {
            return exchange_several(q);
        }
        let (order, values) = Estimator::new(q.variant).keep_order(q.strain, &q.cards);
        let (Some(best), Some(worst)) = (order.first(), order.last()) else {
            return Answer::Option(0);
        };
        for kind in [ActionKind::Give, ActionKind::Offer] {
            if q.find(kind).is_some() {
                return Answer::option(q.find_card(kind, *best));
            }
        }
        if let Some(option) = q.find(ActionKind::Ask) {
            return Answer::Option(option);
        }
        if q.find(ActionKind::Discard).is_some() {
            return discard_one(q);
        }
        if values[*worst as usize] >= SURE_VALUE {
            return Answer::Option(0);
        }
        let accepts = q.find_card(ActionKind::Accept, *worst);
        Answer::option(accepts.or_else(|| q.find_card(ActionKind::CallBest, *worst)))
    }

    /// Bids what is likely to be made: high if the auction goes round once, low if it goes on or ends here.
    fn bid_auction(&mut self, q: &Question) -> Answer {
        let bids = (0..q.options.len()).filter(|index| q.options[*index].kind() == ActionKind::Bid);
        let all: Vec<Offer> = bids.map(|option| Offer::new(q, option)).collect();
        let sound: Vec<&Offer> = all.iter().filter(|offer| offer.is_sound(q)).collect();
        if let Some(offer) = chosen(q, &sound) {
            return Answer::Option(offer.option);
        }
        let pass = q.find(ActionKind::Pass);
        Answer::option(pass.or_else(|| best_of(&all, |offer| offer.spare).map(|offer| offer.option)))
    }

    /// Chooses the strain that takes most.
    fn strain_choice(&mut self, q: &Question) -> Answer {
        best_option(q, |option| Estimator::new(q.variant).count(option.strain, &q.cards))
    }

    /// Takes the widow: as many of the worst cards go.
    fn widow(&mut self, q: &Question) -> Answer {
        Answer::option(q.find(ActionKind::TakeWidow))
    }

    /// Discards what is missed least.
    fn widow_discard(&mut self, q: &Question) -> Answer {
        let Some(choice) = &q.choice else { return discard_one(q) };
        let (order, _) = Estimator::new(q.variant).keep_order(q.strain, &choice.cards);
        Answer::cards(choice, &order[order.len() - choice.minimum as usize..])
    }

    /// Takes the widow for a poor hand.
    fn hand_swap(&mut self, q: &Question) -> Answer {
        let estimator = Estimator::new(q.variant);
        let best = estimator.best_suit(&q.variant.strains, &q.cards);
        let is_poor = best.is_some_and(|suit| estimator.count(suit, &q.cards) < POOR_HAND * estimator.hand);
        either(q, is_poor, ActionKind::TakeHand, ActionKind::KeepHand)
    }

    /// Makes the trump that leaves the best hand.
    fn dealer_makes(&mut self, q: &Question) -> Answer {
        let estimator = Estimator::new(q.variant);
        best_option(q, |option| match option.cards.first() {
            None => estimator.count(printed_suit(q.upcard), &q.cards),
            Some(shown) => estimator.count(printed_suit(*shown), &without(&with_upcard(q), &[*shown])),
        })
    }

    /// Swaps if no trump and no sure winner has to go.
    fn kitty_swap(&mut self, q: &Question) -> Answer {
        let Some(choice) = &q.choice else {
            return Answer::Option(0);
        };
        let (order, values) = Estimator::new(q.variant).keep_order(q.strain, &choice.cards);
        let gone = &order[order.len() - choice.minimum as usize..];
        if gone.iter().any(|card| values[*card as usize] >= SURE_VALUE) {
            return Answer::option(q.find(ActionKind::NoSwap));
        }
        Answer::cards(choice, gone)
    }

    /// Stays if a trick is likely.
    fn drop_out(&mut self, q: &Question) -> Answer {
        let count = Estimator::new(q.variant).count(q.strain, &q.cards);
        let dropped = f64::from(q.variant.seats) - q.active.len() as f64;
        either(
            q,
            count + PER_DROPPED * dropped >= STAY_COUNT,
            ActionKind::Stay,
            ActionKind::Drop,
        )
    }

    /// Calls the best card that another may hold, or the longest suit whose best card another may hold.
    fn ally_call(&mut self, q: &Question) -> Answer {
        if q.find(ActionKind::CallCard).is_some() {
            let out = tricks::unseen(q);
            let may_be_held = |option: &Action| option.cards.first().is_some_and(|card| out[*card as usize] > 0);
            return Answer::option(q.options.iter().position(may_be_held));
        }
        let order = q.variant.order(q.strain);
        let suits = suit_cards(order, &q.cards);
        best_option(q, |option| {
            let (held, all) = (&suits[option.strain as usize], &order.by_suit[option.strain as usize]);
            match held.first() {
                None => -0.5,
                best if best == all.first() => -1.0,
                _ => held.len() as f64,
            }
        })
    }

    /// Leads, follows, covers and throws.
    fn play(&mut self, q: &Question) -> Answer {
        debug_assert_eq!(q.phase(), PhaseKind::Play);
        if q.options.len() == 1 {
            return Answer::Option(0);
        }
        Answer::option(tricks::card(q).and_then(|card| q.find_card(ActionKind::Play, card)))
    }
}
