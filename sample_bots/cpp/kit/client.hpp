// The way to the referee: dial, greet, answer every frame, come back when the line is lost.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "kit/bot.hpp"

namespace kit {

/// Exit codes of a bot.
enum ExitCode : int {
    /// Goodbye, or SIGTERM.
    exitDone = 0,
    /// EUCHRE_STRICT is set and the bot threw.
    exitBotFailed = 1,
    /// The referee will not have this bot, or the environment is incomplete; trying again would not help.
    exitRefused = 2,
    /// The referee could not be reached within the grace time.
    exitLost = 4,
};

/// Where to go and as whom.
struct Settings {
    /// "unix:/path" or "host:port".
    std::string address;
    /// Where the bot was told to sit.
    std::string token;
    /// Overrides the name of About; empty: does not.
    std::string name;
    /// What Question::chance depends on.
    std::uint64_t seed = 0;
    /// Leave when the bot throws, instead of playing the default.
    bool strict = false;
    /// How long to try for the first Welcome, which tells the true grace time.
    std::chrono::milliseconds firstGrace{10'000};
};

/// The settings of EUCHRE_ADDRESS, EUCHRE_TOKEN, EUCHRE_NAME, EUCHRE_SEED and EUCHRE_STRICT.
Settings settingsFromEnvironment();

/// Plays until the referee says goodbye; returns the exit code. Reasons for leaving earlier are a line on stderr.
int play(const About& about, Bot& bot, const Settings& settings);

/// Plays with the settings of the environment, as a program: SIGTERM and SIGINT end it quietly. Returns the exit code.
/// Call it before other threads are started, which would take the signals.
int run(const About& about, Bot& bot);

}  // namespace kit
