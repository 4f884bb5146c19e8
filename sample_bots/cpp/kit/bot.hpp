// What a bot is: a class that answers questions, one method for each kind.
//
//     struct HighestCard : kit::Bot {
//         kit::Answer play(const kit::Question& q) override { return kit::Answer::option(q.optionCount() - 1); }
//     };
//
//     int main() {
//         HighestCard bot;
//         return kit::run({.name = "highest-card"}, bot);
//     }
//
// Cards, suits, strains and seats are the numbers of the wire everywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "euchre/v1/play.pb.h"
#include "kit/cards.hpp"
#include "kit/kinds.hpp"
#include "kit/variant.hpp"

namespace kit {

/// What a bot says of itself.
struct About {
    /// Told to the referee, for its logs; EUCHRE_NAME overrides it.
    std::string name = "bot";
    /// The bot's own version, for the record.
    std::string version = "";
    /// Tables it takes at once; zero: no limit of its own.
    std::uint32_t tables = 0;
    /// Presets it plays; empty: all.
    std::vector<std::string> variants = {};
};

/// One question to one seat: the request, and the variant it is asked in. Both outlive it.
class Question {
  public:
    Question(const pb::DecisionRequest& request, const kit::Variant& variant, std::uint64_t seed = 0);

    /// All that the seat may know; the comments of the wire contract say what each field means.
    const pb::DecisionRequest& request() const { return *request_; }
    const kit::Variant& variant() const { return *variant_; }
    /// The order of the cards in the strain of this hand.
    const Order& order() const { return variant_->order(request_->strain()); }
    /// The seat's cards, low to high.
    const Cards& cards() const { return cards_; }
    int seat() const { return static_cast<int>(request_->seat()); }
    /// The cards of the trick so far, in the order played.
    Cards trick() const;

    int optionCount() const { return request_->options_size(); }
    const pb::Action& option(int index) const { return request_->options(index); }
    /// The index of the first option of a kind.
    std::optional<int> find(ActionKind kind) const;
    /// The index of the first option of a kind that names a card.
    std::optional<int> find(ActionKind kind, Card card) const;

    /// A source of chance that follows from EUCHRE_SEED and from what the seat knows, and from nothing else: the same
    /// question gets the same answer, whatever else the bot plays at the same time.
    std::mt19937_64 chance() const;

  private:
    const pb::DecisionRequest* request_;
    const kit::Variant* variant_;
    Cards cards_;
    std::uint64_t seed_;
};

/// The index of an option, or an action spelled out.
class Answer {
  public:
    /// The option of this index.
    static Answer option(int index) { return Answer(index); }
    /// The option of this index; without one the default, option 0.
    static Answer option(std::optional<int> index) { return Answer(index.value_or(0)); }
    /// The answer to a choice of cards: an action of its kind with these cards.
    static Answer cards(ActionKind kind, const Cards& cards);
    /// Any action.
    static Answer action(pb::Action action) { return Answer(std::move(action)); }

    /// How sure the bot is that this is best, 0 to 1; kept for the record.
    Answer& withConfidence(double confidence);
    /// A few words for the record.
    Answer& withNote(std::string note);

    /// What this does in answer to a question. Throws std::out_of_range if there is no such option.
    const pb::Action& does(const Question& question) const;
    /// This as the reply to a question. Throws std::out_of_range if there is no such option.
    pb::Reply reply(const Question& question) const;

  private:
    explicit Answer(std::variant<int, pb::Action> choice) : choice_(std::move(choice)) {}

    std::variant<int, pb::Action> choice_;
    std::optional<double> confidence_;
    std::string note_;
};

/// A bot. Override the methods of the phases that you have an opinion on; the others fall through to `otherwise`,
/// which plays the default of the rules (pass, stay, the lowest card).
///
/// Methods are called one after the other from one thread. What they throw is reported on stderr, and the default is
/// played.
class Bot {
  public:
    virtual ~Bot() = default;

    /// Answers what no other method does: with the default.
    virtual Answer otherwise(const Question&) { return Answer::option(0); }

    /// NO_CLAIM or CLAIM_REDEAL.
    virtual Answer redealClaim(const Question& q) { return otherwise(q); }
    /// NAME_BLIND by suit, without having seen the hand.
    virtual Answer blindNaming(const Question& q) { return otherwise(q); }
    /// PASS, ORDER_UP, TAKE_UP, TURN_DOWN, NAME, and their forms alone.
    virtual Answer upcardAuction(const Question& q) { return otherwise(q); }
    /// LEAVE_UPCARD or TAKE_UPCARD; or DISCARD one card.
    virtual Answer pickUp(const Question& q) { return otherwise(q); }
    /// NOT_ALONE or ALONE.
    virtual Answer goingAlone(const Question& q) { return otherwise(q); }
    /// ASK, OFFER, CALL_BEST, SWAP, GIVE and their refusals: cards between a loner and a partner.
    virtual Answer exchange(const Question& q) { return otherwise(q); }
    /// PASS, or BID.
    virtual Answer bidAuction(const Question& q) { return otherwise(q); }
    /// CHOOSE a strain.
    virtual Answer strainChoice(const Question& q) { return otherwise(q); }
    /// LEAVE_WIDOW or TAKE_WIDOW.
    virtual Answer widow(const Question& q) { return otherwise(q); }
    /// DISCARD as many cards as the widow had.
    virtual Answer widowDiscard(const Question& q) { return otherwise(q); }
    /// KEEP_HAND or TAKE_HAND.
    virtual Answer handSwap(const Question& q) { return otherwise(q); }
    /// KEEP_UPCARD or TAKE_AND_SHOW a discard.
    virtual Answer dealerMakes(const Question& q) { return otherwise(q); }
    /// NO_SWAP or SWAP_KITTY some cards.
    virtual Answer kittySwap(const Question& q) { return otherwise(q); }
    /// STAY or DROP.
    virtual Answer dropOut(const Question& q) { return otherwise(q); }
    /// CALL_SUIT or CALL_CARD.
    virtual Answer allyCall(const Question& q) { return otherwise(q); }
    /// PLAY a card.
    virtual Answer play(const Question& q) { return otherwise(q); }

    /// Hears what happens at the tables: games begin and end, hands end with all cards revealed, faults. The kit has
    /// printed faults to stderr already.
    virtual void notice(const pb::Notice&) {}
};

/// The answer of the method for the phase asked; `otherwise` in a phase that this kit does not know.
Answer decide(Bot& bot, const Question& question);

}  // namespace kit
