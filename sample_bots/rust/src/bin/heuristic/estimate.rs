//! Counts hands: about how many tricks they take.

use euchre_kit::cards::{CARD_LIMIT, NO_TRUMP, SUITS, without};
use euchre_kit::wire::Alliance;
use euchre_kit::{Card, Order, PhaseKind, Strain, Suit, Variant};

// The numbers of docs/heuristic.md.

/// A maker whose partners sit out counts so many times as much.
const LONE_FACTOR: f64 = 1.3;
/// Tricks of a loner for each card of the hand beyond five.
const LONE_PER_HAND_CARD: f64 = 0.35;
/// Tricks for each card a loner receives.
const PER_RECEIVED: f64 = 0.8;
/// Tricks for each card of the widow.
const PER_WIDOW_CARD: f64 = 0.3;
/// The count grows by this share for each card of the hand beyond five.
const PER_HAND_CARD: f64 = 0.1;
/// A card worth at least this is a trump or the best of its suit.
pub const SURE_VALUE: f64 = 38.0;

/// How many copies of each card may be somewhere, by card.
pub type Copies = [usize; CARD_LIMIT];
/// The cards of each effective suit, high to low.
pub type Suits = [Vec<Card>; 5];

/// Returns by card how many copies are not among cards.
pub fn rest(variant: &Variant, cards: &[Card]) -> Copies {
    let mut out = variant.copies;
    for card in cards {
        remove(&mut out, *card);
    }
    out
}

/// Takes one copy of a card away, if there is one.
pub fn remove(out: &mut Copies, card: Card) {
    let copies = &mut out[card as usize];
    *copies = copies.saturating_sub(1);
}

/// Returns how many cards of out are higher than card in its suit.
pub fn above(order: &Order, out: &Copies, card: Card) -> usize {
    let suit = &order.by_suit[order.suit(card) as usize];
    let higher = suit
        .iter()
        .take_while(|other| order.height(**other) > order.height(card));
    higher.map(|other| out[*other as usize]).sum()
}

/// Returns how many cards of out are of an effective suit.
pub fn of_suit(order: &Order, out: &Copies, suit: Suit) -> usize {
    order.by_suit[suit as usize]
        .iter()
        .map(|card| out[*card as usize])
        .sum()
}

/// Returns the suit of trumps, 0 if there is none.
pub fn trump_suit(strain: Strain) -> Suit {
    if strain >= NO_TRUMP { 0 } else { strain }
}

/// Returns the cards of each effective suit, high to low.
pub fn suit_cards(order: &Order, cards: &[Card]) -> Suits {
    let mut suits = Suits::default();
    for card in cards {
        suits[order.suit(*card) as usize].push(*card);
    }
    for held in &mut suits {
        held.sort_by_key(|card| -order.height(*card));
    }
    suits
}

/// Returns the first of the items with the greatest value.
pub fn best_of<T>(items: impl IntoIterator<Item = T>, value: impl Fn(&T) -> f64) -> Option<T> {
    let mut best: Option<(f64, T)> = None;
    for item in items {
        let worth = value(&item);
        if best.as_ref().is_none_or(|(greatest, _)| worth > *greatest) {
            best = Some((worth, item));
        }
    }
    best.map(|(_, item)| item)
}

/// Tells whether a maker has one silent ally.
pub fn has_silent_ally(variant: &Variant) -> bool {
    variant.alliance() == Alliance::SilentAlly
}

fn power(base: f64, exponent: usize) -> f64 {
    base.powi(exponent as i32)
}

/// Counts hands of one variant.
pub struct Estimator<'a> {
    variant: &'a Variant,
    /// Cards of a hand.
    pub hand: f64,
    /// Seats of the table, less one.
    others: f64,
    /// The chance that a hidden card is in no other hand.
    unheld: f64,
    /// The chance that a hidden card is not in one given hand.
    unheld_by: f64,
}

impl<'a> Estimator<'a> {
    pub fn new(variant: &'a Variant) -> Self {
        let (hand, others) = (f64::from(variant.hand_size), f64::from(variant.seats) - 1.0);
        let hidden = (variant.deck_size as f64 - hand).max(1.0);
        Self {
            variant,
            hand,
            others,
            unheld: 1.0 - (others * hand / hidden).min(1.0),
            unheld_by: 1.0 - (hand / hidden).min(1.0),
        }
    }

    /// Returns the chance that none of so many hidden cards is in another hand.
    fn unbeaten(&self, hidden: usize) -> f64 {
        power(self.unheld, hidden)
    }

    /// Returns the chance that the opponents can follow to a suit of which so many cards are hidden.
    fn followed(&self, hidden: usize) -> f64 {
        (1.0 - power(self.unheld_by, hidden)).powf((self.others - 1.0).max(0.0))
    }

    /// Returns what a trump adds to a count when so many higher ones are out.
    pub fn trump_worth(&self, higher: usize) -> f64 {
        0.35 + 0.05 * self.unbeaten(higher) + 0.55 * power(0.5, higher)
    }

