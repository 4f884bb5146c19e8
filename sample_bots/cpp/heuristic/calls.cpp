// Every question but the card to play: the part "Questions before play" of docs/heuristic.md.
#include <algorithm>
#include <limits>

#include "heuristic/heuristic.hpp"
#include "heuristic/tricks.hpp"

namespace heuristic {

namespace {

using kit::Answer;
using kit::Question;

// Thresholds, in tricks.

/// A maker needs so many of five.
constexpr double fiveTrickNeed = 3.0;
/// Expected by a defender who plays alone.
constexpr double loneDefence = 3.2;
/// A defender takes so much of the count.
constexpr double defenceFactor = 0.7;
/// Share of the upcard's worth when a partner takes it.
constexpr double partnerTaking = 0.8;
/// Share of the upcard's worth lost when an opponent takes it.
constexpr double enemyTaking = 0.6;
/// To spare when outbidding a partner.
constexpr double overPartner = 0.7;
/// To spare for a bid of all tricks.
constexpr double allTricksSpare = 0.5;
/// To spare for each card of the hand beyond five: long hands vary more.
constexpr double sparePerCard = 0.05;
/// Greatest danger of a misère.
constexpr double safeMisere = 2.0;
/// Least count to stay in.
constexpr double stayCount = 1.4;
/// What the count to stay in falls by for each seat that dropped.
constexpr double perDropped = 0.12;
/// Of a call alone that is sound: before every call with partners.
constexpr double aloneSpare = 9.0;
/// A hand with less than this a card in its best suit is swapped.
constexpr double poorHand = 0.4;
/// Of a pass: anything with tricks to spare is better.
constexpr double passSpare = -1e-6;

constexpr double never = -std::numeric_limits<double>::infinity();

/// Whether two seats are of one fixed side; a seat is with itself.
bool areTogether(const kit::Variant& variant, std::uint32_t seat, std::uint32_t other) {
    return seat == other || (variant.hasFixedSides() &&
                             variant.sideOf(static_cast<int>(seat)) == variant.sideOf(static_cast<int>(other)));
}

/// How many cards the loner of a variant receives (of a bid that fixes the number, by the bid).
int received(const kit::Variant& variant, pb::BidName bid = pb::BID_NAME_UNSPECIFIED) {
    const std::string& rule = variant.option("loner_exchange");
    if (rule.empty() || rule == "none") {
        return 0;
    }
    if (rule == "fixed-by-bid") {
        return bid == pb::BID_NAME_ALONE1 ? 1 : bid == pb::BID_NAME_ALONE2 ? 2 : 0;
    }
    if (rule.starts_with("up-to-")) {
        return rule.back() - '0';
    }
    return 1;
}

Answer either(const Question& q, bool isSo, kit::ActionKind then, kit::ActionKind otherwise) {
    return Answer::option(q.find(isSo ? then : otherwise));
}

/// The first index of the greatest value.
template <typename Value>
int argmax(int number, Value value) {
    int best = 0;
    double bestValue = never;
    for (int i = 0; i < number; ++i) {
        if (const double v = value(i); v > bestValue) {
            best = i;
            bestValue = v;
        }
    }
    return best;
}

/// What accepting the upcard would make trump.
kit::Strain turnedSuit(const Question& q) {
    for (const auto& event : q.request().history()) {
        if (event.action().kind() == kit::NAME_BLIND) {
            return event.action().strain();
        }
    }
    return kit::strainOf(kit::printedSuit(q.request().upcard()));
}

/// The last so many of some cards.
kit::Cards lastOf(const kit::Cards& cards, std::size_t number) {
    return {cards.end() - static_cast<std::ptrdiff_t>(std::min(number, cards.size())), cards.end()};
}

/// A bid with what it is thought to take.
struct Offer {
    int option;
    kit::Rung rung;
    double spare;
};

/// The tricks that a bid must have to spare.
double leastSpare(const Question& q, const kit::Rung& rung) {
    const auto& request = q.request();
    if (rung.isMisere()) {
        return 0;
    }
    if (rung.tricks >= q.variant().handSize()) {
        return allTricksSpare;
    }
    if (request.has_bidder() && request.bidder() != request.seat() &&
        areTogether(q.variant(), request.seat(), request.bidder())) {
        return overPartner;
    }
    return sparePerCard * (q.variant().handSize() - 5);
}

/// The bid to make of several sound ones.
const Offer& chosen(const Question& q, const std::vector<Offer>& sound) {
    const bool isLastWord = q.variant().seats() - 1 - q.request().history_size() <= 0;
    const bool isLow =
        q.variant().option("bid_rounds") == "until-passed" || (isLastWord && !q.variant().message().has_bid_value());
    return *std::max_element(sound.begin(), sound.end(), [&](const Offer& x, const Offer& y) {
        if (x.rung.tricks != y.rung.tricks && !isLow) {
            return x.rung.tricks < y.rung.tricks;
        }
        if (x.rung.rank != y.rung.rank) {
            return x.rung.rank > y.rung.rank;
        }
        return x.spare < y.spare;  // of equals the first option is found
    });
}

}  // namespace

const Estimator& HeuristicBot::estimator(const Question& q) {
    return estimators_.try_emplace(&q.variant(), q.variant()).first->second;
}

Answer HeuristicBot::redealClaim(const Question& q) { return Answer::option(q.optionCount() - 1); }

Answer HeuristicBot::upcardAuction(const Question& q) {
    return Answer::option(argmax(q.optionCount(), [&](int i) { return spare(q, q.option(i)); }));
}

/// The tricks beyond its need that a call is thought to take; just below zero for a pass.
double HeuristicBot::spare(const Question& q, const pb::Action& call) {
    const Estimator& e = estimator(q);
    const auto& request = q.request();
    const kit::Strain turned = turnedSuit(q);
    const bool isWithDealer = areTogether(q.variant(), request.seat(), request.dealer());
    double count = 0;
    switch (call.kind()) {
        case kit::PASS:
        case kit::TURN_DOWN:
            return passSpare;
        case kit::NAME:
        case kit::NAME_ALONE:
            count = e.count(call.strain(), q.cards());
            break;
        case kit::TAKE_UP:
        case kit::TAKE_UP_ALONE:
        case kit::TAKE_DOWN_ALONE:
            count = e.count(turned, e.bestDiscard(turned, kit::with(q.cards(), request.upcard())).first);
            break;
        default: {
            if (q.variant().option("order_up_makers") == "dealer-side" && !isWithDealer) {
                return never;  // the opponents would be the makers
            }
            const double worth = e.trumpWorth(above(q.variant().order(turned), q.variant().copies(), request.upcard()));
            count = e.count(turned, q.cards());
            if (!isWithDealer) {
                count -= enemyTaking * worth;
            } else if (call.kind() == kit::ORDER_UP) {  // alone nobody takes it (UPA-PICK-4)
                count += partnerTaking * worth;
            }
        }
    }
    switch (call.kind()) {
        case kit::NAME_ALONE:
        case kit::TAKE_UP_ALONE:
        case kit::TAKE_DOWN_ALONE:
        case kit::ORDER_UP_ALONE:
            return e.alone(count, received(q.variant())) < e.hand() - 1 ? never : aloneSpare + count;
        default:
            return e.together(count) - fiveTrickNeed;
    }
}

Answer HeuristicBot::pickUp(const Question& q) {
    if (q.option(0).kind() == kit::DISCARD) {
        return discardOne(q);
    }
    const Estimator& e = estimator(q);
    const kit::Strain strain = q.request().strain();
    const kit::Cards left = e.bestDiscard(strain, kit::with(q.cards(), q.request().upcard())).first;
    return either(q, e.count(strain, left) > e.count(strain, q.cards()), kit::TAKE_UPCARD, kit::LEAVE_UPCARD);
}

Answer HeuristicBot::discardOne(const Question& q) {
    const Estimator& e = estimator(q);
    const kit::Strain strain = q.request().strain();
    if (const auto option = q.find(kit::DISCARD, e.bestDiscard(strain, q.cards()).second)) {
        return Answer::option(option);
    }
    const kit::Cards order = e.keepOrder(strain, q.cards()).first;
    for (auto card = order.rbegin(); card != order.rend(); ++card) {
        if (const auto option = q.find(kit::DISCARD, *card)) {
            return Answer::option(option);
        }
    }
    return Answer::option(0);
}

Answer HeuristicBot::goingAlone(const Question& q) {
    const Estimator& e = estimator(q);
    const auto& request = q.request();
    const double count = e.count(request.strain(), q.cards());
    const bool isDefender = request.has_maker() && !areTogether(q.variant(), request.seat(), request.maker());
    const bool isSound = isDefender ? e.alone(defenceFactor * count, 0) >= loneDefence
                                    : e.alone(count, received(q.variant())) >= e.hand() - 1;
    return either(q, isSound, kit::ALONE, kit::NOT_ALONE);
}

Answer HeuristicBot::exchange(const Question& q) {
    if (q.request().has_choice()) {
        return exchangeSeveral(q);
    }
    const auto [order, values] = estimator(q).keepOrder(q.request().strain(), q.cards());
    for (const kit::ActionKind kind : {kit::GIVE, kit::OFFER}) {
        if (q.find(kind)) {
            return Answer::option(q.find(kind, order.at(0)));
        }
    }
    if (const auto option = q.find(kit::ASK)) {
        return Answer::option(option);
    }
    if (q.find(kit::DISCARD)) {
        return discardOne(q);
    }
    const kit::Card worst = order.back();
    if (values[worst] >= sureValue) {
        return Answer::option(0);
    }
    return Answer::option(q.find(q.find(kit::ACCEPT) ? kit::ACCEPT : kit::CALL_BEST, worst));
}

Answer HeuristicBot::exchangeSeveral(const Question& q) {
    const auto& choice = q.request().choice();
    const auto [order, values] = estimator(q).keepOrder(q.request().strain(), kit::asCards(choice.cards()));
    if (choice.kind() == kit::GIVE) {
        const auto number = std::min<std::size_t>(choice.maximum(), order.size());
        return Answer::cards(choice.kind(), {order.begin(), order.begin() + static_cast<std::ptrdiff_t>(number)});
    }
    std::uint32_t number = 0;
    for (const kit::Card card : order) {
        number += values[card] < sureValue ? 1 : 0;
    }
    number = std::min(std::max(number, choice.minimum()), choice.maximum());
    return number == 0 ? Answer::option(0) : Answer::cards(choice.kind(), lastOf(order, number));
}

Answer HeuristicBot::bidAuction(const Question& q) {
    std::vector<Offer> all;
    std::vector<Offer> sound;
    for (int i = 0; i < q.optionCount(); ++i) {
        const pb::Action& option = q.option(i);
        if (option.kind() != kit::BID) {
            continue;
        }
        const kit::Rung rung = q.variant().rung(option.bid());
        const auto strains = option.strain() != kit::noStrain ? std::vector{option.strain()} : rung.strains;
        all.push_back({i, rung, bidSpare(q, rung, strains)});
        if (all.back().spare >= leastSpare(q, rung)) {
            sound.push_back(all.back());
        }
    }
    if (!sound.empty()) {
        return Answer::option(chosen(q, sound).option);
    }
    if (const auto pass = q.find(kit::PASS); pass || all.empty()) {
        return Answer::option(pass);
    }
    const int best =
        argmax(static_cast<int>(all.size()), [&](int i) { return all[static_cast<std::size_t>(i)].spare; });
    return Answer::option(all[static_cast<std::size_t>(best)].option);
}

/// The tricks beyond its need of a bid in the best of the strains it can be played in.
double HeuristicBot::bidSpare(const Question& q, const kit::Rung& rung, const std::vector<kit::Strain>& strains) {
    const Estimator& e = estimator(q);
    if (rung.isMisere()) {
        return safeMisere - e.danger(q.cards());
    }
    double best = never;
    for (const kit::Strain strain : strains) {
        const double count = e.count(strain, q.cards());
        best = std::max(best, rung.alone ? e.alone(count, received(q.variant(), rung.name)) : e.together(count));
    }
    return best - rung.tricks;
}

Answer HeuristicBot::strainChoice(const Question& q) {
    const Estimator& e = estimator(q);
    return Answer::option(argmax(q.optionCount(), [&](int i) { return e.count(q.option(i).strain(), q.cards()); }));
}

Answer HeuristicBot::widow(const Question& q) { return Answer::option(q.find(kit::TAKE_WIDOW)); }

Answer HeuristicBot::widowDiscard(const Question& q) {
    if (!q.request().has_choice()) {
        return discardOne(q);
    }
    const auto& choice = q.request().choice();
    const kit::Cards order = estimator(q).keepOrder(q.request().strain(), kit::asCards(choice.cards())).first;
    return Answer::cards(choice.kind(), lastOf(order, choice.minimum()));
}

Answer HeuristicBot::handSwap(const Question& q) {
    const Estimator& e = estimator(q);
    const double count = e.bestSuit(q.variant().strains(), q.cards()).second;
    return either(q, count < poorHand * e.hand(), kit::TAKE_HAND, kit::KEEP_HAND);
}

Answer HeuristicBot::dealerMakes(const Question& q) {
    const Estimator& e = estimator(q);
    const kit::Card upcard = q.request().upcard();
    return Answer::option(argmax(q.optionCount(), [&](int i) {
        const pb::Action& option = q.option(i);
        if (option.kind() == kit::KEEP_UPCARD) {
            return e.count(kit::strainOf(kit::printedSuit(upcard)), q.cards());
        }
        const kit::Card shown = option.cards(0);
        return e.count(kit::strainOf(kit::printedSuit(shown)), kit::without(kit::with(q.cards(), upcard), shown));
    }));
}

Answer HeuristicBot::kittySwap(const Question& q) {
    const auto& choice = q.request().choice();
    const auto [order, values] = estimator(q).keepOrder(q.request().strain(), kit::asCards(choice.cards()));
    const kit::Cards gone = lastOf(order, choice.minimum());
    if (values[gone.at(0)] >= sureValue) {
        return Answer::option(q.find(kit::NO_SWAP));
    }
    return Answer::cards(choice.kind(), gone);
}

Answer HeuristicBot::dropOut(const Question& q) {
    const Estimator& e = estimator(q);
    const int dropped = e.seats() - q.request().active_size();
    const bool isLikely = e.count(q.request().strain(), q.cards()) + perDropped * dropped >= stayCount;
    return either(q, isLikely, kit::STAY, kit::DROP);
}

Answer HeuristicBot::allyCall(const Question& q) {
    if (q.option(0).kind() == kit::CALL_CARD) {
        const kit::CardCounts out = unseen(q);
        for (int i = 0; i < q.optionCount(); ++i) {
            if (out[q.option(i).cards(0)] > 0) {
                return Answer::option(i);
            }
        }
        return Answer::option(0);
    }
    const kit::Order& order = q.order();
    const Suits suits = suitCards(order, q.cards());
    return Answer::option(argmax(q.optionCount(), [&](int i) {
        const auto suit = static_cast<std::size_t>(q.option(i).strain());
        const kit::Cards& held = suits.at(suit);
        if (held.empty()) {
            return -0.5;
        }
        return held[0] == order.bySuit[suit].at(0) ? -1.0 : static_cast<double>(held.size());
    }));
}

}  // namespace heuristic
