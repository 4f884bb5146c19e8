#include "heuristic/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heuristic {

namespace {

/// A maker whose partners sit out counts so many times as much.
constexpr double loneFactor = 1.3;
/// Tricks of a loner for each card of the hand beyond five.
constexpr double lonePerHandCard = 0.35;
/// Tricks for each card a loner receives.
constexpr double perReceived = 0.8;
/// Tricks for each card of the widow.
constexpr double perWidowCard = 0.3;
/// The count grows by this share for each card of the hand beyond five.
constexpr double perHandCard = 0.1;

/// The chance that a hidden card is in none of so many other hands.
double unheldBy(const kit::Variant& variant, int hands) {
    const int hand = variant.handSize();
    const double hidden = std::max(1, variant.deckSize() - hand);
    return 1 - std::min(1.0, static_cast<double>(hands * hand) / hidden);
}

int partnersOfAMaker(const kit::Variant& variant) {
    const bool isSilent = variant.message().alliance() == pb::ALLIANCE_SILENT_ALLY;
    return isSilent ? 1 : static_cast<int>(variant.partners(0).size());
}

}  // namespace

kit::CardCounts rest(const kit::Variant& variant, const kit::Cards& cards) {
    kit::CardCounts out = variant.copies();
    for (const kit::Card card : cards) {
        --out[card];
    }
    return out;
}

int above(const kit::Order& order, const kit::CardCounts& out, kit::Card card) {
    int number = 0;
    for (const kit::Card other : order.bySuit[order.effective[card]]) {
        if (order.height[other] <= order.height[card]) {
            break;
        }
        number += std::max(0, out[other]);
    }
    return number;
}

int ofSuit(const kit::Order& order, const kit::CardCounts& out, kit::Suit suit) {
    int number = 0;
    for (const kit::Card card : order.bySuit[suit]) {
        number += std::max(0, out[card]);
    }
    return number;
}

Suits suitCards(const kit::Order& order, const kit::Cards& cards) {
    Suits suits;
    for (const kit::Card card : cards) {
        suits[order.effective[card]].push_back(card);
    }
    for (kit::Cards& held : suits) {
        std::stable_sort(held.begin(), held.end(),
                         [&](kit::Card a, kit::Card b) { return order.height[a] > order.height[b]; });
    }
    return suits;
}

Estimator::Estimator(const kit::Variant& variant)
    : variant_(&variant),
      hand_(variant.handSize()),
      seats_(variant.seats()),
      partners_(partnersOfAMaker(variant)),
      hasLoners_(variant.hasFixedSides() && !variant.partners(0).empty()),
      unheld_(unheldBy(variant, variant.seats() - 1)),
      unheldBy_(unheldBy(variant, 1)) {}

/// The chance that none of so many hidden cards is in another hand.
double Estimator::unbeaten(int hidden) const { return std::pow(unheld_, hidden); }

/// The chance that the opponents can follow to a suit of which so many cards are hidden.
double Estimator::followed(int hidden) const {
    return std::pow(1 - std::pow(unheldBy_, hidden), std::max(0, seats_ - 2));
}

double Estimator::trumpWorth(int higher) const { return 0.35 + 0.05 * unbeaten(higher) + 0.55 * std::pow(0.5, higher); }

double Estimator::count(kit::Strain strain, const kit::Cards& cards) const {
    const kit::Order& order = variant_->order(strain);
    const kit::CardCounts out = rest(*variant_, cards);
    const Suits suits = suitCards(order, cards);
    const kit::Suit trump = kit::trumpSuit(strain);
    if (trump == kit::noSuit) {
        return countNoTrump(order, out, suits);
    }
    double total = 0;
    for (const kit::Card card : suits[trump]) {
        total += trumpWorth(above(order, out, card));
    }
    std::size_t spare = suits[trump].size();
    for (const kit::Suit suit : kit::allSuits) {
        if (suit == trump || order.bySuit[suit].empty()) {
            continue;
        }
        const kit::Cards& held = suits[suit];
        if (held.empty()) {
            if (spare > 0) {
                --spare;
                total += 0.3;
            }
            continue;
        }
        const double chance = followed(ofSuit(order, out, suit));
        total += 0.9 * unbeaten(above(order, out, held[0])) * chance;
        if (held.size() > 1) {
            total += 0.4 * unbeaten(above(order, out, held[1])) * chance;
        }
    }
    return total;
}

