// What a hand is worth, by the numbers of docs/heuristic.md.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "kit/variant.hpp"

namespace heuristic {

/// A card worth keeping at least this much is a trump or the best of its suit.
inline constexpr double sureValue = 38.0;

/// What something is worth, by card.
using Values = std::array<double, kit::cardLimit>;
/// Cards of each effective suit, high to low.
using Suits = std::array<kit::Cards, kit::suitLimit>;

/// How many copies of each card of the deck are not among some cards.
kit::CardCounts rest(const kit::Variant& variant, const kit::Cards& cards);
/// How many cards of those out are higher than a card in its suit.
int above(const kit::Order& order, const kit::CardCounts& out, kit::Card card);
/// How many cards of those out are of an effective suit.
int ofSuit(const kit::Order& order, const kit::CardCounts& out, kit::Suit suit);
/// The cards of each effective suit, high to low.
Suits suitCards(const kit::Order& order, const kit::Cards& cards);

/// Counts hands of one variant, which outlives it.
class Estimator {
  public:
    explicit Estimator(const kit::Variant& variant);

    /// Cards of a hand.
    int hand() const { return hand_; }
    /// Seats of the table.
    int seats() const { return seats_; }

    /// The count of a hand, about a trick a unit.
    double count(kit::Strain strain, const kit::Cards& cards) const;
    /// What a trump adds to a count when so many higher ones are out.
    double trumpWorth(int higher) const;
    /// How likely a hand is to be made to take a trick without trumps; lower is safer.
    double danger(const kit::Cards& cards) const;

    /// The tricks that a maker whose hand counts so much takes with the partners he has; without an upper limit, which
    /// makes it comparable, like the next.
    double together(double count) const;
    /// The tricks that he takes without them, receiving so many cards.
    double alone(double count, int received) const;

    /// The hand that counts most after one card is laid aside, and that card.
    std::pair<kit::Cards, kit::Card> bestDiscard(kit::Strain strain, const kit::Cards& cards) const;
    /// What each card is worth keeping: trumps by height, then winners, then cards of long suits, voids made first.
    Values values(kit::Strain strain, const kit::Cards& cards) const;
    /// The cards from the best to keep to the first to go, and what they are worth.
    std::pair<kit::Cards, Values> keepOrder(kit::Strain strain, const kit::Cards& cards) const;
    /// The suit among strains in which a hand counts most, and the count; no strain if there is no suit among them.
    std::pair<kit::Strain, double> bestSuit(const std::vector<kit::Strain>& strains, const kit::Cards& cards) const;

  private:
    double countNoTrump(const kit::Order& order, const kit::CardCounts& out, const Suits& suits) const;
    double unbeaten(int hidden) const;
    double followed(int hidden) const;
    double widowTricks() const;

    const kit::Variant* variant_;
    int hand_;
    int seats_;
    int partners_;
    bool hasLoners_;
    /// Chance that a hidden card is in no other hand.
    double unheld_;
    /// Chance that a hidden card is not in one given hand.
    double unheldBy_;
};

}  // namespace heuristic
