// The client against a referee in the same process, over a unix socket.
#include "kit/client.hpp"

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <future>
#include <mutex>

#include "euchre/v1/referee.grpc.pb.h"

namespace {

using Stream = grpc::ServerReaderWriter<pb::RefereeFrame, pb::BotFrame>;
using Script = std::function<grpc::Status(Stream&)>;

/// A service that plays a script on each stream in turn; the last one is for all further streams.
class Referee : public pb::RefereeService::Service {
  public:
    explicit Referee(std::vector<Script> scripts) : scripts_(std::move(scripts)) {
        std::string pattern = std::filesystem::temp_directory_path() / "euchre-XXXXXX";
        folder_ = mkdtemp(pattern.data());
        address_ = "unix:" + (folder_ / "s").string();
        grpc::ServerBuilder builder;
        builder.AddListeningPort(address_, grpc::InsecureServerCredentials(), &port_);
        builder.RegisterService(this);
        server_ = builder.BuildAndStart();
    }

    ~Referee() override {
        server_->Shutdown(std::chrono::system_clock::now());
        std::filesystem::remove_all(folder_);
    }

    const std::string& address() const { return address_; }

    grpc::Status Play(grpc::ServerContext*, Stream* stream) override {
        pb::BotFrame first;
        if (!stream->Read(&first)) {
            return {grpc::StatusCode::INVALID_ARGUMENT, "no Hello"};
        }
        Script script;
        {
            const std::lock_guard lock(mutex_);
            hello = first.hello();
            script = scripts_.at(std::min(visits, scripts_.size() - 1));
            ++visits;
        }
        return script(*stream);
    }

    grpc::Status DescribeVariant(grpc::ServerContext*, const pb::DescribeVariantRequest* request,
                                 pb::DescribeVariantResponse* response) override {
        const std::lock_guard lock(mutex_);
        ++described;
        response->mutable_variant()->set_id(request->variant());
        response->mutable_variant()->set_seats(4);
        return grpc::Status::OK;
    }

    // To be read when the bot is gone.
    pb::Hello hello;
    std::size_t visits = 0;
    int described = 0;

