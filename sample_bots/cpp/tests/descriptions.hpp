// Descriptions of the presets, and questions written by hand.
#pragma once

#include <initializer_list>
#include <string>

#include "kit/bot.hpp"

/// The preset's or variant's description in the Euchre Arena repository. Throws std::runtime_error if there is none.
kit::Variant describe(const std::string& name);

/// A question of a phase to a seat of four, with a hand, low to high, as the referee sends it.
pb::DecisionRequest ask(pb::PhaseKind phase, const std::string& hand, std::uint32_t seat = 0);

/// Adds options that are a word and nothing more.
void offer(pb::DecisionRequest& request, std::initializer_list<kit::ActionKind> kinds);

/// Adds options that name one card each.
void offerCards(pb::DecisionRequest& request, kit::ActionKind kind, const std::string& cards);

/// Makes the cards the trick so far and the history, led by a seat of four.
void layTrick(pb::DecisionRequest& request, std::uint32_t leader, const std::string& cards);
