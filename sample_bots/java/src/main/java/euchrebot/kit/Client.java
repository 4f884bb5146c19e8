package euchrebot.kit;

import euchre.v1.Play.BotFrame;
import euchre.v1.Play.DecisionRequest;
import euchre.v1.Play.Fault;
import euchre.v1.Play.Hello;
import euchre.v1.Play.Notice;
import euchre.v1.Play.RefereeFrame;
import euchre.v1.Play.Reply;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** A bot and its line to the referee: greets, answers every frame, comes back when the line is lost. */
final class Client {
    private static final int PROTOCOL_VERSION = 1;

    /** How long to try for the first Welcome, which tells the true grace time. */
    private static final Duration FIRST_GRACE = Duration.ofSeconds(10);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(3);

    /** Replies wait no longer for others of their frame. */
    private static final Duration FLUSH_AFTER = Duration.ofMillis(5);

    /** Answers that the same call would get again. */
    private static final Set<Code> FINAL = EnumSet.of(Code.FAILED_PRECONDITION, Code.UNAUTHENTICATED,
            Code.INVALID_ARGUMENT, Code.PERMISSION_DENIED, Code.UNIMPLEMENTED, Code.NOT_FOUND);

    private final About about;
    private final Bot bot;
    private final Settings settings;
    private final Map<String, Variant> variants = new HashMap<>();
    private Duration grace = FIRST_GRACE;
    private boolean isWelcome;

    Client(About about, Bot bot, Settings settings) {
        this.about = about;
        this.bot = bot;
        this.settings = settings;
    }

    /** Plays, and comes back as often as needed, until goodbye. */
    void run() throws Finished, InterruptedException {
        if (settings.address().isEmpty()) {
            throw new Finished(Kit.EXIT_REFUSED, "EUCHRE_ADDRESS is not set; it is the referee's address, unix:/path or"
                    + " host:port (the arena sets it)");
        }
        long lostSince = 0;
        Duration pause = null;
        for (;;) {
            isWelcome = false;
            Status lost = visit();
            if (lost.isOk()) {
                return;
            }
            String details = lost.getDescription() == null ? "no details" : lost.getDescription();
            String why = details + " (" + lost.getCode() + ")";
            if (FINAL.contains(lost.getCode())) {
                throw new Finished(Kit.EXIT_REFUSED, "refused by the referee: " + why);
            }
            long now = System.nanoTime();
            if (isWelcome || pause == null) {
                lostSince = now;
                pause = FIRST_PAUSE;
            }
            long wait = (long) (pause.toNanos() * ThreadLocalRandom.current().nextDouble(0.5, 1.5));
            if (now + wait - lostSince > grace.toNanos()) {
                throw new Finished(Kit.EXIT_LOST, "the referee at " + settings.address()
                        + " was lost and not found again within " + grace.toMillis() / 1000.0 + " s: " + why);
            }
            Thread.sleep(Duration.ofNanos(wait).toMillis());
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    /** Is on one stream to its end; returns OK after goodbye, else why the stream was lost or refused. */
    private Status visit() throws Finished, InterruptedException {
        try (Line line = new Line(settings.address())) {
            line.send(BotFrame.newBuilder().setHello(hello()).build());
            RefereeFrame frame;
            do {
                frame = line.next();
                answer(line, frame);
            } while (!frame.hasGoodbye());
            leave(line);
            return Status.OK;
        } catch (Line.Ended end) {
            return end.status().isOk()
                    ? Status.UNAVAILABLE.withDescription("the stream ended without a goodbye")
                    : end.status();
        } catch (StatusRuntimeException error) {
            return error.getStatus();
        }
    }

    private Hello hello() {
        return Hello.newBuilder()
                .setProtocolVersion(PROTOCOL_VERSION)
                .setName(settings.name())
                .setToken(settings.token())
                .addAllVariants(about.variants())
                .setTables(about.tables())
                .setVersion(about.version())
                .build();
    }

    /** Half-closes; the referee ends the stream once it has seen that. */
    private static void leave(Line line) throws InterruptedException {
        line.halfClose();
        try {
            for (;;) {
                line.next();
            }
        } catch (Line.Ended end) {
            return;
        }
    }

    /** Hears a frame's notices and answers all its questions in one frame, or in several if the bot thinks long. */
    private void answer(Line line, RefereeFrame frame) throws Finished {
        if (frame.hasWelcome()) {
            isWelcome = true;
            if (frame.getWelcome().getGraceMilliseconds() > 0) {
                grace = Duration.ofMillis(frame.getWelcome().getGraceMilliseconds());
            }
        }
        if (frame.hasPing()) {
            line.send(BotFrame.newBuilder().setPong(frame.getPing()).build());
        }
        for (Notice notice : frame.getNoticesList()) {
            hear(line, notice);
        }
        List<Reply> replies = new ArrayList<>();
        long begun = System.nanoTime();
        for (DecisionRequest request : frame.getRequestsList()) {
            replies.add(reply(new Question(request, describe(line, request.getVariant()), settings.seed())));
            if (System.nanoTime() - begun > FLUSH_AFTER.toNanos()) {
                line.send(BotFrame.newBuilder().addAllReplies(replies).build());
                replies.clear();
                begun = System.nanoTime();
            }
        }
        if (!replies.isEmpty()) {
            line.send(BotFrame.newBuilder().addAllReplies(replies).build());
        }
    }

    /** Returns the bot's answer; if it throws, says so and plays the default (or leaves, when strict). */
    private Reply reply(Question question) throws Finished {
        try {
            return bot.decide(question).reply(question);
        } catch (RuntimeException | StackOverflowError | AssertionError error) {
            DecisionRequest asked = question.request();
            failed(error, "the bot threw (above) at hand " + asked.getHand() + " seat " + asked.getSeat() + " of "
                    + asked.getVariant() + ", decision " + asked.getDecisionId(), "; played option 0 instead");
            return Reply.newBuilder().setDecisionId(asked.getDecisionId()).setOption(0).build();
        }
    }

    private void hear(Line line, Notice notice) throws Finished {
        if (notice.hasTableOpened()) {
            describe(line, notice.getTableOpened().getVariant()); // before the first clock runs
        }
        if (notice.hasFault()) {
            Fault fault = notice.getFault();
            say("fault at table " + fault.getTableId() + ": " + fault.getMessage());
        }
        try {
            bot.notice(notice);
        } catch (RuntimeException | StackOverflowError | AssertionError error) {
            failed(error, "the bot threw (above) at a notice", "");
        }
    }

    private void failed(Throwable error, String where, String instead) throws Finished {
        error.printStackTrace();
        if (settings.strict()) {
            throw new Finished(Kit.EXIT_BOT_FAILED, where + "; leaving, because strict");
        }
        say(where + instead);
    }

    /** Returns a variant, asking the referee once for each. */
    private Variant describe(Line line, String text) {
        return variants.computeIfAbsent(text, unknown -> new Variant(line.describe(unknown)));
    }

    private void say(String text) {
        Kit.say(settings.name(), text);
    }
}
