//! The cards to the tricks.

use std::collections::HashMap;

use euchre_kit::cards::{SUITS, printed_suit};
use euchre_kit::wire::Alliance;
use euchre_kit::{ActionKind, Card, Order, Question};

use crate::estimate::{
    Copies, Estimator, above, best_of, has_silent_ally, of_suit, remove, rest, suit_cards, trump_suit,
};

/// With so many trumps the makers lead them even without the highest.
const TRUMPS_TO_DRAW: usize = 3;
/// So many higher cards of its suit may be out against a card that is led as a winner.
const BEATERS_BORNE: usize = 1;
/// With so many cards out against a partner's winner, one that cannot follow trumps it.
const BEATERS_FEARED: usize = 2;
/// A higher card out weighs more than any length.
const PER_BEATER: f64 = 20.0;

/// Returns the card to play.
pub fn card(q: &Question) -> Option<Card> {
    if q.strain == 0 {
        return lead_to_make_trump(q);
    }
    let position = Position::new(q);
    if q.trick.is_empty() {
        position.lead()
    } else {
        position.follow()
    }
}

/// Returns the best card of the suit that is best as trumps (NAP-TRUMP-1).
fn lead_to_make_trump(q: &Question) -> Option<Card> {
    let is_held = |strain: &i32| q.cards.iter().any(|card| printed_suit(*card) == *strain);
    let strains: Vec<_> = q.variant.strains.iter().copied().filter(is_held).collect();
    let Some(strain) = Estimator::new(q.variant).best_suit(&strains, &q.cards) else {
        return q.cards.first().copied();
    };
    let order = q.variant.order(strain);
    best_of(q.cards.iter().copied(), |card| f64::from(order.height(*card)))
}

/// Returns by card how many copies may be in other hands: all but the own cards and those known to be gone.
pub fn unseen(q: &Question) -> Copies {
    let mut out = rest(q.variant, &q.cards);
    let mut upcard_is_gone = false;
    for event in &q.history {
        let Some(action) = &event.action else { continue };
        let is_gone = match action.kind() {
            ActionKind::Play | ActionKind::TakeAndShow => true,
            ActionKind::Discard
            | ActionKind::Accept
            | ActionKind::CallBest
            | ActionKind::Swap
            | ActionKind::SwapKitty => event.seat == q.seat,
            ActionKind::TurnDown | ActionKind::LeaveUpcard | ActionKind::KeepUpcard => {
                upcard_is_gone = true;
                false
            }
            _ => false,
        };
        if is_gone {
            for card in &action.cards {
                remove(&mut out, *card);
            }
        }
    }
    if upcard_is_gone {
        remove(&mut out, q.upcard);
    }
    out
}

/// A question about a card to play, with what is known of the others.
struct Position<'a> {
    q: &'a Question<'a>,
    order: &'a Order,
    /// Copies that may be in other hands.
    out: Copies,
    /// By seat a number that is equal for seats that play together, as far as is known.
    teams: Vec<usize>,
    /// Who undertakes to take no trick.
    avoids: Option<u32>,
}

impl<'a> Position<'a> {
    fn new(q: &'a Question<'a>) -> Self {
        let avoids = q.bid.as_ref().is_some_and(|bid| q.variant.rung(bid).is_misere());
        let mut position = Self {
            q,
            order: q.variant.order(q.strain),
            out: unseen(q),
            teams: Vec::new(),
            avoids: if avoids { q.maker } else { None },
        };
        position.teams = position.seen_teams();
        position
    }

    fn are_friends(&self, seat: u32, other: u32) -> bool {
        self.teams[seat as usize] == self.teams[other as usize]
    }

    fn seen_teams(&self) -> Vec<usize> {
        let variant = self.q.variant;
        if variant.has_fixed_sides() {
            return (0..variant.seats).map(|seat| variant.side_of(seat)).collect();
        }
        let everybody_for_himself = (0..variant.seats as usize).collect();
        let Some(maker) = self.q.maker.filter(|_| variant.alliance() != Alliance::None) else {
            return everybody_for_himself;
        };
        let ally = self.known_ally(maker);
        if has_silent_ally(variant) && ally.is_none() && self.q.seat == maker {
            return everybody_for_himself; // one of them is a friend, nobody says who
        }
        (0..variant.seats)
            .map(|seat| usize::from(seat != maker && Some(seat) != ally))
            .collect()
    }

