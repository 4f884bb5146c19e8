// Cards, suits and strains: the numbers of the wire, with their names.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "euchre/v1/actions.pb.h"
#include "euchre/v1/cards.pb.h"

namespace pb = euchre::v1;

namespace kit {

/// A card; 0 is none.
using Card = pb::Card;
/// A suit, 1 to 4 for spades, clubs, hearts, diamonds; 0 is none.
using Suit = pb::Suit;
/// What a hand is played in; 1 to 4 are the suits, 0 is not fixed yet.
using Strain = pb::Strain;
/// What a seat does; kinds.hpp has short names.
using ActionKind = pb::ActionKind;
using Cards = std::vector<Card>;

inline constexpr Card noCard = pb::CARD_UNSPECIFIED;
inline constexpr Suit noSuit = pb::SUIT_UNSPECIFIED;
inline constexpr Strain noStrain = pb::STRAIN_UNSPECIFIED;

/// One more than the greatest card number: the length of a table by card.
inline constexpr std::size_t cardLimit = 56;
/// The length of a table by suit, 0 included.
inline constexpr std::size_t suitLimit = 5;
/// The length of a table by strain, 0 included.
inline constexpr std::size_t strainLimit = 7;

/// Every suit, in the canonical order.
inline constexpr std::array<Suit, 4> allSuits = {pb::SUIT_SPADES, pb::SUIT_CLUBS, pb::SUIT_HEARTS, pb::SUIT_DIAMONDS};

/// How many copies there are of something, by card.
using CardCounts = std::array<int, cardLimit>;

/// Rank then suit, "AS"; "X1" for a joker; "--" for no card.
std::string cardName(Card card);

/// The names with blanks between them.
std::string cardNames(const Cards& cards);

/// The card of a name such as "AS" or "X1". Throws std::invalid_argument if it is none.
Card parseCard(std::string_view name);

/// The cards of names with blanks between them. Throws std::invalid_argument.
Cards parseCards(std::string_view names);

/// The suit on the card, none for a joker.
Suit printedSuit(Card card);

/// The rank of a suited card from 0 (a two) to 12 (an ace).
inline int rankOf(Card card) { return (static_cast<int>(card) - 1) % 13; }

/// The strain in which a suit is trumps.
inline Strain strainOf(Suit suit) { return static_cast<Strain>(suit); }

/// The suit of trumps; none without trumps, and while none is fixed.
inline Suit trumpSuit(Strain strain) { return strain >= pb::STRAIN_NO_TRUMP ? noSuit : static_cast<Suit>(strain); }

/// S, C, H, D, NT, NTL, or "-" while none is fixed.
std::string strainName(Strain strain);

/// The inverse of strainName. Throws std::invalid_argument.
Strain parseStrain(std::string_view name);

/// The cards less one copy of each of those gone.
Cards without(const Cards& cards, const Cards& gone);
inline Cards without(const Cards& cards, Card gone) { return without(cards, Cards{gone}); }

/// The cards and one more.
Cards with(const Cards& cards, Card more);

/// A list of the wire as cards.
template <typename List>
Cards asCards(const List& list) {
    Cards cards;
    cards.reserve(static_cast<std::size_t>(list.size()));
    for (const int card : list) {
        cards.push_back(static_cast<Card>(card));
    }
    return cards;
}

}  // namespace kit
