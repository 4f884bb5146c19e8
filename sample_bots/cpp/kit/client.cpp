#include "kit/client.hpp"

#include <grpcpp/grpcpp.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "euchre/v1/referee.grpc.pb.h"

namespace kit {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Stream = grpc::ClientReaderWriter<pb::BotFrame, pb::RefereeFrame>;

constexpr std::uint32_t protocolVersion = 1;
constexpr auto firstPause = 100ms;
constexpr auto longestPause = 3000ms;
/// Replies wait no longer for others of their frame; so a slow bot's clock is honest.
constexpr auto flushAfter = 5ms;
constexpr auto describeTimeout = 10s;
/// How long a signal waits for the bot to finish what it thinks about.
constexpr auto signalPatience = 500ms;
constexpr int largestMessage = 64 << 20;

/// The bot is to leave with this exit code and this line.
struct Finished : std::runtime_error {
    Finished(ExitCode exitCode, const std::string& line) : std::runtime_error(line), code(exitCode) {}
    ExitCode code;
};

/// The stream is lost; perhaps it can be had again.
struct Lost : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Whether the same call would get the same answer again.
bool isFinal(grpc::StatusCode code) {
    switch (code) {
        case grpc::StatusCode::FAILED_PRECONDITION:
        case grpc::StatusCode::UNAUTHENTICATED:
        case grpc::StatusCode::INVALID_ARGUMENT:
        case grpc::StatusCode::PERMISSION_DENIED:
        case grpc::StatusCode::UNIMPLEMENTED:
        case grpc::StatusCode::NOT_FOUND:
            return true;
        default:
            return false;
    }
}

/// The name of a code, for people.
std::string codeName(grpc::StatusCode code) {
    static const std::map<grpc::StatusCode, std::string> names = {
        {grpc::StatusCode::OK, "OK"},
        {grpc::StatusCode::CANCELLED, "CANCELLED"},
        {grpc::StatusCode::INVALID_ARGUMENT, "INVALID_ARGUMENT"},
        {grpc::StatusCode::DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED"},
        {grpc::StatusCode::NOT_FOUND, "NOT_FOUND"},
        {grpc::StatusCode::ALREADY_EXISTS, "ALREADY_EXISTS"},
        {grpc::StatusCode::PERMISSION_DENIED, "PERMISSION_DENIED"},
        {grpc::StatusCode::UNAUTHENTICATED, "UNAUTHENTICATED"},
        {grpc::StatusCode::RESOURCE_EXHAUSTED, "RESOURCE_EXHAUSTED"},
        {grpc::StatusCode::FAILED_PRECONDITION, "FAILED_PRECONDITION"},
        {grpc::StatusCode::UNIMPLEMENTED, "UNIMPLEMENTED"},
        {grpc::StatusCode::INTERNAL, "INTERNAL"},
        {grpc::StatusCode::UNAVAILABLE, "UNAVAILABLE"},
    };
    const auto found = names.find(code);
    return found == names.end() ? "code " + std::to_string(code) : found->second;
}

[[noreturn]] void fail(const grpc::Status& status) {
    const std::string details = status.error_message().empty() ? "no details" : status.error_message();
    const std::string what = details + " (" + codeName(status.error_code()) + ")";
    if (isFinal(status.error_code())) {
        throw Finished(exitRefused, "refused by the referee: " + what);
    }
    throw Lost(what);
}

/// HTTP/2 pings find a line that died silently; every attempt has a fresh connection.
std::shared_ptr<grpc::Channel> dial(const std::string& address) {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 20'000);
    arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
    arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
    arguments.SetInt(GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, largestMessage);
    arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
}

/// Ends the call in progress from another thread, and tells everybody who waits that this is the end.
class Stopper {
  public:
    /// For as long as it lives, `stop` cancels this call.
    class Guard {
      public:
        Guard(Stopper& stopper, grpc::ClientContext& call) : stopper_(stopper) {
            const std::lock_guard lock(stopper_.mutex_);
            stopper_.calls_.push_back(&call);
            if (stopper_.stopped_) {
                call.TryCancel();
            }
        }
        ~Guard() {
            const std::lock_guard lock(stopper_.mutex_);
            stopper_.calls_.pop_back();
        }
        Guard(const Guard&) = delete;
        Guard& operator=(const Guard&) = delete;

      private:
        Stopper& stopper_;
    };

    void stop() {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        for (grpc::ClientContext* call : calls_) {
            call->TryCancel();
        }
        changed_.notify_all();
    }

    bool isStopped() {
        const std::lock_guard lock(mutex_);
        return stopped_;
    }

    /// Waits; returns early, with true, if this is the end.
    template <typename Duration>
    bool waitFor(Duration time) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, time, [this] { return stopped_; });
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool stopped_ = false;
    std::vector<grpc::ClientContext*> calls_;
};

/// A bot and its line to the referee.
class Client {
  public:
    Client(const About& about, Bot& bot, const Settings& settings, Stopper& stopper)
        : about_(about),
          bot_(bot),
          settings_(settings),
          stopper_(stopper),
          name_(settings.name.empty() ? about.name : settings.name),
          grace_(settings.firstGrace) {}

