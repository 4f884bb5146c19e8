//! A Euchre bot. Fill in the methods below; what you leave out plays the default of the rules.

use std::process::ExitCode;

use euchre_kit::cards::printed_suit;
use euchre_kit::{About, ActionKind, Answer, Bot, Question, run};

/// Has a method for each kind of question; `euchre_kit::Bot` lists them all, with what can be answered.
struct MyBot;

impl Bot for MyBot {
    /// Answers PASS, ORDER_UP, TAKE_UP, TURN_DOWN, NAME, and their forms alone.
    ///
    /// As an example: it accepts the upcard's suit with three trumps, counted as if it were trump.
    fn upcard_auction(&mut self, q: &Question) -> Answer {
        let order = q.variant.order(printed_suit(q.upcard));
        let trumps = q.cards.iter().filter(|card| order.is_trump(**card)).count();
        let accepts = q.find(ActionKind::OrderUp).or_else(|| q.find(ActionKind::TakeUp));
        Answer::option(accepts.filter(|_| trumps >= 3))
    }

    /// Answers PASS or BID; `q.variant.rung(bid)` tells what a bid undertakes.
    fn bid_auction(&mut self, _q: &Question) -> Answer {
        Answer::Option(0)
    }

    /// Answers TAKE_UPCARD or LEAVE_UPCARD, or DISCARD of one card.
    fn pick_up(&mut self, _q: &Question) -> Answer {
        Answer::Option(0)
    }

    /// A choice of cards: any `minimum` of the cards, here the lowest.
    fn widow_discard(&mut self, q: &Question) -> Answer {
        match &q.choice {
            Some(choice) => Answer::cards(choice, &choice.cards[..choice.minimum as usize]),
            None => Answer::Option(0),
        }
    }

    /// Answers PLAY with a card. Options are the lawful cards, the lowest first.
    ///
    /// As an example: it leads its highest card, and otherwise plays the lowest.
    fn play(&mut self, q: &Question) -> Answer {
        if q.trick.is_empty() {
            Answer::option(q.options.len() - 1)
        } else {
            Answer::Option(0)
        }
    }
}

fn main() -> ExitCode {
    run(
        About {
            name: "template-bot".into(),
            version: "0.1.0".into(),
            ..About::default()
        },
        MyBot,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use euchre_kit::cards::parse_cards;
    use euchre_kit::wire::{self, Action, DecisionRequest};
    use euchre_kit::{PhaseKind, Variant, decide};

    /// A question can be written down by hand: here the bot leads, and its last card is the ace.
    #[test]
    fn it_leads_its_highest_card() {
        let cards = parse_cards("9S TS AS").unwrap();
        let play = |card: &i32| Action {
            kind: ActionKind::Play.into(),
            cards: vec![*card],
            ..Action::default()
        };
        let request = DecisionRequest {
            phase: PhaseKind::Play.into(),
            options: cards.iter().map(play).collect(),
            cards,
            ..DecisionRequest::default()
        };
        let variant = Variant::new(wire::Variant {
            seats: 4,
            ..wire::Variant::default()
        });
        let question = Question::new(&request, &variant, 1);
        let answer = decide(&mut MyBot, &question);
        assert_eq!(answer.action(&question).unwrap().cards, parse_cards("AS").unwrap());
    }
}
