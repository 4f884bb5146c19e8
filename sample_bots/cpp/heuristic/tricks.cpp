#include "heuristic/tricks.hpp"

#include <algorithm>
#include <limits>

#include "heuristic/estimate.hpp"
#include "heuristic/heuristic.hpp"

namespace heuristic {

namespace {

/// With so many trumps the makers lead them even without the highest.
constexpr std::size_t trumpsToDraw = 3;
/// So many higher cards of its suit may be out against a card that is led as a winner.
constexpr int beatersBorne = 1;
/// With so many cards out against a partner's winner, one that cannot follow trumps it.
constexpr int beatersFeared = 2;
/// A higher card out weighs more than any length.
constexpr int perBeater = 20;
constexpr int nobody = -1;

int makerOf(const pb::DecisionRequest& request) {
    return request.has_maker() ? static_cast<int>(request.maker()) : nobody;
}

int avoiderOf(const kit::Question& q) {
    const auto& request = q.request();
    const bool isMisere = request.has_maker() && request.has_bid() && q.variant().rung(request.bid()).isMisere();
    return isMisere ? makerOf(request) : nobody;
}

}  // namespace

kit::CardCounts unseen(const kit::Question& q) {
    kit::CardCounts out = rest(q.variant(), q.cards());
    bool isTurnedDown = false;
    for (const auto& event : q.request().history()) {
        bool isGone = false;
        switch (event.action().kind()) {
            case kit::PLAY:
            case kit::TAKE_AND_SHOW:
                isGone = true;
                break;
            case kit::DISCARD:
            case kit::ACCEPT:
            case kit::CALL_BEST:
            case kit::SWAP:
            case kit::SWAP_KITTY:
                isGone = static_cast<int>(event.seat()) == q.seat();
                break;
            case kit::TURN_DOWN:
            case kit::LEAVE_UPCARD:
            case kit::KEEP_UPCARD:
                isTurnedDown = true;
                break;
            default:
                break;
        }
        if (isGone) {
            for (const kit::Card card : kit::asCards(event.action().cards())) {
                --out[card];
            }
        }
    }
    if (isTurnedDown && q.request().upcard() != kit::noCard) {
        --out[q.request().upcard()];
    }
    return out;
}

kit::Answer HeuristicBot::play(const kit::Question& q) {
    if (q.optionCount() == 1) {
        return kit::Answer::option(0);
    }
    kit::Card card = kit::noCard;
    if (q.request().strain() == kit::noStrain) {
        card = leadToMakeTrump(q);
    } else if (const Position position(q); q.request().trick().empty()) {
        card = position.lead();
    } else {
        card = position.follow();
    }
    return kit::Answer::option(q.find(kit::PLAY, card));
}

/// Leads the best card of the suit that is best as trumps (NAP-TRUMP-1).
kit::Card HeuristicBot::leadToMakeTrump(const kit::Question& q) {
    const auto isHeld = [&](kit::Strain strain) {
        return std::any_of(q.cards().begin(), q.cards().end(),
                           [&](kit::Card card) { return kit::strainOf(kit::printedSuit(card)) == strain; });
    };
    std::vector<kit::Strain> strains;
    std::copy_if(q.variant().strains().begin(), q.variant().strains().end(), std::back_inserter(strains), isHeld);
    if (strains.empty()) {
        return q.option(0).cards(0);
    }
    const kit::Order& order = q.variant().order(estimator(q).bestSuit(strains, q.cards()).first);
    return *std::max_element(q.cards().begin(), q.cards().end(),
                             [&](kit::Card a, kit::Card b) { return order.height[a] < order.height[b]; });
}

Position::Position(const kit::Question& q)
    : q_(q),
      order_(q.order()),
      out_(unseen(q)),
      me_(q.seat()),
      maker_(makerOf(q.request())),
      avoids_(avoiderOf(q)),
      teams_(seenTeams()) {}

bool Position::areFriends(int seat, int other) const {
    return teams_.at(static_cast<std::size_t>(seat)) == teams_.at(static_cast<std::size_t>(other));
}

std::vector<int> Position::seenTeams() const {
    const kit::Variant& variant = q_.variant();
    const auto alliance = variant.message().alliance();
    std::vector<int> teams;
    for (int seat = 0; seat < variant.seats(); ++seat) {
        teams.push_back(variant.hasFixedSides() ? variant.sideOf(seat) : seat);
    }
    if (variant.hasFixedSides() || alliance == pb::ALLIANCE_NONE || maker_ == nobody) {
        return teams;
    }
    const int ally = knownAlly();
    if (alliance == pb::ALLIANCE_SILENT_ALLY && ally == nobody && me_ == maker_) {
        return teams;  // one of them is a friend, nobody says who
    }
    for (int seat = 0; seat < variant.seats(); ++seat) {
        teams[static_cast<std::size_t>(seat)] = seat == maker_ || seat == ally ? 0 : 1;
    }
    return teams;
}

/// The maker's ally, if this seat holds, or somebody has played, what was called.
int Position::knownAlly() const {
    kit::Cards called;  // one of these, the first that is in play
    std::array<int, kit::cardLimit> holder;
    holder.fill(nobody);
    for (const auto& event : q_.request().history()) {
        const auto& action = event.action();
        if (action.kind() == kit::CALL_CARD) {
            called = kit::asCards(action.cards());
        } else if (action.kind() == kit::CALL_SUIT) {
            called = order_.bySuit.at(static_cast<std::size_t>(action.strain()));
        } else if (action.kind() == kit::PLAY) {
            holder[action.cards(0)] = static_cast<int>(event.seat());
        }
    }
    for (const kit::Card card : q_.cards()) {
        holder[card] = me_;
    }
    for (const kit::Card card : called) {
        if (holder[card] != nobody) {
            return holder[card] == maker_ ? nobody : holder[card];
        }
        if (out_[card] > 0) {
            return nobody;
        }
    }
    return nobody;
}

kit::Card Position::lead() const {
    const kit::Cards& hand = q_.cards();
    if (avoids_ != nobody) {
        return hand[0];
    }
    const Suits suits = suitCards(order_, hand);
    const kit::Suit trump = kit::trumpSuit(order_.strain);
    const bool isMaker = maker_ != nobody && areFriends(me_, maker_);
    const kit::Cards trumps = trump == kit::noSuit ? kit::Cards{} : suits[trump];
    const int trumpsOut = trump == kit::noSuit ? 0 : ofSuit(order_, out_, trump);
    const bool isHighest = !trumps.empty() && above(order_, out_, trumps[0]) == 0;
    if (isMaker && trumpsOut > 0 && isHighest) {
        return trumps[0];
    }
    kit::Card best = kit::noCard;
    int bestMerit = std::numeric_limits<int>::min();
    for (const kit::Suit suit : kit::allSuits) {
        if (suit == trump || suits[suit].empty()) {
            continue;
        }
        const kit::Card top = suits[suit][0];
        const int beaters = above(order_, out_, top);
        const int merit = ofSuit(order_, out_, suit) - perBeater * beaters;
        if (beaters <= beatersBorne && merit > bestMerit) {
            best = top;
            bestMerit = merit;
        }
    }
    if (best != kit::noCard) {
        return best;
    }
    if (!trumps.empty()) {
        const bool mayDraw = isMaker && trumpsOut > 0 && trumps.size() >= trumpsToDraw;
        if (trumps.size() == hand.size() || mayDraw) {
            return isMaker || isHighest ? trumps.front() : trumps.back();
        }
        if (trumpsOut == 0) {
            return trumps[0];
        }
    }
    return hand[0];
}

kit::Card Position::follow() const {
    const kit::Variant& variant = q_.variant();
    const kit::Cards trick = q_.trick();
    const kit::Suit led = order_.effective[trick.at(0)];
    const std::size_t at = variant.winner(order_, trick);
    const kit::Card best = trick[at];
    const int holder = static_cast<int>(q_.request().trick(static_cast<int>(at)).seat());
    const kit::Cards lawful = order_.follows(led, q_.cards());
    // Low to high, like the hand.
    kit::Cards winners;
    kit::Cards losers;
    for (const kit::Card card : lawful) {
        (variant.beats(order_, led, card, best) ? winners : losers).push_back(card);
    }
    const int pending = q_.request().active_size() - static_cast<int>(trick.size());  // this seat included
    const bool isFriends = areFriends(holder, me_);
    const kit::Card lowest = lawful[0];
    if (avoids_ != nobody) {
        return followUnder(lawful, winners, losers, holder, pending);
    }
    if (winners.empty() || (pending == 1 && isFriends)) {
        return lowest;
    }
    if (pending == 1) {
        return winners[0];
    }
    int threats = 0;  // cards of the suit led that may yet beat the best
    for (const kit::Card card : order_.bySuit[led]) {
        if (out_[card] > 0 && variant.beats(order_, led, card, best)) {
            threats += out_[card];
        }
    }
    const kit::Card top = winners.back();
    const bool follows = order_.effective[top] == led;
    const bool topHolds = follows && above(order_, out_, top) == 0;
    if (isFriends) {
        if (follows && threats > 0 && topHolds) {
            return top;
        }
        if (!follows && threats >= beatersFeared && !order_.isTrump(best)) {
            return winners[0];
        }
        return lowest;
    }
    return follows && (pending == 2 || topHolds) ? top : winners[0];
}

/// The card in a hand in which one seat undertakes to take no trick.
kit::Card Position::followUnder(const kit::Cards& lawful, const kit::Cards& winners, const kit::Cards& losers,
                                int holder, int pending) const {
    if (me_ == avoids_) {
        if (!losers.empty()) {
            return losers.back();
        }
        return pending == 1 ? winners.back() : winners.front();
    }
    return holder == avoids_ && !losers.empty() ? losers.back() : lawful[0];
}

}  // namespace heuristic