    void say(const std::string& line) const { std::cerr << name_ + ": " + line + "\n" << std::flush; }

    /// Plays, and comes back as often as needed, until goodbye. Throws Finished.
    void run();

  private:
    void visit();
    void converse(pb::RefereeService::Stub& referee, Stream& stream);
    void answer(pb::RefereeService::Stub& referee, Stream& stream, const pb::RefereeFrame& frame);
    void hear(pb::RefereeService::Stub& referee, const pb::Notice& notice);
    pb::Reply decide(const Question& question);
    const Variant& describe(pb::RefereeService::Stub& referee, const std::string& text);
    void botThrew(const std::string& where, const std::string& instead) const;

    const About& about_;
    Bot& bot_;
    const Settings& settings_;
    Stopper& stopper_;
    std::string name_;
    std::chrono::milliseconds grace_;
    bool wasWelcome_ = false;
    bool saidGoodbye_ = false;
    std::map<std::string, Variant> variants_;
};

void Client::run() {
    if (settings_.address.empty()) {
        throw Finished(exitRefused,
                       "EUCHRE_ADDRESS is not set; it is the referee's address, unix:/path or host:port"
                       " (the arena sets it)");
    }
    std::mt19937 jitter{std::random_device{}()};
    std::uniform_real_distribution<double> factor(0.5, 1.5);
    std::optional<Clock::time_point> lostSince;
    std::chrono::duration<double, std::milli> pause = firstPause;
    for (;;) {
        wasWelcome_ = false;
        try {
            visit();
            return;
        } catch (const Lost& lost) {
            if (stopper_.isStopped()) {
                return;
            }
            const auto now = Clock::now();
            if (wasWelcome_ || !lostSince) {
                lostSince = now;
                pause = firstPause;
            }
            const auto wait = pause * factor(jitter);
            if (now - *lostSince + wait > grace_) {
                throw Finished(exitLost, "the referee at " + settings_.address +
                                             " was lost and not found again within " + std::to_string(grace_.count()) +
                                             " ms: " + lost.what());
            }
            if (stopper_.waitFor(wait)) {
                return;
            }
            pause = std::min<decltype(pause)>(2 * pause, longestPause);
        }
    }
}

/// Is on one stream to its end, which is goodbye. Throws Lost or Finished at any other.
void Client::visit() {
    const auto referee = pb::RefereeService::NewStub(dial(settings_.address));
    grpc::ClientContext call;
    const Stopper::Guard guard(stopper_, call);
    const auto stream = referee->Play(&call);
    saidGoodbye_ = false;
    try {
        converse(*referee, *stream);
    } catch (...) {
        call.TryCancel();
        stream->Finish();
        throw;
    }
    // Nothing can be read or written any more: the status tells why.
    const grpc::Status status = stream->Finish();
    if (saidGoodbye_) {
        return;
    }
    if (!status.ok()) {
        fail(status);
    }
    throw Lost("the stream ended without a goodbye");
}

/// Speaks on one stream until it ends. Goodbye is answered by the half-close, after which the referee ends it.
void Client::converse(pb::RefereeService::Stub& referee, Stream& stream) {
    pb::BotFrame first;
    pb::Hello& hello = *first.mutable_hello();
    hello.set_protocol_version(protocolVersion);
    hello.set_name(name_);
    hello.set_token(settings_.token);
    hello.set_version(about_.version);
    hello.set_tables(about_.tables);
    for (const auto& variant : about_.variants) {
        hello.add_variants(variant);
    }
    if (!stream.Write(first)) {
        return;
    }
    pb::RefereeFrame frame;
    while (stream.Read(&frame)) {
        if (frame.has_welcome()) {
            wasWelcome_ = true;
            if (const auto given = frame.welcome().grace_milliseconds(); given > 0) {
                grace_ = std::chrono::milliseconds(given);
            }
        }
        for (const auto& notice : frame.notices()) {
            hear(referee, notice);
        }
        answer(referee, stream, frame);
        if (frame.has_goodbye() && !saidGoodbye_) {
            saidGoodbye_ = true;
            stream.WritesDone();
        }
    }
}

/// Writes one frame with the replies to all questions, or several if the bot thinks long. A write that fails needs no
/// notice: the next read fails too.
void Client::answer(pb::RefereeService::Stub& referee, Stream& stream, const pb::RefereeFrame& frame) {
    if (frame.has_ping()) {
        pb::BotFrame pong;
        *pong.mutable_pong() = frame.ping();
        stream.Write(pong);
    }
    pb::BotFrame replies;
    auto begun = Clock::now();
    for (const auto& request : frame.requests()) {
        const Variant& variant = describe(referee, request.variant());
        *replies.add_replies() = decide(Question(request, variant, settings_.seed));
        if (const auto now = Clock::now(); now - begun > flushAfter) {
            stream.Write(replies);
            replies.clear_replies();
            begun = now;
        }
    }
    if (replies.replies_size() > 0) {
        stream.Write(replies);
    }
}

/// Calls something that the bot's author wrote; returns what it threw, in words.
template <typename Call>
std::optional<std::string> whatIsThrownBy(Call call) {
    try {
        call();
        return std::nullopt;
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return "no std::exception";
    }
}

void Client::botThrew(const std::string& where, const std::string& instead) const {
    if (settings_.strict) {
        throw Finished(exitBotFailed, where + "; leaving, because strict");
    }
    say(where + instead);
}

/// The bot's answer; if it throws, says so and plays the default (or leaves, when strict).
pb::Reply Client::decide(const Question& question) {
    pb::Reply reply;
    const auto thrown = whatIsThrownBy([&] { reply = kit::decide(bot_, question).reply(question); });
    if (thrown) {
        const auto& request = question.request();
        botThrew("the bot threw at hand " + std::to_string(request.hand()) + " seat " + std::to_string(request.seat()) +
                     " of " + request.variant() + ", decision " + std::to_string(request.decision_id()) + ": " +
                     *thrown,
                 "; played option 0 instead");
        reply.Clear();
        reply.set_decision_id(request.decision_id());
        reply.set_option(0);
    }
    return reply;
}

/// A variant, asking the referee once for each.
const Variant& Client::describe(pb::RefereeService::Stub& referee, const std::string& text) {
    if (const auto known = variants_.find(text); known != variants_.end()) {
        return known->second;
    }
    grpc::ClientContext call;
    const Stopper::Guard guard(stopper_, call);
    call.set_deadline(std::chrono::system_clock::now() + describeTimeout);
    pb::DescribeVariantRequest request;
    request.set_variant(text);
    pb::DescribeVariantResponse response;
    if (const auto status = referee.DescribeVariant(&call, request, &response); !status.ok()) {
        fail(status);
    }
    return variants_.emplace(text, Variant(std::move(*response.mutable_variant()))).first->second;
}

void Client::hear(pb::RefereeService::Stub& referee, const pb::Notice& notice) {
    if (notice.has_table_opened()) {
        describe(referee, notice.table_opened().variant());  // before the first clock runs
    }
    if (notice.has_fault()) {
        say("fault at table " + std::to_string(notice.fault().table_id()) + ": " + notice.fault().message());
    }
    if (const auto thrown = whatIsThrownBy([&] { bot_.notice(notice); })) {
        botThrew("the bot threw at a notice: " + *thrown, "");
    }
}

int play(const About& about, Bot& bot, const Settings& settings, Stopper& stopper) {
    Client client(about, bot, settings, stopper);
    try {
        client.run();
        return exitDone;
    } catch (const Finished& finished) {
        if (stopper.isStopped()) {
            return exitDone;
        }
        client.say(finished.what());
        return finished.code;
    } catch (const std::exception& error) {  // a description that no kit of this version can read
        client.say(std::string("what the referee said cannot be used: ") + error.what());
        return exitRefused;
    }
}

std::string fromEnvironment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::string trimmed(const std::string& text) {
    const char* blanks = " \t\r\n";
    const auto begin = text.find_first_not_of(blanks);
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// A seed of a text: the number it is, or else one made from it (FNV-1a). Of nothing, a seed by chance.
std::uint64_t seedOf(const std::string& text) {
    if (text.empty()) {
        std::random_device device;
        return (static_cast<std::uint64_t>(device()) << 32) | device();
    }
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size()) {
        return number;
    }
    std::uint64_t hash = 14695981039346656037U;
    for (const char letter : text) {
        hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211U;
    }
    return hash;
}

}  // namespace

