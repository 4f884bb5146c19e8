#include "kit/variant.hpp"

#include <algorithm>
#include <tuple>

namespace kit {

namespace {

/// Added to the height of a trump, so that it is above every other card.
constexpr int trumpBonus = 100;

std::vector<Strain> asStrains(const google::protobuf::RepeatedField<int>& list) {
    std::vector<Strain> strains;
    for (const int strain : list) {
        strains.push_back(static_cast<Strain>(strain));
    }
    return strains;
}

/// Fills `level`. A suit that lacks a card (the jack that is a bower) says less of the ranks above it than others,
/// so the greatest height that cards of a rank have in plain suits counts.
void makeLevels(Order& order) {
    std::array<int, 13> ranks{};
    for (const Suit suit : allSuits) {
        if (suit == trumpSuit(order.strain)) {
            continue;
        }
        for (const Card card : order.bySuit[suit]) {
            if (printedSuit(card) != noSuit) {
                int& rank = ranks[static_cast<std::size_t>(rankOf(card))];
                rank = std::max(rank, order.height[card]);
            }
        }
    }
    for (std::size_t number = 1; number < cardLimit; ++number) {
        const auto card = static_cast<Card>(number);
        if (order.isTrump(card)) {
            order.level[card] = order.height[card];
        } else if (printedSuit(card) == noSuit) {  // while no strain is fixed the jokers alone count as trumps
            order.level[card] = 2 * trumpBonus - static_cast<int>(card);
        } else {
            order.level[card] = ranks[static_cast<std::size_t>(rankOf(card))];
        }
    }
}

}  // namespace

bool Order::isTrump(Card card) const { return height[card] > trumpBonus; }

int Order::strength(Suit led, Card card) const { return isTrump(card) || effective[card] == led ? height[card] : 0; }

Cards Order::follows(Suit led, const Cards& cards) const {
    Cards following;
    std::copy_if(cards.begin(), cards.end(), std::back_inserter(following),
                 [&](Card card) { return effective[card] == led; });
    return following.empty() ? cards : following;
}

Cards Order::lowToHigh(Cards cards) const {
    const auto key = [this](Card card) { return std::tuple(level[card], effective[card], card); };
    std::stable_sort(cards.begin(), cards.end(), [&](Card a, Card b) { return key(a) < key(b); });
    return cards;
}

Variant::Variant(pb::Variant message)
    : message_(std::move(message)),
      strains_(asStrains(message_.strains())),
      sideOf_(message_.seats()),
      laterWins_(message_.duplicates() == "later") {
    for (const auto& entry : message_.deck()) {
        copies_.at(static_cast<std::size_t>(entry.card())) = static_cast<int>(entry.copies());
        deckSize_ += static_cast<int>(entry.copies());
    }
    for (int side = 0; side < message_.sides_size(); ++side) {
        for (const auto seat : message_.sides(side).seats()) {
            sideOf_.at(seat) = side;
        }
    }
    for (const auto& option : message_.options()) {
        options_[option.name()] = option.value();
    }
    for (const int phase : message_.phases()) {
        phases_.insert(static_cast<pb::PhaseKind>(phase));
    }
    for (const auto& bid : message_.bids()) {
        const int number = static_cast<int>(bid.bid().number());
        rungs_[{bid.bid().name(), number}] = Rung{bid.bid().name(),
                                                  number,
                                                  static_cast<int>(bid.rank()),
                                                  static_cast<int>(bid.tricks()),
                                                  static_cast<int>(bid.value()),
                                                  bid.alone(),
                                                  asStrains(bid.strains())};
    }
    makeOrders();
}

void Variant::makeOrders() {
    Order unfixed;
    for (const Suit suit : allSuits) {
        Cards& cards = unfixed.bySuit[suit];
        for (int card = 13 * suit; card > 13 * (suit - 1); --card) {
            if (copies_[static_cast<std::size_t>(card)] > 0) {
                cards.push_back(static_cast<Card>(card));
            }
        }
        int height = static_cast<int>(cards.size());
        for (const Card card : cards) {
            unfixed.effective[card] = suit;
            unfixed.height[card] = height--;
        }
    }
    makeLevels(unfixed);
    orders_.fill(unfixed);
    for (const auto& told : message_.orders()) {
        Order order;
        order.strain = told.strain();
        for (const auto& suit : told.suits()) {
            order.bySuit.at(static_cast<std::size_t>(suit.suit())) = asCards(suit.cards());
            const int bonus = suit.suit() == trumpSuit(told.strain()) ? trumpBonus : 0;
            for (int i = 0; i < suit.cards_size(); ++i) {
                const auto card = static_cast<std::size_t>(suit.cards(i));
                order.effective.at(card) = suit.suit();
                order.height.at(card) = suit.cards_size() - static_cast<int>(suit.ranks(i)) + bonus;
            }
        }
        makeLevels(order);
        orders_.at(static_cast<std::size_t>(told.strain())) = std::move(order);
    }
}

const std::string& Variant::option(const std::string& name) const {
    static const std::string absent;
    const auto found = options_.find(name);
    return found == options_.end() ? absent : found->second;
}

Rung Variant::rung(const pb::Bid& bid) const {
    const int number = static_cast<int>(bid.number());
    if (const auto found = rungs_.find({bid.name(), number}); found != rungs_.end()) {
        return found->second;
    }
    return Rung{bid.name(), number, -1, number, 0, false, strains_};
}

std::vector<int> Variant::partners(int seat) const {
    std::vector<int> partners;
    for (int other = 0; other < seats(); ++other) {
        if (other != seat && sideOf(other) == sideOf(seat)) {
            partners.push_back(other);
        }
    }
    return partners;
}

bool Variant::beats(const Order& order, Suit led, Card card, Card best) const {
    const int later = order.strength(led, card);
    const int earlier = order.strength(led, best);
    return later > earlier || (later == earlier && later > 0 && laterWins_);
}

std::size_t Variant::winner(const Order& order, const Cards& trick) const {
    const Suit led = order.effective[trick.at(0)];
    std::size_t best = 0;
    for (std::size_t i = 1; i < trick.size(); ++i) {
        if (beats(order, led, trick[i], trick[best])) {
            best = i;
        }
    }
    return best;
}

}  // namespace kit
