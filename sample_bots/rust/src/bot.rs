//! What a bot is asked, and what it answers.

use std::ops::Deref;

use crate::cards::Card;
use crate::variant::Variant;
use crate::wire::{self, Action, ActionKind, DecisionRequest, Notice, PhaseKind};

/// What a bot says of itself.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// Name for logs; `EUCHRE_NAME` overrides it.
    pub name: String,
    /// Version of the bot, for the record.
    pub version: String,
    /// Tables it takes at once; zero: no limit of its own.
    pub tables: u32,
    /// The presets it plays; empty: all.
    pub variants: Vec<String>,
}

/// One question to one seat: the request (its fields are this one's too), and the variant it is asked in.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    request: &'a DecisionRequest,
    /// The variant.
    pub variant: &'a Variant,
    seed: u64,
}

impl Deref for Question<'_> {
    type Target = DecisionRequest;

    fn deref(&self) -> &DecisionRequest {
        self.request
    }
}

impl<'a> Question<'a> {
    /// Returns a question as the client asks it; the seed is that of [`Question::chance`].
    pub fn new(request: &'a DecisionRequest, variant: &'a Variant, seed: u64) -> Self {
        Self { request, variant, seed }
    }

    /// Returns a source of chance that follows from `EUCHRE_SEED` and from what the seat knows, and from nothing else: the
    /// same question gets the same answer, whatever else the bot plays at the same time.
    pub fn chance(&self) -> Chance {
        let facts = [
            self.hand,
            self.seat,
            self.dealer,
            self.phase as u32,
            self.history.len() as u32,
        ];
        let mut key = self.seed;
        for fact in facts.into_iter().chain(self.cards.iter().map(|card| *card as u32)) {
            key = Chance(key ^ u64::from(fact)).number();
        }
        Chance(key)
    }

    /// Returns the index of the first option of a kind.
    pub fn find(&self, kind: ActionKind) -> Option<usize> {
        self.options.iter().position(|option| option.kind() == kind)
    }

    /// Returns the index of the first option of a kind that names a card.
    pub fn find_card(&self, kind: ActionKind, card: Card) -> Option<usize> {
        self.options
            .iter()
            .position(|option| option.kind() == kind && option.cards.first() == Some(&card))
    }
}

/// A source of chance (SplitMix64), see [`Question::chance`].
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// Returns a source whose numbers follow from the seed alone.
    pub fn from_seed(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns any number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0, less than limit, which is at least 1.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.number()) * limit as u128) >> 64) as usize
    }
}

/// The index of an option, or an action spelled out.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The option of this index.
    Option(usize),
    /// This action.
    Action(Action),
}

impl Answer {
    /// Answers with the option of an index, or with the default, option 0, where a search found nothing.
    pub fn option(index: impl Into<Option<usize>>) -> Self {
        Self::Option(index.into().unwrap_or(0))
    }

    /// Answers a choice of cards: an action of its kind with these cards.
    pub fn cards(choice: &wire::CardChoice, cards: &[Card]) -> Self {
        Self::Action(Action {
            kind: choice.kind,
            cards: cards.to_vec(),
            ..Action::default()
        })
    }

    /// Returns what this answer to a question does; nothing if there is no such option.
    pub fn action<'a>(&'a self, q: &'a Question) -> Option<&'a Action> {
        match self {
            Self::Option(index) => q.options.get(*index),
            Self::Action(action) => Some(action),
        }
    }

    /// Returns the reply to a question. Panics if there is no such option.
    pub(crate) fn reply(self, q: &Question) -> wire::Reply {
        let choice = match self {
            Self::Option(index) => {
                let number = q.options.len();
                assert!(index < number, "option {index} was chosen; there are {number}, from 0");
                wire::reply::Choice::Option(index as u32)
            }
            Self::Action(action) => wire::reply::Choice::Action(action),
        };
        wire::Reply {
            decision_id: q.decision_id,
            choice: Some(choice),
            ..wire::Reply::default()
        }
    }
}