  private:
    std::vector<Script> scripts_;
    std::filesystem::path folder_;
    std::string address_;
    int port_ = 0;
    std::mutex mutex_;
    std::unique_ptr<grpc::Server> server_;
};

kit::Settings settingsFor(const Referee& referee) {
    return {.address = referee.address(), .token = "seat-3", .name = "tested", .seed = 5};
}

const kit::About about = {.name = "kit", .version = "7", .tables = 2};

pb::RefereeFrame welcome(std::uint32_t grace) {
    pb::RefereeFrame frame;
    frame.mutable_welcome()->set_protocol_version(1);
    frame.mutable_welcome()->set_grace_milliseconds(grace);
    return frame;
}

void askIn(pb::RefereeFrame& frame, std::uint64_t decision, int options) {
    pb::DecisionRequest& request = *frame.add_requests();
    request.set_decision_id(decision);
    request.set_variant("some-game");
    request.set_phase(pb::PHASE_KIND_PLAY);
    for (int i = 0; i < options; ++i) {
        request.add_options()->set_kind(kit::PLAY);
    }
}

/// Sends the last frame and waits for the half-close.
grpc::Status goodbye(Stream& stream) {
    pb::RefereeFrame frame;
    frame.mutable_goodbye()->set_reason("done");
    stream.Write(frame);
    pb::BotFrame more;
    return stream.Read(&more) ? grpc::Status(grpc::StatusCode::INTERNAL, "expected a half-close") : grpc::Status::OK;
}

/// A script that sends a frame, keeps the answer, and says goodbye.
Script exchange(const pb::RefereeFrame& frame, pb::BotFrame& answered) {
    return [&answered, frame](Stream& stream) {
        stream.Write(frame);
        stream.Read(&answered);
        return goodbye(stream);
    };
}

struct LastOption : kit::Bot {
    kit::Answer play(const kit::Question& q) override { return kit::Answer::option(q.optionCount() - 1); }
};

struct Throws : kit::Bot {
    kit::Answer play(const kit::Question&) override { throw std::runtime_error("no idea"); }
};

struct OptionTooHigh : kit::Bot {
    kit::Answer play(const kit::Question& q) override { return kit::Answer::option(q.optionCount()); }
};

TEST(Client, AnswersAFrameOfQuestionsInOneFrame) {
    pb::BotFrame answered;
    int frames = 0;
    // A machine that takes the processor away between two questions gets two frames; not every time.
    const Script untilInOne = [&answered, &frames](Stream& stream) {
        pb::RefereeFrame frame = welcome(1000);
        for (int attempt = 0; attempt < 1000 && frames != 1; ++attempt) {
            askIn(frame, 7, 2);
            askIn(frame, 9, 4);
            stream.Write(frame);
            answered.Clear();
            pb::BotFrame part;
            for (frames = 0; answered.replies_size() < 2 && stream.Read(&part); ++frames) {
                answered.MergeFrom(part);
            }
            frame.Clear();
        }
        return goodbye(stream);
    };
    Referee referee({untilInOne});
    LastOption bot;
    EXPECT_EQ(kit::play(about, bot, settingsFor(referee)), kit::exitDone);
    EXPECT_EQ(frames, 1);
    ASSERT_EQ(answered.replies_size(), 2);
    EXPECT_EQ(answered.replies(0).decision_id(), 7U);
    EXPECT_EQ(answered.replies(0).option(), 1U);
    EXPECT_EQ(answered.replies(1).decision_id(), 9U);
    EXPECT_EQ(answered.replies(1).option(), 3U);
    EXPECT_EQ(referee.described, 1);
    EXPECT_EQ(referee.hello.protocol_version(), 1U);
    EXPECT_EQ(referee.hello.name(), "tested");
    EXPECT_EQ(referee.hello.token(), "seat-3");
    EXPECT_EQ(referee.hello.version(), "7");
    EXPECT_EQ(referee.hello.tables(), 2U);
}

TEST(Client, SendsAPingBack) {
    pb::RefereeFrame frame;
    frame.mutable_ping()->set_nonce(42);
    pb::BotFrame answered;
    Referee referee({exchange(frame, answered)});
    LastOption bot;
    EXPECT_EQ(kit::play(about, bot, settingsFor(referee)), kit::exitDone);
    EXPECT_EQ(answered.pong().nonce(), 42U);
}

TEST(Client, GoesToAPortToo) {
    Referee referee({goodbye});
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(&referee);
    const auto server = builder.BuildAndStart();
    kit::Settings settings = settingsFor(referee);
    settings.address = "localhost:" + std::to_string(port);
    LastOption bot;
    EXPECT_EQ(kit::play(about, bot, settings), kit::exitDone);
    EXPECT_EQ(referee.visits, 1U);
}

template <typename Failing>
void playsTheDefault() {
    pb::RefereeFrame frame;
    askIn(frame, 5, 3);
    pb::BotFrame answered;
    Referee referee({exchange(frame, answered)});
    Failing bot;
    testing::internal::CaptureStderr();
    EXPECT_EQ(kit::play(about, bot, settingsFor(referee)), kit::exitDone);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("played option 0 instead"), std::string::npos);
    ASSERT_EQ(answered.replies_size(), 1);
    EXPECT_TRUE(answered.replies(0).has_option());
    EXPECT_EQ(answered.replies(0).option(), 0U);
}

TEST(Client, PlaysTheDefaultForABotThatThrows) { playsTheDefault<Throws>(); }

TEST(Client, PlaysTheDefaultForAnOptionThatDoesNotExist) { playsTheDefault<OptionTooHigh>(); }

