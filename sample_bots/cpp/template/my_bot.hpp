// A Euchre bot. Fill in the methods below; what you leave out plays the default of the rules.
#pragma once

#include "kit/bot.hpp"

/// It has a method for each kind of question; kit::Bot lists them all, with what can be answered.
class MyBot : public kit::Bot {
  public:
    /// Answers PASS, ORDER_UP, TAKE_UP, TURN_DOWN, NAME, and their forms alone.
    ///
    /// As an example: it accepts the upcard's suit with three trumps, counted as if it were trump.
    kit::Answer upcardAuction(const kit::Question& q) override {
        const kit::Suit turned = kit::printedSuit(q.request().upcard());
        const kit::Order& order = q.variant().order(kit::strainOf(turned));
        int trumps = 0;
        for (const kit::Card card : q.cards()) {
            trumps += order.isTrump(card) ? 1 : 0;
        }
        if (trumps >= 3) {
            for (const auto kind : {kit::ORDER_UP, kit::TAKE_UP}) {
                if (const auto option = q.find(kind)) {
                    return kit::Answer::option(option);
                }
            }
        }
        return kit::Answer::option(0);
    }

    /// Answers PASS or BID; q.variant().rung tells what a bid undertakes.
    kit::Answer bidAuction(const kit::Question&) override { return kit::Answer::option(0); }

    /// Answers TAKE_UPCARD or LEAVE_UPCARD, or DISCARD of one card.
    kit::Answer pickUp(const kit::Question&) override { return kit::Answer::option(0); }

    /// A choice of cards: any `minimum` of them, here the lowest.
    kit::Answer widowDiscard(const kit::Question& q) override {
        if (!q.request().has_choice()) {
            return kit::Answer::option(0);
        }
        const auto& choice = q.request().choice();
        kit::Cards cards = kit::asCards(choice.cards());
        cards.resize(choice.minimum());
        return kit::Answer::cards(choice.kind(), cards);
    }

    /// Answers PLAY with a card. Options are the lawful cards, the lowest first.
    ///
    /// As an example: it leads its highest card, and otherwise plays the lowest.
    kit::Answer play(const kit::Question& q) override {
        return kit::Answer::option(q.request().trick().empty() ? q.optionCount() - 1 : 0);
    }
};