/// Answers questions, one method for each kind. A method that is left out answers with the default of the rules.
///
/// Methods are called one after the other, on a thread of their own.
#[allow(unused_variables)]
pub trait Bot: Send + 'static {
    /// NO_CLAIM or CLAIM_REDEAL; by default no claim.
    fn redeal_claim(&mut self, q: &Question) -> Answer {
        Answer::Option(0)
    }

    /// NAME_BLIND by suit, without having seen the hand; by default the first suit.
    fn blind_naming(&mut self, q: &Question) -> Answer {
        Answer::Option(0)
    }

    /// PASS, ORDER_UP, TAKE_UP, TURN_DOWN, NAME, and their forms alone; by default a pass.
    fn upcard_auction(&mut self, q: &Question) -> Answer {
        Answer::Option(0)
    }

    /// LEAVE_UPCARD or TAKE_UPCARD; or DISCARD one card. By default it stays, or the lowest card goes.
    fn pick_up(&mut self, q: &Question) -> Answer {
        Answer::Option(0)
    }

    /// NOT_ALONE or ALONE; by default not.
    fn going_alone(&mut self, q: &Question) -> Answer {
        Answer::Option(0)
    }

    /// ASK, OFFER, CALL_BEST, SWAP, GIVE and their refusals; by default a refusal, or what comes first.
    fn exchange(&mut self, q: &Question) -> Answer {
        Answer::Option(0)
    }

    /// PASS, or BID; by default a pass, or the lowest bid.
    fn bid_auction(&mut self, q: &Question) -> Answer {
        Answer::Option(0)
    }

    /// CHOOSE a strain; by default the first.
    fn strain_choice(&mut self, q: &Question) -> Answer {
        Answer::Option(0)
    }

    /// LEAVE_WIDOW or TAKE_WIDOW; by default what comes first.
    fn widow(&mut self, q: &Question) -> Answer {
        Answer::Option(0)
    }

    /// DISCARD as many cards as the widow had; by default the lowest.
    fn widow_discard(&mut self, q: &Question) -> Answer {
        Answer::Option(0)
    }

    /// KEEP_HAND or TAKE_HAND; by default the hand is kept.
    fn hand_swap(&mut self, q: &Question) -> Answer {
        Answer::Option(0)
    }

    /// KEEP_UPCARD or TAKE_AND_SHOW a discard; by default the upcard is kept.
    fn dealer_makes(&mut self, q: &Question) -> Answer {
        Answer::Option(0)
    }

    /// NO_SWAP or SWAP_KITTY some cards; by default no swap.
    fn kitty_swap(&mut self, q: &Question) -> Answer {
        Answer::Option(0)
    }

    /// STAY or DROP; by default it stays.
    fn drop_out(&mut self, q: &Question) -> Answer {
        Answer::Option(0)
    }

    /// CALL_SUIT or CALL_CARD; by default what comes first.
    fn ally_call(&mut self, q: &Question) -> Answer {
        Answer::Option(0)
    }

    /// PLAY a card; by default the lowest.
    fn play(&mut self, q: &Question) -> Answer {
        Answer::Option(0)
    }

    /// Hears how hands and games begin and end; called between questions.
    fn notice(&mut self, notice: &Notice) {}
}

/// Returns the answer of the method for the phase asked; the default in a phase this kit does not know.
pub fn decide(bot: &mut dyn Bot, q: &Question) -> Answer {
    match q.phase() {
        PhaseKind::RedealClaim => bot.redeal_claim(q),
        PhaseKind::BlindNaming => bot.blind_naming(q),
        PhaseKind::UpcardAuction => bot.upcard_auction(q),
        PhaseKind::PickUp => bot.pick_up(q),
        PhaseKind::GoingAlone => bot.going_alone(q),
        PhaseKind::Exchange => bot.exchange(q),
        PhaseKind::BidAuction => bot.bid_auction(q),
        PhaseKind::StrainChoice => bot.strain_choice(q),
        PhaseKind::Widow => bot.widow(q),
        PhaseKind::WidowDiscard => bot.widow_discard(q),
        PhaseKind::HandSwap => bot.hand_swap(q),
        PhaseKind::DealerMakes => bot.dealer_makes(q),
        PhaseKind::KittySwap => bot.kitty_swap(q),
        PhaseKind::DropOut => bot.drop_out(q),
        PhaseKind::AllyCall => bot.ally_call(q),
        PhaseKind::Play => bot.play(q),
        PhaseKind::Unspecified | PhaseKind::ForcedClubs => Answer::Option(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_question_gets_the_same_chance() {
        let variant = Variant::new(wire::Variant {
            seats: 4,
            ..wire::Variant::default()
        });
        let asked = DecisionRequest {
            decision_id: 1,
            cards: vec![5, 6],
            ..DecisionRequest::default()
        };
        let again = DecisionRequest {
            decision_id: 2,
            table_id: 9,
            ..asked.clone()
        };
        let other = DecisionRequest {
            cards: vec![5, 7],
            ..asked.clone()
        };
        let number = |request, seed| Question::new(request, &variant, seed).chance().number();
        assert_eq!(number(&asked, 5), number(&again, 5));
        assert_ne!(number(&asked, 5), number(&other, 5));
        assert_ne!(number(&asked, 5), number(&asked, 6));
    }

    #[test]
    fn chance_reaches_every_number_below_a_limit() {
        let mut chance = Chance(1);
        let mut seen = [0; 5];
        for _ in 0..1000 {
            seen[chance.below(5)] += 1;
        }
        assert!(seen.iter().all(|times| (150..250).contains(times)), "{seen:?}");
    }
}