TEST(Client, LeavesABotThatThrowsWhenStrict) {
    pb::RefereeFrame frame;
    askIn(frame, 5, 3);
    pb::BotFrame answered;
    Referee referee({exchange(frame, answered)});
    kit::Settings settings = settingsFor(referee);
    settings.strict = true;
    Throws bot;
    testing::internal::CaptureStderr();
    EXPECT_EQ(kit::play(about, bot, settings), kit::exitBotFailed);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
    EXPECT_NE(said.find("tested: the bot threw at hand 0 seat 0 of some-game, decision 5: no idea"), std::string::npos)
        << said;
}

TEST(Client, SeeksALostStreamAgain) {
    const Script lose = [](Stream& stream) {
        stream.Write(welcome(5000));
        return grpc::Status(grpc::StatusCode::UNAVAILABLE, "gone");
    };
    Referee referee({lose, lose, goodbye});
    LastOption bot;
    EXPECT_EQ(kit::play(about, bot, settingsFor(referee)), kit::exitDone);
    EXPECT_EQ(referee.visits, 3U);
}

TEST(Client, SeeksAgainAfterAnEndWithoutAGoodbye) {
    Referee referee({[](Stream&) { return grpc::Status::OK; }, goodbye});
    LastOption bot;
    EXPECT_EQ(kit::play(about, bot, settingsFor(referee)), kit::exitDone);
    EXPECT_EQ(referee.visits, 2U);
}

class Refusal : public testing::TestWithParam<grpc::StatusCode> {};

TEST_P(Refusal, IsFinal) {
    Referee referee({[](Stream&) { return grpc::Status(GetParam(), "not you"); }});
    LastOption bot;
    testing::internal::CaptureStderr();
    EXPECT_EQ(kit::play(about, bot, settingsFor(referee)), kit::exitRefused);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
    EXPECT_NE(said.find("not you"), std::string::npos) << said;
    EXPECT_EQ(referee.visits, 1U);
}

INSTANTIATE_TEST_SUITE_P(Codes, Refusal,
                         testing::Values(grpc::StatusCode::FAILED_PRECONDITION, grpc::StatusCode::UNAUTHENTICATED,
                                         grpc::StatusCode::INVALID_ARGUMENT));

TEST(Client, GivesUpARefereeThatStaysAwayForTheGraceTime) {
    Referee referee({[](Stream& stream) {
                         stream.Write(welcome(300));
                         return grpc::Status(grpc::StatusCode::UNAVAILABLE, "gone");
                     },
                     [](Stream&) { return grpc::Status(grpc::StatusCode::UNAVAILABLE, "still gone"); }});
    LastOption bot;
    testing::internal::CaptureStderr();
    EXPECT_EQ(kit::play(about, bot, settingsFor(referee)), kit::exitLost);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("within 300 ms"), std::string::npos);
    EXPECT_GE(referee.visits, 2U);
}

TEST(Client, TriesNothingWithoutAnAddress) {
    LastOption bot;
    testing::internal::CaptureStderr();
    EXPECT_EQ(kit::play(about, bot, {}), kit::exitRefused);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("EUCHRE_ADDRESS is not set"), std::string::npos);
}

TEST(Client, TheEnvironmentSaysWhereToGoAndAsWhom) {
    setenv("EUCHRE_ADDRESS", " unix:/here ", 1);
    setenv("EUCHRE_TOKEN", "t", 1);
    setenv("EUCHRE_SEED", "18446744073709551615", 1);
    setenv("EUCHRE_STRICT", "0", 1);
    kit::Settings settings = kit::settingsFromEnvironment();
    EXPECT_EQ(settings.address, "unix:/here");
    EXPECT_EQ(settings.token, "t");
    EXPECT_EQ(settings.seed, 18446744073709551615U);
    EXPECT_FALSE(settings.strict);
    setenv("EUCHRE_SEED", "any text", 1);
    const auto seed = kit::settingsFromEnvironment().seed;
    EXPECT_EQ(seed, kit::settingsFromEnvironment().seed);
    EXPECT_NE(seed, settings.seed);
    for (const char* name : {"EUCHRE_ADDRESS", "EUCHRE_TOKEN", "EUCHRE_SEED", "EUCHRE_STRICT"}) {
        unsetenv(name);
    }
}

