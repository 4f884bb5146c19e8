// Which card to play: the part "Play" of docs/heuristic.md.
#pragma once

#include <vector>

#include "kit/bot.hpp"

namespace heuristic {

/// How many copies of each card may be in other hands: all but the own cards and those known to be gone.
kit::CardCounts unseen(const kit::Question& q);

/// A question about a card to play in a strain that is fixed, with what is known of the others. The question outlives
/// it.
class Position {
  public:
    explicit Position(const kit::Question& q);

    /// The card to lead: trumps from the top for the makers, likely winners, else the lowest.
    kit::Card lead() const;
    /// The card to a trick that has begun.
    kit::Card follow() const;

  private:
    std::vector<int> seenTeams() const;
    int knownAlly() const;
    kit::Card followUnder(const kit::Cards& lawful, const kit::Cards& winners, const kit::Cards& losers, int holder,
                          int pending) const;
    bool areFriends(int seat, int other) const;

    const kit::Question& q_;
    const kit::Order& order_;
    /// Copies that may be in other hands.
    kit::CardCounts out_;
    int me_;
    /// Nobody if there is none.
    int maker_;
    /// Who undertakes to take no trick, or nobody.
    int avoids_;
    /// By seat; equal for seats that play together, as far as this seat knows.
    std::vector<int> teams_;
};

}  // namespace heuristic
