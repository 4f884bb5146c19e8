#include "descriptions.hpp"

#include <google/protobuf/util/json_util.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

kit::Variant describe(const std::string& name) {
    const std::string path = std::string(VECTORS) + "/variants/" + name + ".json";
    std::ifstream file(path);
    std::stringstream content;
    if (!file || !(content << file.rdbuf())) {
        throw std::runtime_error(path + " cannot be read; the tests are for the Euchre Arena repository");
    }
    pb::Variant message;
    const auto status = google::protobuf::util::JsonStringToMessage(content.str(), &message);
    if (!status.ok()) {
        throw std::runtime_error(path + ": " + status.ToString());
    }
    return kit::Variant(message);
}

pb::DecisionRequest ask(pb::PhaseKind phase, const std::string& hand, std::uint32_t seat) {
    pb::DecisionRequest request;
    request.set_phase(phase);
    request.set_seat(seat);
    for (const kit::Card card : kit::parseCards(hand)) {
        request.add_cards(card);
    }
    for (const std::uint32_t active : {0, 1, 2, 3}) {
        request.add_active(active);
    }
    return request;
}

void offer(pb::DecisionRequest& request, std::initializer_list<kit::ActionKind> kinds) {
    for (const kit::ActionKind kind : kinds) {
        request.add_options()->set_kind(kind);
    }
}

void offerCards(pb::DecisionRequest& request, kit::ActionKind kind, const std::string& cards) {
    for (const kit::Card card : kit::parseCards(cards)) {
        pb::Action& option = *request.add_options();
        option.set_kind(kind);
        option.add_cards(card);
    }
}

void layTrick(pb::DecisionRequest& request, std::uint32_t leader, const std::string& cards) {
    for (const kit::Card card : kit::parseCards(cards)) {
        const auto seat = (leader + static_cast<std::uint32_t>(request.trick_size())) % 4;
        pb::TrickCard& played = *request.add_trick();
        played.set_seat(seat);
        played.set_card(card);
        pb::Event& event = *request.add_history();
        event.set_seat(seat);
        event.mutable_action()->set_kind(kit::PLAY);
        event.mutable_action()->add_cards(card);
    }
}
