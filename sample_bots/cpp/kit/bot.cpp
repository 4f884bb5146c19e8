#include "kit/bot.hpp"

#include <stdexcept>

namespace kit {

Question::Question(const pb::DecisionRequest& request, const kit::Variant& variant, std::uint64_t seed)
    : request_(&request), variant_(&variant), cards_(asCards(request.cards())), seed_(seed) {}

Cards Question::trick() const {
    Cards trick;
    for (const auto& played : request_->trick()) {
        trick.push_back(played.card());
    }
    return trick;
}

std::optional<int> Question::find(ActionKind kind) const {
    for (int i = 0; i < optionCount(); ++i) {
        if (option(i).kind() == kind) {
            return i;
        }
    }
    return std::nullopt;
}

std::optional<int> Question::find(ActionKind kind, Card card) const {
    for (int i = 0; i < optionCount(); ++i) {
        if (option(i).kind() == kind && option(i).cards_size() > 0 && option(i).cards(0) == card) {
            return i;
        }
    }
    return std::nullopt;
}

std::mt19937_64 Question::chance() const {
    std::vector<std::uint32_t> key = {static_cast<std::uint32_t>(seed_),
                                      static_cast<std::uint32_t>(seed_ >> 32),
                                      request_->hand(),
                                      request_->seat(),
                                      request_->dealer(),
                                      static_cast<std::uint32_t>(request_->phase()),
                                      static_cast<std::uint32_t>(request_->history_size())};
    for (const Card card : cards_) {
        key.push_back(static_cast<std::uint32_t>(card));
    }
    std::seed_seq sequence(key.begin(), key.end());
    return std::mt19937_64(sequence);
}

Answer Answer::cards(ActionKind kind, const Cards& cards) {
    pb::Action action;
    action.set_kind(kind);
    for (const Card card : cards) {
        action.add_cards(card);
    }
    return Answer(std::move(action));
}

Answer& Answer::withConfidence(double confidence) {
    confidence_ = confidence;
    return *this;
}

Answer& Answer::withNote(std::string note) {
    note_ = std::move(note);
    return *this;
}

const pb::Action& Answer::does(const Question& question) const {
    if (const auto* action = std::get_if<pb::Action>(&choice_)) {
        return *action;
    }
    const int index = std::get<int>(choice_);
    if (index < 0 || index >= question.optionCount()) {
        throw std::out_of_range("option " + std::to_string(index) + " was chosen; there are " +
                                std::to_string(question.optionCount()) + ", from 0");
    }
    return question.option(index);
}

pb::Reply Answer::reply(const Question& question) const {
    const pb::Action& action = does(question);
    pb::Reply reply;
    reply.set_decision_id(question.request().decision_id());
    if (const auto* index = std::get_if<int>(&choice_)) {
        reply.set_option(static_cast<std::uint32_t>(*index));
    } else {
        *reply.mutable_action() = action;
    }
    if (confidence_) {
        reply.set_confidence(*confidence_);
    }
    reply.set_note(note_);
    return reply;
}

Answer decide(Bot& bot, const Question& question) {
    switch (question.request().phase()) {
        case pb::PHASE_KIND_REDEAL_CLAIM:
            return bot.redealClaim(question);
        case pb::PHASE_KIND_BLIND_NAMING:
            return bot.blindNaming(question);
        case pb::PHASE_KIND_UPCARD_AUCTION:
            return bot.upcardAuction(question);
        case pb::PHASE_KIND_PICK_UP:
            return bot.pickUp(question);
        case pb::PHASE_KIND_GOING_ALONE:
            return bot.goingAlone(question);
        case pb::PHASE_KIND_EXCHANGE:
            return bot.exchange(question);
        case pb::PHASE_KIND_BID_AUCTION:
            return bot.bidAuction(question);
        case pb::PHASE_KIND_STRAIN_CHOICE:
            return bot.strainChoice(question);
        case pb::PHASE_KIND_WIDOW:
            return bot.widow(question);
        case pb::PHASE_KIND_WIDOW_DISCARD:
            return bot.widowDiscard(question);
        case pb::PHASE_KIND_HAND_SWAP:
            return bot.handSwap(question);
        case pb::PHASE_KIND_DEALER_MAKES:
            return bot.dealerMakes(question);
        case pb::PHASE_KIND_KITTY_SWAP:
            return bot.kittySwap(question);
        case pb::PHASE_KIND_DROP_OUT:
            return bot.dropOut(question);
        case pb::PHASE_KIND_ALLY_CALL:
            return bot.allyCall(question);
        case pb::PHASE_KIND_PLAY:
            return bot.play(question);
        default:
            return bot.otherwise(question);
    }
}

}  // namespace kit
