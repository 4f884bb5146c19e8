//! A variant as the referee describes it, and tables made from that.

use std::collections::{HashMap, HashSet};
use std::ops::Deref;

use crate::cards::{CARD_LIMIT, Card, NO_TRUMP_LOW, SUITS, Strain, Suit, printed_suit, rank_of};
use crate::wire::{self, Alliance, BidName, PhaseKind};

/// Added to the height of a trump, so that it is above every other card.
const TRUMP_BONUS: i32 = 100;

/// The order of the cards under one strain. Its tables are indexed by card.
#[derive(Clone, Debug)]
pub struct Order {
    /// What is played; 0 while none is fixed.
    pub strain: Strain,
    /// The suit of a card for every purpose of play: bowers and jokers are trumps. 0: none.
    pub effective: [Suit; CARD_LIMIT],
    /// How high a card is in its suit, 1 the lowest; cards of equal rank have equal heights. Trumps have 100 more.
    pub height: [i32; CARD_LIMIT],
    /// How high a card is among all cards (SRV-LOW-1): trumps by height, above plain cards, which count by rank.
    pub level: [i32; CARD_LIMIT],
    /// The cards of each effective suit, high to low, each once.
    pub by_suit: [Vec<Card>; 5],
}

impl Order {
    fn empty(strain: Strain) -> Self {
        Self {
            strain,
            effective: [0; CARD_LIMIT],
            height: [0; CARD_LIMIT],
            level: [0; CARD_LIMIT],
            by_suit: Default::default(),
        }
    }

    /// The order of printed suits, while no strain is fixed.
    fn unfixed(copies: &[usize; CARD_LIMIT]) -> Self {
        let mut order = Self::empty(0);
        for suit in SUITS {
            let first = 13 * (suit - 1) + 1;
            let cards: Vec<Card> = (first..first + 13)
                .rev()
                .filter(|card| copies[*card as usize] > 0)
                .collect();
            for (place, card) in cards.iter().enumerate() {
                order.effective[*card as usize] = suit;
                order.height[*card as usize] = (cards.len() - place) as i32;
            }
            order.by_suit[suit as usize] = cards;
        }
        order.make_levels();
        order
    }

    fn told(told: &wire::StrainOrder) -> Self {
        let mut order = Self::empty(told.strain);
        for suit in &told.suits {
            let bonus = if suit.suit == told.strain { TRUMP_BONUS } else { 0 };
            for (card, rank) in suit.cards.iter().zip(&suit.ranks) {
                order.effective[*card as usize] = suit.suit;
                order.height[*card as usize] = suit.cards.len() as i32 - *rank as i32 + bonus;
            }
            order.by_suit[suit.suit as usize] = suit.cards.clone();
        }
        order.make_levels();
        order
    }

    /// Fills `level`. A suit that lacks a card (the jack that is a bower) says less of the ranks above it than others, so
    /// the greatest height that cards of a rank have in plain suits counts.
    fn make_levels(&mut self) {
        let mut ranks = [0; 13];
        for suit in SUITS.filter(|suit| *suit != self.strain) {
            for card in self.by_suit[suit as usize]
                .iter()
                .filter(|card| printed_suit(**card) != 0)
            {
                let height = &mut ranks[rank_of(*card)];
                *height = self.height[*card as usize].max(*height);
            }
        }
        for card in 1..CARD_LIMIT as Card {
            self.level[card as usize] = if self.is_trump(card) {
                self.height[card as usize]
            } else if printed_suit(card) == 0 {
                // While no strain is fixed the jokers alone count as trumps.
                2 * TRUMP_BONUS - card
            } else {
                ranks[rank_of(card)]
            };
        }
    }

    /// Returns the suit of a card for every purpose of play.
    pub fn suit(&self, card: Card) -> Suit {
        self.effective[card as usize]
    }

    /// Returns how high a card is in its suit.
    pub fn height(&self, card: Card) -> i32 {
        self.height[card as usize]
    }

    /// Tells whether a card is a trump.
    pub fn is_trump(&self, card: Card) -> bool {
        self.height(card) > TRUMP_BONUS
    }

    /// Returns how strong a card is in a trick to which suit led was led; the greatest wins, 0 cannot win.
    pub fn strength(&self, led: Suit, card: Card) -> i32 {
        if self.is_trump(card) || self.suit(card) == led {
            self.height(card)
        } else {
            0
        }
    }

    /// Returns the cards of a hand that may be played to a suit led: those that follow, or all if none does.
    pub fn follows(&self, led: Suit, cards: &[Card]) -> Vec<Card> {
        let following: Vec<Card> = cards.iter().copied().filter(|card| self.suit(*card) == led).collect();
        if following.is_empty() {
            cards.to_vec()
        } else {
            following
        }
    }

    /// Returns the cards from the lowest to the highest (SRV-LOW-1), the order of `DecisionRequest.cards`.
    pub fn low_to_high(&self, cards: &[Card]) -> Vec<Card> {
        let mut sorted = cards.to_vec();
        sorted.sort_by_key(|card| (self.level[*card as usize], self.suit(*card), *card));
        sorted
    }
}