    /// Returns the maker's ally if this seat holds, or somebody has played, what was called.
    fn known_ally(&self, maker: u32) -> Option<u32> {
        let mut called: &[Card] = &[]; // one of these, the first that is in play
        let mut holder = HashMap::new();
        for event in &self.q.history {
            let Some(action) = &event.action else { continue };
            match action.kind() {
                ActionKind::CallCard => called = &action.cards,
                ActionKind::CallSuit => called = &self.order.by_suit[action.strain as usize],
                ActionKind::Play => holder.extend(action.cards.iter().map(|card| (*card, event.seat))),
                _ => {}
            }
        }
        holder.extend(self.q.cards.iter().map(|card| (*card, self.q.seat)));
        let found = called
            .iter()
            .find(|card| holder.contains_key(*card) || self.out[**card as usize] > 0)?;
        holder.get(found).copied().filter(|seat| *seat != maker)
    }

    /// Returns how many cards are out that are higher in the card's suit.
    fn above(&self, card: Card) -> usize {
        above(self.order, &self.out, card)
    }

    /// Returns the card to lead: trumps from the top for the makers, likely winners, else the lowest.
    fn lead(&self) -> Option<Card> {
        let (hand, trump) = (&self.q.cards, trump_suit(self.q.strain));
        let lowest = hand.first().copied();
        if self.avoids.is_some() {
            return lowest;
        }
        let mut suits = suit_cards(self.order, hand);
        let trumps = std::mem::take(&mut suits[trump as usize]);
        let trumps_out = of_suit(self.order, &self.out, trump);
        let is_maker = self.q.maker.is_some_and(|maker| self.are_friends(self.q.seat, maker));
        let highest = trumps.first().copied();
        let is_highest = highest.is_some_and(|card| self.above(card) == 0);
        if is_maker && trumps_out > 0 && is_highest {
            return highest;
        }
        let likely = SUITS.filter_map(|suit| suits[suit as usize].first().map(|card| (suit, *card)));
        let likely = likely.filter(|(_, card)| self.above(*card) <= BEATERS_BORNE);
        let merit = |suit, card| of_suit(self.order, &self.out, suit) as f64 - PER_BEATER * self.above(card) as f64;
        if let Some((_, card)) = best_of(likely, |(suit, card)| merit(*suit, *card)) {
            return Some(card);
        }
        let may_draw = is_maker && trumps_out > 0 && trumps.len() >= TRUMPS_TO_DRAW;
        if trumps.len() == hand.len() || may_draw {
            return if is_maker || is_highest {
                highest
            } else {
                trumps.last().copied()
            };
        }
        if trumps_out == 0 { highest.or(lowest) } else { lowest }
    }

    /// Returns the card to a trick that has begun. Lists of cards are low to high.
    fn follow(&self) -> Option<Card> {
        let (variant, order, me) = (self.q.variant, self.order, self.q.seat);
        let trick: Vec<Card> = self.q.trick.iter().map(|played| played.card).collect();
        let at = variant.winner(order, &trick)?;
        let (led, best, holder) = (order.suit(trick[0]), trick[at], self.q.trick[at].seat);
        let legal = order.follows(led, &self.q.cards);
        let beats = |card: &Card| variant.beats(order, led, *card, best);
        let (winners, losers): (Vec<Card>, Vec<Card>) = legal.iter().partition(|card| beats(card));
        let pending = self.q.active.len().saturating_sub(trick.len()); // this seat included
        let is_last = pending == 1;
        if let Some(avoids) = self.avoids {
            return self.follow_under(avoids, &legal, &winners, &losers, holder, is_last);
        }
        let (lowest, cheapest) = (legal.first().copied(), winners.first().copied());
        let Some(top) = winners.last().copied() else {
            return lowest;
        };
        let holds = self.are_friends(holder, me);
        if is_last {
            return if holds { lowest } else { cheapest };
        }
        let follows = order.suit(top) == led;
        let top_holds = follows && self.above(top) == 0;
        if holds {
            // Cards of the suit led that may yet beat the best.
            let threats: usize = order.by_suit[led as usize]
                .iter()
                .filter(|card| beats(card))
                .map(|card| self.out[*card as usize])
                .sum();
            return if follows && threats > 0 && top_holds {
                Some(top)
            } else if !follows && threats >= BEATERS_FEARED && !order.is_trump(best) {
                cheapest
            } else {
                lowest
            };
        }
        if follows && (pending == 2 || top_holds) {
            Some(top)
        } else {
            cheapest
        }
    }

    /// Returns the card in a hand in which one seat undertakes to take no trick.
    fn follow_under(
        &self,
        avoids: u32,
        legal: &[Card],
        winners: &[Card],
        losers: &[Card],
        holder: u32,
        is_last: bool,
    ) -> Option<Card> {
        let highest_loser = losers.last().copied();
        if self.q.seat == avoids {
            let winner = if is_last { winners.last() } else { winners.first() };
            return highest_loser.or(winner.copied());
        }
        let lowest = legal.first().copied();
        if holder == avoids {
            highest_loser.or(lowest)
        } else {
            lowest
        }
    }
}
