package euchrebot.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Descriptors.MethodDescriptor;
import euchre.v1.Actions.Action;
import euchre.v1.Actions.ActionKind;
import euchre.v1.Cards.Card;
import euchre.v1.Play.BotFrame;
import euchre.v1.Play.DecisionRequest;
import euchre.v1.Play.Hello;
import euchre.v1.Play.Notice;
import euchre.v1.Play.Ping;
import euchre.v1.Play.RefereeFrame;
import euchre.v1.Play.Reply;
import euchre.v1.Play.TableOpened;
import euchre.v1.Referee;
import euchre.v1.Variants;
import euchre.v1.Variants.PhaseKind;
import io.grpc.Status;
import io.grpc.Status.Code;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The client against a referee in the same process. A test that takes long has found that something does not come. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClientTest {
    private static final About ABOUT = new About("kit", "7", 2, List.of("standard"));

    @TempDir
    Path folder;

    private static final class LastOption implements Bot {
        @Override
        public Answer play(Question question) {
            return Answer.option(question.options().size() - 1);
        }
    }

    private static final class Throwing implements Bot {
        @Override
        public Answer play(Question question) {
            throw new IllegalStateException("no idea");
        }
    }

    private static int visit(String address, Bot bot, String strict) {
        Map<String, String> environment = Map.of(
                "EUCHRE_ADDRESS", address, "EUCHRE_TOKEN", "seat-3", "EUCHRE_NAME", "tested", "EUCHRE_STRICT", strict);
        return Kit.play(ABOUT, bot, Settings.of(environment, ABOUT));
    }

    private static DecisionRequest request(long id, int options) {
        DecisionRequest.Builder asked = DecisionRequest.newBuilder()
                .setDecisionId(id)
                .setVariant("some-game")
                .setPhase(PhaseKind.PHASE_KIND_PLAY);
        for (int i = 0; i < options; i++) {
            asked.addOptions(Action.newBuilder().setKind(ActionKind.ACTION_KIND_PLAY));
        }
        return asked.build();
    }

    private static RefereeFrame.Builder questions(DecisionRequest... requests) {
        return RefereeFrame.newBuilder().addAllRequests(List.of(requests));
    }

    private static Reply option(long id, int option) {
        return Reply.newBuilder().setDecisionId(id).setOption(option).build();
    }

    /** Returns so many replies, which come in one frame, or in several if this machine is slow. */
    private static List<Reply> replies(TestReferee.Stream stream, int number) throws InterruptedException {
        List<Reply> replies = new ArrayList<>();
        while (replies.size() < number) {
            replies.addAll(stream.receive().getRepliesList());
        }
        return replies;
    }

    @Test
    void allQuestionsOfAFrameAreAnsweredAndTheVariantIsAskedForOnce() throws Exception {
        AtomicReference<List<Reply>> replies = new AtomicReference<>();
        TestReferee.Script script = stream -> {
            stream.welcome(1000);
            stream.send(questions(request(7, 2), request(9, 4)));
            replies.set(replies(stream, 2));
            stream.goodbye();
        };
        try (TestReferee referee = TestReferee.unix(folder, script)) {
            assertEquals(Kit.EXIT_DONE, visit(referee.address, new LastOption(), ""));
            assertEquals(List.of(option(7, 1), option(9, 3)), replies.get());
            assertEquals(1, referee.described.get());
            Hello hello = Hello.newBuilder().setProtocolVersion(1).setName("tested").setToken("seat-3")
                    .addVariants("standard").setTables(2).setVersion("7").build();
            assertEquals(BotFrame.newBuilder().setHello(hello).build(), referee.hellos.get(0));
        }
    }

    @Test
    void aPortIsAsGoodAsASocketAndAPingComesBack() throws Exception {
        AtomicReference<BotFrame> pong = new AtomicReference<>();
        TestReferee.Script script = stream -> {
            stream.send(RefereeFrame.newBuilder().setPing(Ping.newBuilder().setNonce(42)));
            pong.set(stream.receive());
            stream.goodbye();
        };
        try (TestReferee referee = TestReferee.tcp(script)) {
            assertEquals(Kit.EXIT_DONE, visit(referee.address, new LastOption(), "0"));
            assertEquals(42, pong.get().getPong().getNonce());
        }
    }

    @Test
    void aBotIsToldWhatHappensAndTheVariantIsKnownBeforeTheFirstClockRuns() throws Exception {
        List<Notice> heard = new ArrayList<>();
        Bot listener = new Bot() {
            @Override
            public void notice(Notice notice) {
                heard.add(notice);
            }
        };
        Notice opened = Notice.newBuilder()
                .setTableOpened(TableOpened.newBuilder().setTableId(4).setVariant("some-game").setSeat(2))
                .build();
        TestReferee.Script script = stream -> {
            stream.send(RefereeFrame.newBuilder().addNotices(opened));
            stream.goodbye();
        };
        try (TestReferee referee = TestReferee.unix(folder, script)) {
            assertEquals(Kit.EXIT_DONE, visit(referee.address, listener, ""));
            assertEquals(List.of(opened), heard);
            assertEquals(1, referee.described.get());
        }
    }

    @Test
    void aBotThatThrowsPlaysTheDefault() throws Exception {
        AtomicReference<List<Reply>> replies = new AtomicReference<>();
        TestReferee.Script script = stream -> {
            stream.send(questions(request(5, 3)));
            replies.set(replies(stream, 1));
            stream.goodbye();
        };
        try (TestReferee referee = TestReferee.unix(folder, script)) {
            assertEquals(Kit.EXIT_DONE, visit(referee.address, new Throwing(), ""));
            assertEquals(List.of(option(5, 0)), replies.get());
        }
    }

    @Test
    void aBotThatThrowsLeavesWhenStrict() throws Exception {
        TestReferee.Script script = stream -> {
            stream.send(questions(request(5, 3)));
            stream.receive();
        };
        try (TestReferee referee = TestReferee.unix(folder, script)) {
            assertEquals(Kit.EXIT_BOT_FAILED, visit(referee.address, new Throwing(), "1"));
        }
    }

    @Test
    void anOptionThatIsNotThereIsAFailureOfTheBot() throws Exception {
        Bot bot = new Bot() {
            @Override
            public Answer play(Question question) {
                return Answer.option(99);
            }
        };
        TestReferee.Script script = stream -> {
            stream.send(questions(request(5, 3)));
            stream.receive();
        };
        try (TestReferee referee = TestReferee.unix(folder, script)) {
            assertEquals(Kit.EXIT_BOT_FAILED, visit(referee.address, bot, "1"));
        }
    }

    @Test
    void aLostStreamIsSoughtAgain() throws Exception {
        TestReferee.Script lose = stream -> {
            stream.welcome(60_000);
            throw Status.UNAVAILABLE.withDescription("gone").asRuntimeException();
        };
        TestReferee.Script endWithoutGoodbye = stream -> stream.welcome(60_000);
        try (TestReferee referee =
                TestReferee.unix(folder, lose, endWithoutGoodbye, TestReferee.Stream::goodbye)) {
            assertEquals(Kit.EXIT_DONE, visit(referee.address, new LastOption(), ""));
            assertEquals(3, referee.visits());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FAILED_PRECONDITION", "UNAUTHENTICATED", "INVALID_ARGUMENT"})
    void aRefusalIsFinal(Code code) throws Exception {
        TestReferee.Script refuse = stream -> {
            throw code.toStatus().withDescription("not you").asRuntimeException();
        };
        try (TestReferee referee = TestReferee.unix(folder, refuse)) {
            assertEquals(Kit.EXIT_REFUSED, visit(referee.address, new LastOption(), ""));
            assertEquals(1, referee.visits());
        }
    }

    @Test
    void aRefereeThatStaysAwayIsGivenUpAfterTheGraceTime() throws Exception {
        TestReferee.Script lose = stream -> {
            stream.welcome(300);
            throw Status.UNAVAILABLE.withDescription("gone").asRuntimeException();
        };
        TestReferee.Script stillGone = stream -> {
            throw Status.UNAVAILABLE.withDescription("still gone").asRuntimeException();
        };
        try (TestReferee referee = TestReferee.unix(folder, lose, stillGone)) {
            assertEquals(Kit.EXIT_LOST, visit(referee.address, new LastOption(), ""));
            assertTrue(referee.visits() >= 2);
        }
    }

    @Test
    void withoutAnAddressNothingIsTried() {
        assertEquals(Kit.EXIT_REFUSED, visit("", new LastOption(), ""));
    }

    @Test
    void sigtermEndsTheProcessQuietly() throws Exception {
        CompletableFuture<Process> bot = new CompletableFuture<>();
        TestReferee.Script terminate = stream -> {
            bot.get().destroy(); // SIGTERM
            stream.receive();
        };
        try (TestReferee referee = TestReferee.unix(folder, terminate)) {
            String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
            ProcessBuilder builder = new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", classes,
                    Idle.class.getName());
            builder.environment().put("EUCHRE_ADDRESS", referee.address);
            builder.redirectErrorStream(true);
            bot.complete(builder.start());
            String said = new String(bot.get().getInputStream().readAllBytes());
            assertEquals(Kit.EXIT_DONE, bot.get().waitFor());
            assertEquals("", said);
        }
    }

    /** A program that plays defaults. */
    static final class Idle {
        public static void main(String[] arguments) {
            Kit.run(ABOUT, new Bot() {});
        }
    }

    @Test
    void theMethodsAreThoseOfTheContract() {
        var service = Referee.getDescriptor().findServiceByName("RefereeService");
        assertEquals(RefereeMethods.SERVICE, service.getFullName());
        for (var method : List.of(RefereeMethods.PLAY, RefereeMethods.DESCRIBE_VARIANT)) {
            MethodDescriptor told = service.findMethodByName(method.getBareMethodName());
            assertEquals(told.isClientStreaming() && told.isServerStreaming(),
                    method.getType() == io.grpc.MethodDescriptor.MethodType.BIDI_STREAMING);
            assertFalse(told.isClientStreaming() ^ told.isServerStreaming());
            assertEquals(told.getInputType(), prototype(method.getRequestMarshaller()));
            assertEquals(told.getOutputType(), prototype(method.getResponseMarshaller()));
        }
    }

    private static Object prototype(io.grpc.MethodDescriptor.Marshaller<?> marshaller) {
        var message = ((io.grpc.MethodDescriptor.PrototypeMarshaller<?>) marshaller).getMessagePrototype();
        return ((com.google.protobuf.Message) message).getDescriptorForType();
    }

    @Test
    void theSameQuestionGetsTheSameChance() {
        Variant variant = new Variant(Variants.Variant.newBuilder().setSeats(4).build());
        DecisionRequest held = request(1, 2).toBuilder().addCards(Card.CARD_AS).build();
        long number = new Question(held, variant, 5).chance().nextLong();
        assertEquals(number, new Question(held.toBuilder().setDecisionId(2).build(), variant, 5).chance().nextLong());
        assertNotEquals(number, new Question(held, variant, 6).chance().nextLong());
        assertNotEquals(number, new Question(held.toBuilder().setCards(0, Card.CARD_KS).build(), variant, 5)
                .chance().nextLong());
    }

    @Test
    void aSeedMayBeAnyText() {
        assertEquals(-1, Settings.of(Map.of("EUCHRE_SEED", "18446744073709551615"), ABOUT).seed());
        long words = Settings.of(Map.of("EUCHRE_SEED", "seven of hearts"), ABOUT).seed();
        assertEquals(words, Settings.of(Map.of("EUCHRE_SEED", "seven of hearts"), ABOUT).seed());
        assertNotEquals(words, Settings.of(Map.of("EUCHRE_SEED", "eight of hearts"), ABOUT).seed());
    }
}