/// One bid of the ladder.
#[derive(Clone, Debug)]
pub struct Rung {
    /// Which bid.
    pub name: BidName,
    /// The number said with it; zero for the others.
    pub number: u32,
    /// A bid outbids every bid of lower rank.
    pub rank: i32,
    /// Tricks undertaken.
    pub tricks: u32,
    /// Value where the bid has one of its own; zero where tricks are counted.
    pub value: u32,
    /// Played without partners.
    pub alone: bool,
    /// What it can be bid or played in.
    pub strains: Vec<Strain>,
}

impl Rung {
    /// Tells whether the bid undertakes to take no trick.
    pub fn is_misere(&self) -> bool {
        self.name == BidName::Misere
    }
}

/// Everything about one variant: what the referee said (its fields are this one's too), and tables made from it.
#[derive(Clone, Debug)]
pub struct Variant {
    message: wire::Variant,
    /// How often the deck has a card, by card.
    pub copies: [usize; CARD_LIMIT],
    /// The cards of the deck with their copies.
    pub deck_size: usize,
    /// By strain.
    strain_orders: Vec<Order>,
    rungs: HashMap<(i32, u32), Rung>,
    side_of: Vec<usize>,
    option_values: HashMap<String, String>,
    asked: HashSet<i32>,
    later_wins: bool,
}

impl Deref for Variant {
    type Target = wire::Variant;

    fn deref(&self) -> &wire::Variant {
        &self.message
    }
}

impl Variant {
    /// Returns the tables of a description.
    pub fn new(message: wire::Variant) -> Self {
        let mut copies = [0; CARD_LIMIT];
        for entry in &message.deck {
            copies[entry.card as usize] = entry.copies as usize;
        }
        let mut side_of = vec![0; message.seats as usize];
        for (side, seats) in message.sides.iter().enumerate() {
            for seat in &seats.seats {
                side_of[*seat as usize] = side;
            }
        }
        let mut strain_orders = vec![Order::unfixed(&copies); NO_TRUMP_LOW as usize + 1];
        for told in &message.orders {
            strain_orders[told.strain as usize] = Order::told(told);
        }
        Self {
            deck_size: copies.iter().sum(),
            copies,
            strain_orders,
            rungs: message.bids.iter().filter_map(rung).collect(),
            side_of,
            option_values: message
                .options
                .iter()
                .map(|o| (o.name.clone(), o.value.clone()))
                .collect(),
            asked: message.phases.iter().copied().collect(),
            later_wins: message.duplicates == "later",
            message,
        }
    }

    /// Returns the order of the cards under a strain; 0 is that of printed suits, while none is fixed.
    pub fn order(&self, strain: Strain) -> &Order {
        &self.strain_orders[strain as usize]
    }

    /// Returns the value of an option, "" if the variant has no such option.
    pub fn option(&self, name: &str) -> &str {
        self.option_values.get(name).map_or("", String::as_str)
    }

    /// Tells whether a hand has a phase.
    pub fn has_phase(&self, phase: PhaseKind) -> bool {
        self.asked.contains(&i32::from(phase))
    }

    /// Returns what a bid undertakes. A forced bid may be below the least one of the ladder (HAS-AUC-2).
    pub fn rung(&self, bid: &wire::Bid) -> Rung {
        self.rungs
            .get(&(bid.name, bid.number))
            .cloned()
            .unwrap_or_else(|| Rung {
                name: bid.name(),
                number: bid.number,
                rank: -1,
                tricks: bid.number,
                value: 0,
                alone: false,
                strains: self.strains.clone(),
            })
    }

    /// Tells whether who plays with whom is the same in every hand.
    pub fn has_fixed_sides(&self) -> bool {
        self.alliance() == Alliance::Fixed
    }

    /// Returns the index into `sides` of a seat.
    pub fn side_of(&self, seat: u32) -> usize {
        self.side_of[seat as usize]
    }

    /// Returns the other seats of a fixed side; nobody where every seat is a side.
    pub fn partners(&self, seat: u32) -> Vec<u32> {
        (0..self.seats)
            .filter(|other| *other != seat && self.side_of(*other) == self.side_of(seat))
            .collect()
    }

    /// Tells whether card, played later, wins over best in a trick to which suit led was led.
    pub fn beats(&self, order: &Order, led: Suit, card: Card, best: Card) -> bool {
        let (later, earlier) = (order.strength(led, card), order.strength(led, best));
        later > earlier || (later == earlier && later > 0 && self.later_wins)
    }

    /// Returns the index of the card that wins a trick, nothing if it is empty.
    pub fn winner(&self, order: &Order, trick: &[Card]) -> Option<usize> {
        let led = order.suit(*trick.first()?);
        Some((1..trick.len()).fold(0, |best, at| {
            if self.beats(order, led, trick[at], trick[best]) {
                at
            } else {
                best
            }
        }))
    }
}

fn rung(told: &wire::BidRung) -> Option<((i32, u32), Rung)> {
    let bid = told.bid.as_ref()?;
    let rung = Rung {
        name: bid.name(),
        number: bid.number,
        rank: told.rank as i32,
        tricks: told.tricks,
        value: told.value,
        alone: told.alone,
        strains: told.strains.clone(),
    };
    Some(((bid.name, bid.number), rung))
}