Settings settingsFromEnvironment() {
    const std::string strict = fromEnvironment("EUCHRE_STRICT");
    return Settings{
        .address = trimmed(fromEnvironment("EUCHRE_ADDRESS")),
        .token = fromEnvironment("EUCHRE_TOKEN"),
        .name = fromEnvironment("EUCHRE_NAME"),
        .seed = seedOf(trimmed(fromEnvironment("EUCHRE_SEED"))),
        .strict = !strict.empty() && strict != "0",
    };
}

int play(const About& about, Bot& bot, const Settings& settings) {
    Stopper stopper;
    return play(about, bot, settings, stopper);
}

int run(const About& about, Bot& bot) {
    // All threads inherit that these signals wait for the one that asks for them.
    sigset_t endings;
    sigemptyset(&endings);
    sigaddset(&endings, SIGTERM);
    sigaddset(&endings, SIGINT);
    pthread_sigmask(SIG_BLOCK, &endings, nullptr);
    // Never destroyed: the thread may outlive this function.
    auto& stopper = *new Stopper;
    std::thread([endings, &stopper] {
        int received = 0;
        sigwait(&endings, &received);
        stopper.stop();
        std::this_thread::sleep_for(signalPatience);
        _exit(exitDone);  // the bot thinks too long to be waited for
    }).detach();
    return play(about, bot, settingsFromEnvironment(), stopper);
}

}  // namespace kit
