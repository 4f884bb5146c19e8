// The rule vectors of the Euchre Arena that concern a bot's kit: lawful cards, winners of tricks, orders of cards.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "descriptions.hpp"

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// Returns the files of a folder of vectors, sorted.
std::vector<fs::path> jsonFiles(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".json") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// Calls `check` with the id and each case of a kind; returns how many there were. A member that the reader does not
/// know fails: it holds an expectation that would be lost.
template <typename Check>
int forEachCase(const std::string& kind, std::set<std::string> known, Check check) {
    known.insert({"kind", "variant", "note", "strain"});
    int number = 0;
    for (const fs::path& path : jsonFiles(VECTORS)) {
        const json file = json::parse(std::ifstream(path));
        EXPECT_EQ(file.at("format"), 1) << path << ": this reader knows format 1";
        for (const json& vector : file.at("vectors")) {
            for (const json& one : vector.at("cases")) {
                if (one.at("kind") != kind) {
                    continue;
                }
                ++number;
                SCOPED_TRACE(vector.at("id").get<std::string>() + " " + one.dump());
                for (const auto& member : one.items()) {
                    EXPECT_TRUE(known.contains(member.key())) << "unknown member " << member.key();
                }
                const kit::Variant variant = describe(one.at("variant"));
                const kit::Strain strain =
                    one.contains("strain") ? kit::parseStrain(one["strain"].get<std::string>()) : kit::noStrain;
                check(one, variant, variant.order(strain));
            }
        }
    }
    return number;
}

kit::Cards cardsOf(const json& one, const std::string& member) {
    return kit::parseCards(one.at(member).get<std::string>());
}

TEST(Vectors, LawfulCards) {
    const std::set<std::string> members = {"led", "hand", "lawful", "default"};
    const int number =
        forEachCase("lawful", members, [](const json& one, const kit::Variant&, const kit::Order& order) {
            kit::Cards lawful = order.lowToHigh(cardsOf(one, "hand"));
            if (one.contains("led")) {
                lawful = order.follows(order.effective[cardsOf(one, "led").at(0)], lawful);
            }
            EXPECT_TRUE(one.contains("lawful") || one.contains("default")) << "the case expects nothing";
            if (one.contains("lawful")) {
                EXPECT_EQ(kit::cardNames(lawful), kit::cardNames(order.lowToHigh(cardsOf(one, "lawful"))));
            }
            if (one.contains("default")) {
                EXPECT_EQ(kit::cardName(lawful.at(0)), one["default"]);
            }
        });
    EXPECT_GT(number, 0);
}

TEST(Vectors, TrickWinners) {
    const int number = forEachCase("trick", {"trick", "winner"},
                                   [](const json& one, const kit::Variant& variant, const kit::Order& order) {
                                       std::vector<int> seats;
                                       kit::Cards cards;
                                       std::istringstream entries(one.at("trick").get<std::string>());
                                       for (std::string entry; entries >> entry;) {
                                           seats.push_back(entry.at(0) - '0');
                                           cards.push_back(kit::parseCard(entry.substr(2)));
                                       }
                                       EXPECT_EQ(seats.at(variant.winner(order, cards)), one.at("winner"));
                                   });
    EXPECT_GT(number, 0);
}

TEST(Vectors, OrdersOfCards) {
    const int number =
        forEachCase("order", {"cards", "up"}, [](const json& one, const kit::Variant&, const kit::Order& order) {
            EXPECT_EQ(kit::cardNames(order.lowToHigh(cardsOf(one, "cards"))), one.at("up"));
        });
    EXPECT_GT(number, 0);
}

TEST(Descriptions, EveryVariantOrdersItsWholeDeckInEveryStrain) {
    const auto files = jsonFiles(fs::path(VECTORS) / "variants");
    EXPECT_GT(files.size(), 30U);
    for (const fs::path& path : files) {
        const kit::Variant variant = describe(path.stem());
        for (const kit::Strain strain : variant.strains()) {
            for (const auto& entry : variant.message().deck()) {
                const kit::Suit suit = variant.order(strain).effective[entry.card()];
                EXPECT_NE(suit, kit::noSuit) << path << " " << kit::cardName(entry.card());
                EXPECT_EQ(kit::parseCard(kit::cardName(entry.card())), entry.card());
            }
        }
    }
}

TEST(Cards, WhatIsNoNameIsRefused) {
    for (const char* name : {"", "A", "1S", "AX", "X0", "X4", "TSS"}) {
        EXPECT_THROW(kit::parseCard(name), std::invalid_argument) << name;
    }
    EXPECT_THROW(kit::parseStrain("-"), std::invalid_argument);
    EXPECT_EQ(kit::strainName(kit::parseStrain("NTL")), "NTL");
}

TEST(Cards, OneCopyOfADoublePackIsTakenAway) {
    EXPECT_EQ(kit::cardNames(kit::without(kit::parseCards("AS AS KS"), kit::parseCard("AS"))), "AS KS");
}

TEST(Descriptions, PartnersAreTheOtherSeatsOfASide) {
    EXPECT_EQ(describe("standard").partners(1), std::vector<int>{3});
    EXPECT_TRUE(describe("buck").partners(1).empty());
}

}  // namespace
