#include "kit/cards.hpp"

#include <sstream>
#include <stdexcept>

namespace kit {

namespace {

constexpr std::string_view suitLetters = "SCHD";
constexpr std::string_view rankLetters = "23456789TJQKA";
constexpr std::array<std::string_view, strainLimit> strainNames = {"-", "S", "C", "H", "D", "NT", "NTL"};
constexpr int suitedCards = 52;

}  // namespace

std::string cardName(Card card) {
    const int number = card;
    if (number <= 0 || number >= static_cast<int>(cardLimit)) {
        return "--";
    }
    if (number > suitedCards) {
        return "X" + std::to_string(number - suitedCards);
    }
    const auto at = static_cast<std::size_t>(number - 1);
    return {rankLetters[at % 13], suitLetters[at / 13]};
}

std::string cardNames(const Cards& cards) {
    std::string names;
    for (const Card card : cards) {
        names += (names.empty() ? "" : " ") + cardName(card);
    }
    return names;
}

Card parseCard(std::string_view name) {
    if (name.size() == 2) {
        if (name[0] == 'X' && '1' <= name[1] && name[1] <= '3') {
            return static_cast<Card>(suitedCards + name[1] - '0');
        }
        const std::size_t rank = rankLetters.find(name[0]);
        const std::size_t suit = suitLetters.find(name[1]);
        if (rank != std::string_view::npos && suit != std::string_view::npos) {
            return static_cast<Card>(13 * suit + rank + 1);
        }
    }
    throw std::invalid_argument("\"" + std::string(name) +
                                "\" is no card; write rank then suit, as in AS, TC, 9H, or X1 for a joker");
}

Cards parseCards(std::string_view names) {
    Cards cards;
    std::istringstream words{std::string(names)};
    for (std::string word; words >> word;) {
        cards.push_back(parseCard(word));
    }
    return cards;
}

Suit printedSuit(Card card) {
    if (card < 1 || card > suitedCards) {
        return noSuit;
    }
    return static_cast<Suit>((card - 1) / 13 + 1);
}

std::string strainName(Strain strain) {
    const auto number = static_cast<std::size_t>(strain);
    return number < strainLimit ? std::string(strainNames[number]) : "?";
}

Strain parseStrain(std::string_view name) {
    for (std::size_t strain = 1; strain < strainLimit; ++strain) {
        if (strainNames[strain] == name) {
            return static_cast<Strain>(strain);
        }
    }
    throw std::invalid_argument("\"" + std::string(name) + "\" is no strain; write S, C, H, D, NT or NTL");
}

Cards without(const Cards& cards, const Cards& gone) {
    CardCounts count{};
    for (const Card card : gone) {
        ++count[card];
    }
    Cards left;
    left.reserve(cards.size());
    for (const Card card : cards) {
        if (count[card] > 0) {
            --count[card];
        } else {
            left.push_back(card);
        }
    }
    return left;
}

Cards with(const Cards& cards, Card more) {
    Cards all = cards;
    all.push_back(more);
    return all;
}

}  // namespace kit