TEST(Question, TheSameGetsTheSameChance) {
    const kit::Variant variant{pb::Variant()};
    pb::DecisionRequest one;
    one.set_decision_id(1);
    pb::DecisionRequest again = one;
    again.set_decision_id(2);
    pb::DecisionRequest other = one;
    other.set_hand(1);
    const auto chance = [&](const pb::DecisionRequest& request, std::uint64_t seed) {
        return kit::Question(request, variant, seed).chance()();
    };
    EXPECT_EQ(chance(one, 5), chance(again, 5));
    EXPECT_NE(chance(one, 5), chance(one, 6));
    EXPECT_NE(chance(one, 5), chance(other, 5));
}

TEST(Answer, CarriesAConfidenceAndANote) {
    const kit::Variant variant{pb::Variant()};
    pb::DecisionRequest request;
    request.set_decision_id(3);
    request.add_options();
    const kit::Question question(request, variant);
    const pb::Reply reply = kit::Answer::option(0).withConfidence(0.5).withNote("sure").reply(question);
    EXPECT_EQ(reply.decision_id(), 3U);
    EXPECT_EQ(reply.confidence(), 0.5);
    EXPECT_EQ(reply.note(), "sure");
}

/// Starts a bot as a program; returns its process id.
pid_t start(const std::string& address, std::string path = BOT) {
    std::string variable = "EUCHRE_ADDRESS=" + address;
    char* environment[] = {variable.data(), nullptr};
    char* arguments[] = {path.data(), nullptr};
    pid_t process = 0;
    EXPECT_EQ(posix_spawn(&process, path.c_str(), nullptr, nullptr, arguments, environment), 0);
    return process;
}

/// Returns the exit code of a program, -1 if a signal ended it.
int exitCodeOf(pid_t process) {
    int status = 0;
    EXPECT_EQ(waitpid(process, &status, 0), process);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Program, EndsQuietlyAtSigterm) {
    std::promise<void> arrived;
    Referee referee({[&](Stream& stream) {
        stream.Write(welcome(60'000));
        arrived.set_value();
        pb::BotFrame more;
        stream.Read(&more);  // until the bot is gone
        return grpc::Status::OK;
    }});
    const pid_t process = start(referee.address());
    ASSERT_EQ(arrived.get_future().wait_for(std::chrono::seconds(60)), std::future_status::ready);
    kill(process, SIGTERM);
    EXPECT_EQ(exitCodeOf(process), kit::exitDone);
}

TEST(Program, EndsAtSigtermWhileItsBotThinks) {
    Referee referee({[](Stream& stream) {
        pb::RefereeFrame frame = welcome(60'000);
        askIn(frame, 1, 2);
        stream.Write(frame);
        pb::BotFrame more;
        EXPECT_FALSE(stream.Read(&more)) << more.ShortDebugString();
        return grpc::Status::OK;
    }});
    EXPECT_EQ(exitCodeOf(start(referee.address(), THINKER)), kit::exitDone);
}

TEST(Program, EndsAtGoodbyeAndAtARefusalWithTheCodesOfTheReadme) {
    {
        Referee referee({goodbye});
        EXPECT_EQ(exitCodeOf(start(referee.address())), kit::exitDone);
    }
    Referee referee({[](Stream&) { return grpc::Status(grpc::StatusCode::UNAUTHENTICATED, "unknown token"); }});
    EXPECT_EQ(exitCodeOf(start(referee.address())), kit::exitRefused);
}

}  // namespace
