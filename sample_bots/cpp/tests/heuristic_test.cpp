// The rules of docs/heuristic.md, by cases worked out by hand.
#include "heuristic/heuristic.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "descriptions.hpp"
#include "kit/bot.hpp"

namespace {

/// Returns what the bot does.
pb::Action answer(const kit::Variant& variant, const pb::DecisionRequest& request) {
    heuristic::HeuristicBot bot;
    const kit::Question question(request, variant);
    return kit::decide(bot, question).does(question);
}

std::string cardsIn(const pb::Action& action) { return kit::cardNames(kit::asCards(action.cards())); }

struct Call {
    const char* fact;
    const char* hand;
    std::uint32_t seat;
    kit::ActionKind said;
};

void PrintTo(const Call& call, std::ostream* out) { *out << call.fact; }

class UpcardAuction : public testing::TestWithParam<Call> {};

TEST_P(UpcardAuction, IsAnsweredByTheTricksExpected) {
    const Call& call = GetParam();
    auto request = ask(pb::PHASE_KIND_UPCARD_AUCTION, call.hand, call.seat);
    request.set_upcard(pb::CARD_9H);
    offer(request, {kit::PASS, kit::ORDER_UP, kit::ORDER_UP_ALONE});
    EXPECT_EQ(answer(describe("standard"), request).kind(), call.said) << call.fact;
}

INSTANTIATE_TEST_SUITE_P(
    Standard, UpcardAuction,
    testing::Values(Call{"a weak hand passes", "9S TS 9C QD KD", 1, kit::PASS},
                    Call{"three trumps with a bower order it up", "9S AC AH QH JD", 2, kit::ORDER_UP},
                    Call{"both bowers, ace and king go alone", "AS KH AH JD JH", 2, kit::ORDER_UP_ALONE}));

TEST(BidAuction, BidsHighOnceAndLowWhereTheAuctionGoesOn) {
    for (const auto& [preset, number] : {std::pair{"bid-euchre", 4U}, std::pair{"pepper", 1U}}) {
        const kit::Variant variant = describe(preset);
        auto request = ask(pb::PHASE_KIND_BID_AUCTION, "9S TC KH AH JD JH", 1);
        offer(request, {kit::PASS});
        for (const auto& rung : variant.message().bids()) {
            pb::Action& option = *request.add_options();
            option.set_kind(kit::BID);
            *option.mutable_bid() = rung.bid();
        }
        EXPECT_EQ(answer(variant, request).bid().number(), number) << preset;
    }
}

TEST(BidAuction, MakesTheCheapestBidWhereAPassIsNotAllowed) {
    const kit::Variant variant = describe("bid-later-24");
    auto request = ask(pb::PHASE_KIND_BID_AUCTION, "9S TS 9C QC 9D TD");
    for (int i = 0; i < 3; ++i) {
        request.add_history();
    }
    for (const auto& rung : variant.message().bids()) {
        pb::Action& option = *request.add_options();
        option.set_kind(kit::BID);
        *option.mutable_bid() = rung.bid();
    }
    EXPECT_EQ(answer(variant, request).bid().number(), variant.message().bids(0).bid().number());
}

TEST(ChoiceOfCards, GivesTheBestAndDiscardsTheWorst) {
    const kit::Variant variant = describe("bid-us-48-widow");
    auto request = ask(pb::PHASE_KIND_EXCHANGE, "9S TS 9C QC AC 9D TD KD AH JD JH");
    request.set_strain(pb::STRAIN_HEARTS);
    pb::CardChoice& choice = *request.mutable_choice();
    choice.set_kind(kit::GIVE);
    *choice.mutable_cards() = request.cards();
    choice.set_minimum(3);
    choice.set_maximum(3);
    EXPECT_EQ(cardsIn(answer(variant, request)), "JH JD AH");

    choice.set_kind(kit::DISCARD);
    request.set_phase(pb::PHASE_KIND_WIDOW_DISCARD);
    const pb::Action discard = answer(variant, request);
    EXPECT_EQ(discard.cards_size(), 3);
    for (const kit::Card card : kit::asCards(discard.cards())) {
        EXPECT_FALSE(variant.order(pb::STRAIN_HEARTS).isTrump(card)) << kit::cardName(card);
        EXPECT_NE(kit::cardName(card), "AC");
    }
}

TEST(PickUp, TheDealerDiscardsALoneLowCardAndKeepsTrumps) {
    auto request = ask(pb::PHASE_KIND_PICK_UP, "9C TD AD QS AS JS");
    request.set_strain(pb::STRAIN_SPADES);
    offerCards(request, kit::DISCARD, "9C TD AD QS AS JS");
    EXPECT_EQ(cardsIn(answer(describe("standard"), request)), "9C");
}

struct Card {
    const char* fact;
    const char* preset;
    const char* hand;
    const char* trick;
    std::uint32_t leader;
    std::uint32_t maker;
    const char* played;
};

void PrintTo(const Card& card, std::ostream* out) { *out << card.fact; }

class Play : public testing::TestWithParam<Card> {};

TEST_P(Play, IsTheCardOfTheRule) {
    const Card& card = GetParam();
    auto request = ask(pb::PHASE_KIND_PLAY, card.hand, 1);
    request.set_maker(card.maker);
    request.set_strain(pb::STRAIN_SPADES);
    if (card.preset == std::string("napoleon")) {
        request.set_strain(pb::STRAIN_NO_TRUMP);
        request.mutable_bid()->set_name(pb::BID_NAME_MISERE);
    }
    layTrick(request, card.leader, card.trick);
    offerCards(request, kit::PLAY, card.hand);
    EXPECT_EQ(cardsIn(answer(describe(card.preset), request)), card.played) << card.fact;
}

INSTANTIATE_TEST_SUITE_P(
    Rules, Play,
    testing::Values(Card{"makers lead the highest trump", "standard", "9C AD AS JS", "", 1, 1, "JS"},
                    Card{"defenders lead an ace", "standard", "9C AD 9S", "", 1, 0, "AD"},
                    Card{"the last covers as low as it can", "standard", "QC KC AC", "9C TC JH", 2, 0, "QC"},
                    Card{"the last throws low on a partner's trick", "standard", "9C KC", "TC AC JH", 2, 0, "9C"},
                    Card{"a trump saves a trick from opponents", "standard", "9S TS", "TC AC", 3, 0, "9S"},
                    Card{"a hopeless hand throws its lowest", "standard", "9D QD", "AC", 0, 0, "9D"},
                    Card{"the third is not laid on a partner's card that cannot be beaten", "standard", "9C KC",
                         "AC QD", 3, 0, "9C"},
                    Card{"an avoider plays its highest loser", "napoleon", "7C QC AC", "KC", 0, 1, "QC"},
                    Card{"the others stay below him who must take none", "napoleon", "7C QC AC", "KC", 0, 0, "QC"}));

// A game in which nobody has partners: staying in needs a trick, and every trick counts.
TEST(DropOut, StaysWithALikelyTrick) {
    for (const auto& [hand, said] : {std::pair{"9C TC QD 9H TH", kit::DROP}, std::pair{"9C AD KS AS JS", kit::STAY}}) {
        auto request = ask(pb::PHASE_KIND_DROP_OUT, hand, 1);
        request.set_strain(pb::STRAIN_SPADES);
        request.set_maker(0);
        offer(request, {kit::STAY, kit::DROP});
        EXPECT_EQ(answer(describe("buck"), request).kind(), said) << hand;
    }
}

TEST(RedealClaim, IsMade) {
    auto request = ask(pb::PHASE_KIND_REDEAL_CLAIM, "9C 9D 9H TC TD");
    offer(request, {kit::NO_CLAIM, kit::CLAIM_REDEAL});
    EXPECT_EQ(answer(describe("standard"), request).kind(), kit::CLAIM_REDEAL);
}

// What two trumps and an ace count in standard, worked out by hand from docs/heuristic.md.
TEST(Count, IsTheSumOfTheDocument) {
    const kit::Variant variant = describe("standard");
    // 19 hidden cards, 15 in other hands: p = 4/19, r = 14/19. JS: nothing above. KS: JC and AS above. AC: 4 others
    // out, for the jack is a trump. AD, and KD below it with nothing between: 4 others out. No heart: 0.3.
    const double p = 4.0 / 19;
    const double f = std::pow(1 - std::pow(14.0 / 19, 4), 2);
    const double trumps = 0.95 + 0.35 + 0.05 * p * p + 0.55 / 4;
    const double found = heuristic::Estimator(variant).count(pb::STRAIN_SPADES, kit::parseCards("JS KS AC AD KD"));
    EXPECT_NEAR(found, trumps + 0.9 * f + (0.9 + 0.4) * f + 0.3, 1e-9);
}

}  // namespace