    /// Returns the count of a hand, about a trick a unit.
    pub fn count(&self, strain: Strain, cards: &[Card]) -> f64 {
        let (order, out) = (self.variant.order(strain), rest(self.variant, cards));
        let (suits, trump) = (suit_cards(order, cards), trump_suit(strain));
        if trump == 0 {
            return self.count_no_trump(order, &out, &suits);
        }
        let trumps = &suits[trump as usize];
        let mut total: f64 = trumps
            .iter()
            .map(|card| self.trump_worth(above(order, &out, *card)))
            .sum();
        let mut spare = trumps.len();
        for suit in SUITS.filter(|suit| *suit != trump && !order.by_suit[*suit as usize].is_empty()) {
            let held = &suits[suit as usize];
            if held.is_empty() {
                if spare > 0 {
                    spare -= 1;
                    total += 0.3;
                }
                continue;
            }
            let followed = self.followed(of_suit(order, &out, suit));
            for (card, worth) in held.iter().zip([0.9, 0.4]) {
                total += worth * self.unbeaten(above(order, &out, *card)) * followed;
            }
        }
        total
    }

    fn count_no_trump(&self, order: &Order, out: &Copies, suits: &Suits) -> f64 {
        let mut total = 0.0;
        for suit in SUITS {
            let held = &suits[suit as usize];
            let each = of_suit(order, out, suit) as f64 / self.others.max(1.0);
            total += 0.3 * (held.len() as f64 - each).max(0.0);
            for card in held {
                total += self.unbeaten(above(order, out, *card));
            }
        }
        total
    }

    /// Returns how likely a hand is to be made to take a trick without trumps; lower is safer.
    pub fn danger(&self, cards: &[Card]) -> f64 {
        let (order, out) = (self.variant.order(NO_TRUMP), rest(self.variant, cards));
        let mut total = 0.0;
        for held in suit_cards(order, cards) {
            for (place, card) in held.iter().rev().enumerate() {
                let below = of_suit(order, &out, order.suit(*card)) - above(order, &out, *card);
                total += below.saturating_sub(place) as f64 / (1 + place) as f64;
            }
        }
        total
    }

    /// Returns how many seats play with a maker.
    fn partners(&self) -> usize {
        if has_silent_ally(self.variant) {
            1
        } else {
            self.variant.partners(0).len()
        }
    }

    fn widow_tricks(&self) -> f64 {
        if self.variant.has_phase(PhaseKind::Widow) {
            PER_WIDOW_CARD * f64::from(self.variant.widow)
        } else {
            0.0
        }
    }

    /// Returns the tricks that a maker whose hand counts so much takes with the partners he has; like those of a loner
    /// without an upper limit, which makes them comparable.
    pub fn together(&self, count: f64) -> f64 {
        let own = count * (1.0 + PER_HAND_CARD * (self.hand - 5.0));
        let share = self.partners() as f64 / self.others.max(1.0);
        own + (self.hand - own) * share + self.widow_tricks()
    }

    /// Returns the tricks that he takes without them, receiving so many cards.
    pub fn alone(&self, count: f64, received: u32) -> f64 {
        let has_partners = self.variant.has_fixed_sides() && !self.variant.partners(0).is_empty();
        let factor = if has_partners { LONE_FACTOR } else { 1.0 };
        let beyond = LONE_PER_HAND_CARD * (self.hand - 5.0);
        count * factor + beyond + PER_RECEIVED * f64::from(received) + self.widow_tricks()
    }

    /// Returns the hand that counts most after one card is laid aside, and that card.
    pub fn best_discard(&self, strain: Strain, cards: &[Card]) -> (Vec<Card>, Card) {
        let values = self.values(strain, cards);
        let (mut best, mut best_count) = (cards[0], f64::NEG_INFINITY);
        for card in cards {
            let count = self.count(strain, &without(cards, &[*card]));
            let is_worth_less = values[*card as usize] < values[best as usize];
            if count > best_count + 1e-9 || (count > best_count - 1e-9 && is_worth_less) {
                (best, best_count) = (*card, count);
            }
        }
        (without(cards, &[best]), best)
    }

    /// Returns by card what each is worth keeping: trumps by height, then winners, then cards of long suits, voids made
    /// first.
    fn values(&self, strain: Strain, cards: &[Card]) -> [f64; CARD_LIMIT] {
        let (order, out) = (self.variant.order(strain), rest(self.variant, cards));
        let (suits, trump) = (suit_cards(order, cards), trump_suit(strain));
        let mut values = [0.0; CARD_LIMIT];
        for card in cards {
            let height = f64::from(order.height(*card));
            values[*card as usize] = if order.is_trump(*card) {
                100.0 + height
            } else {
                let higher = above(order, &out, *card);
                let length = suits[order.suit(*card) as usize].len();
                let value = 40.0 * power(0.45, higher) + height / 10.0;
                let half = length as f64 / 2.0;
                let singleton = if length == 1 && higher > 0 { 3.0 } else { 0.0 };
                if trump == 0 {
                    value + half
                } else {
                    value - half - singleton
                }
            };
        }
        values
    }

    /// Returns the cards from the best to keep to the first to go, and by card what they are worth.
    pub fn keep_order(&self, strain: Strain, cards: &[Card]) -> (Vec<Card>, [f64; CARD_LIMIT]) {
        let values = self.values(strain, cards);
        let mut sorted = cards.to_vec();
        sorted.sort_by(|a, b| values[*b as usize].total_cmp(&values[*a as usize]));
        (sorted, values)
    }

    /// Returns the suit among strains in which a hand counts most.
    pub fn best_suit(&self, strains: &[Strain], cards: &[Card]) -> Option<Strain> {
        let suits = strains.iter().copied().filter(|strain| trump_suit(*strain) != 0);
        best_of(suits, |strain| self.count(*strain, cards))
    }
}
