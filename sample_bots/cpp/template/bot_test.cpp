#include <gtest/gtest.h>

#include "my_bot.hpp"

// A question can be written down by hand: here the bot leads, and its last card is the ace.
TEST(MyBot, LeadsItsHighestCard) {
    pb::DecisionRequest request;
    request.set_phase(pb::PHASE_KIND_PLAY);
    for (const kit::Card card : kit::parseCards("9S TS AS")) {
        request.add_cards(card);
        pb::Action& option = *request.add_options();
        option.set_kind(kit::PLAY);
        option.add_cards(card);
    }
    pb::Variant description;
    description.set_seats(4);
    const kit::Variant variant(description);

    MyBot bot;
    const kit::Question question(request, variant);
    const kit::Answer answer = kit::decide(bot, question);
    EXPECT_EQ(kit::cardName(answer.does(question).cards(0)), "AS");
}
