// One variant, as the referee describes it: the order of its cards, its bids, who plays with whom.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "euchre/v1/variants.pb.h"
#include "kit/cards.hpp"

namespace kit {

/// The order of the cards under one strain. Its tables are indexed by card.
struct Order {
    /// What is played; none while it is not fixed.
    Strain strain = noStrain;
    /// The suit of a card for every purpose of play: bowers and jokers are trumps.
    std::array<Suit, cardLimit> effective{};
    /// How high a card is in its suit, 1 the lowest; cards of equal rank have equal heights. Trumps have 100 more.
    std::array<int, cardLimit> height{};
    /// How high a card is among all cards (SRV-LOW-1): trumps by height, above plain cards, which count by rank.
    std::array<int, cardLimit> level{};
    /// The cards of each effective suit, high to low, each once.
    std::array<Cards, suitLimit> bySuit{};

    bool isTrump(Card card) const;

    /// How strong a card is in a trick to which a suit was led; the greatest wins, 0 cannot win.
    int strength(Suit led, Card card) const;

    /// The cards of a hand that may be played to a suit led: those that follow, or all if none does.
    Cards follows(Suit led, const Cards& cards) const;

    /// The cards from the lowest to the highest (SRV-LOW-1), the order in which a question has them.
    Cards lowToHigh(Cards cards) const;
};

/// One bid of the ladder.
struct Rung {
    pb::BidName name = pb::BID_NAME_UNSPECIFIED;
    int number = 0;
    /// A bid outbids every bid of lower rank.
    int rank = 0;
    /// Tricks undertaken.
    int tricks = 0;
    /// Where the bid has a value of its own; zero where tricks are counted.
    int value = 0;
    bool alone = false;
    std::vector<Strain> strains;

    /// It undertakes to take no trick.
    bool isMisere() const { return name == pb::BID_NAME_MISERE; }
};

/// Everything about one variant: what the referee said, and tables made from it.
class Variant {
  public:
    explicit Variant(pb::Variant message);

    /// What the referee said.
    const pb::Variant& message() const { return message_; }
    int seats() const { return static_cast<int>(message_.seats()); }
    int handSize() const { return static_cast<int>(message_.hand_size()); }
    /// How often the deck has a card.
    const CardCounts& copies() const { return copies_; }
    /// The cards of the deck, copies counted.
    int deckSize() const { return deckSize_; }
    /// What a hand can be played in.
    const std::vector<Strain>& strains() const { return strains_; }

    /// The order of the cards under a strain; while none is fixed that of printed suits.
    const Order& order(Strain strain) const { return orders_.at(static_cast<std::size_t>(strain)); }

    /// The value of an option, empty if the variant has no such option.
    const std::string& option(const std::string& name) const;
    /// Whether a hand has a phase.
    bool hasPhase(pb::PhaseKind phase) const { return phases_.contains(phase); }
    /// What a bid undertakes. A forced bid may be below the least one of the ladder (HAS-AUC-2).
    Rung rung(const pb::Bid& bid) const;

    /// Whether who plays with whom is the same in every hand.
    bool hasFixedSides() const { return message_.alliance() == pb::ALLIANCE_FIXED; }
    /// The index of a seat's side in the order of totals.
    int sideOf(int seat) const { return sideOf_.at(static_cast<std::size_t>(seat)); }
    /// The other seats of a fixed side; nobody where every seat is a side.
    std::vector<int> partners(int seat) const;

    /// Whether a card, played later, wins over the best so far in a trick to which a suit was led.
    bool beats(const Order& order, Suit led, Card card, Card best) const;
    /// The index of the card that wins a trick that is not empty.
    std::size_t winner(const Order& order, const Cards& trick) const;

  private:
    void makeOrders();

    pb::Variant message_;
    CardCounts copies_{};
    int deckSize_ = 0;
    std::vector<Strain> strains_;
    std::array<Order, strainLimit> orders_;
    std::map<std::pair<int, int>, Rung> rungs_;
    std::vector<int> sideOf_;
    std::map<std::string, std::string> options_;
    std::set<pb::PhaseKind> phases_;
    bool laterWins_;
};

}  // namespace kit