double Estimator::countNoTrump(const kit::Order& order, const kit::CardCounts& out, const Suits& suits) const {
    double total = 0;
    for (const kit::Suit suit : kit::allSuits) {
        const double each = static_cast<double>(ofSuit(order, out, suit)) / std::max(1, seats_ - 1);
        total += 0.3 * std::max(0.0, static_cast<double>(suits[suit].size()) - each);
        for (const kit::Card card : suits[suit]) {
            total += unbeaten(above(order, out, card));
        }
    }
    return total;
}

double Estimator::danger(const kit::Cards& cards) const {
    const kit::Order& order = variant_->order(pb::STRAIN_NO_TRUMP);
    const kit::CardCounts out = rest(*variant_, cards);
    double total = 0;
    for (const kit::Cards& held : suitCards(order, cards)) {
        int place = 0;
        for (auto card = held.rbegin(); card != held.rend(); ++card, ++place) {
            const int below = ofSuit(order, out, order.effective[*card]) - above(order, out, *card);
            total += static_cast<double>(std::max(0, below - place)) / (1 + place);
        }
    }
    return total;
}

double Estimator::widowTricks() const {
    return variant_->hasPhase(pb::PHASE_KIND_WIDOW) ? perWidowCard * variant_->message().widow() : 0;
}

double Estimator::together(double count) const {
    const double own = count * (1 + perHandCard * (hand_ - 5));
    const double share = static_cast<double>(partners_) / std::max(1, seats_ - 1);
    return own + (hand_ - own) * share + widowTricks();
}

double Estimator::alone(double count, int received) const {
    const double own = hasLoners_ ? count * loneFactor : count;
    return own + lonePerHandCard * (hand_ - 5) + perReceived * received + widowTricks();
}

std::pair<kit::Cards, kit::Card> Estimator::bestDiscard(kit::Strain strain, const kit::Cards& cards) const {
    const Values worth = values(strain, cards);
    kit::Card best = cards.at(0);
    double bestCount = -std::numeric_limits<double>::infinity();
    for (const kit::Card card : cards) {
        const double left = count(strain, kit::without(cards, card));
        if (left > bestCount + 1e-9 || (left > bestCount - 1e-9 && worth[card] < worth[best])) {
            best = card;
            bestCount = left;
        }
    }
    return {kit::without(cards, best), best};
}

Values Estimator::values(kit::Strain strain, const kit::Cards& cards) const {
    const kit::Order& order = variant_->order(strain);
    const kit::CardCounts out = rest(*variant_, cards);
    const Suits suits = suitCards(order, cards);
    const bool hasTrumps = kit::trumpSuit(strain) != kit::noSuit;
    Values values{};
    for (const kit::Card card : cards) {
        const double height = order.height[card];
        if (order.isTrump(card)) {
            values[card] = 100 + height;
            continue;
        }
        const int higher = above(order, out, card);
        const double length = static_cast<double>(suits[order.effective[card]].size());
        double value = 40 * std::pow(0.45, higher) + height / 10;
        if (!hasTrumps) {
            value += length / 2;
        } else {
            value -= length / 2;
            if (length == 1 && higher > 0) {
                value -= 3;
            }
        }
        values[card] = value;
    }
    return values;
}

std::pair<kit::Cards, Values> Estimator::keepOrder(kit::Strain strain, const kit::Cards& cards) const {
    const Values worth = values(strain, cards);
    kit::Cards sorted = cards;
    std::stable_sort(sorted.begin(), sorted.end(), [&](kit::Card a, kit::Card b) { return worth[a] > worth[b]; });
    return {sorted, worth};
}

std::pair<kit::Strain, double> Estimator::bestSuit(const std::vector<kit::Strain>& strains,
                                                   const kit::Cards& cards) const {
    std::pair best{kit::noStrain, -std::numeric_limits<double>::infinity()};
    for (const kit::Strain strain : strains) {
        if (kit::trumpSuit(strain) == kit::noSuit) {
            continue;
        }
        if (const double counted = count(strain, cards); counted > best.second) {
            best = {strain, counted};
        }
    }
    return best;
}

}  // namespace heuristic
