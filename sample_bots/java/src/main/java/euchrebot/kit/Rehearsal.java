package euchrebot.kit;

import com.google.protobuf.InvalidProtocolBufferException;
import euchre.v1.Actions.Action;
import euchre.v1.Actions.ActionKind;
import euchre.v1.Cards.Card;
import euchre.v1.Cards.Strain;
import euchre.v1.Play.BotFrame;
import euchre.v1.Play.DecisionRequest;
import euchre.v1.Play.Goodbye;
import euchre.v1.Play.Notice;
import euchre.v1.Play.RefereeFrame;
import euchre.v1.Play.TableOpened;
import euchre.v1.Play.Welcome;
import euchre.v1.Referee.DescribeVariantRequest;
import euchre.v1.Referee.DescribeVariantResponse;
import euchre.v1.Variants;
import euchre.v1.Variants.Alliance;
import euchre.v1.Variants.DeckCard;
import euchre.v1.Variants.PhaseKind;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * Two questions for a start. The kit answers them before it says Hello, so that the classes for it are there when the
 * first clock runs. As a program, a referee in the same process asks a bot: the build runs it, so that the Java runtime
 * records which classes a start needs; from that record the bot starts in half the time.
 */
public final class Rehearsal {
    private static final int HAND = 5;
    private static final List<Integer> SEATS = List.of(0, 1, 2, 3);

    private Rehearsal() {}

    /** Takes the name of a class that is a {@link Bot} and has a constructor without parameters. */
    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        Bot bot = Class.forName(arguments[0]).asSubclass(Bot.class).getDeclaredConstructor().newInstance();
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .directExecutor()
                .addService(ServerServiceDefinition.builder(RefereeMethods.SERVICE)
                        .addMethod(RefereeMethods.PLAY, ServerCalls.asyncBidiStreamingCall(Rehearsal::play))
                        .addMethod(RefereeMethods.DESCRIBE_VARIANT, ServerCalls.asyncUnaryCall(Rehearsal::describe))
                        .build())
                .build()
                .start();
        About about = new About("rehearsal", "1");
        int code = Kit.play(about, bot, new Settings("127.0.0.1:" + server.getPort(), "", about.name(), 1, false));
        server.shutdownNow();
        System.exit(code);
    }

    /** Reads, answers and writes the questions, with the defaults. */
    static void warmUp() throws InvalidProtocolBufferException {
        Bot defaults = new Bot() {};
        Variant variant = new Variant(Variants.Variant.parseFrom(description("rehearsal").toByteArray()));
        BotFrame.Builder answers = BotFrame.newBuilder();
        for (DecisionRequest request : RefereeFrame.parseFrom(opening().toByteArray()).getRequestsList()) {
            Question question = new Question(request, variant);
            answers.addReplies(defaults.decide(question).reply(question));
        }
        BotFrame.parseFrom(answers.build().toByteArray());
    }

    private static StreamObserver<BotFrame> play(StreamObserver<RefereeFrame> toBot) {
        return new StreamObserver<>() {
            private int frames;

            @Override
            public void onNext(BotFrame frame) {
                frames++;
                if (frames == 1) {
                    toBot.onNext(opening());
                } else {
                    toBot.onNext(RefereeFrame.newBuilder().setGoodbye(Goodbye.getDefaultInstance()).build());
                }
            }

            @Override
            public void onError(Throwable error) {
                toBot.onError(error);
            }

            @Override
            public void onCompleted() {
                toBot.onCompleted();
            }
        };
    }

    /** Returns a welcome, a table, and two questions. */
    private static RefereeFrame opening() {
        DecisionRequest.Builder auction = question(PhaseKind.PHASE_KIND_UPCARD_AUCTION).setUpcard(Card.CARD_9H);
        for (ActionKind kind : List.of(ActionKind.ACTION_KIND_PASS, ActionKind.ACTION_KIND_ORDER_UP)) {
            auction.addOptions(Action.newBuilder().setKind(kind));
        }
        DecisionRequest.Builder play =
                question(PhaseKind.PHASE_KIND_PLAY).setStrain(Strain.STRAIN_HEARTS).setMaker(0);
        for (Card card : play.getCardsList()) {
            play.addOptions(Action.newBuilder().setKind(ActionKind.ACTION_KIND_PLAY).addCards(card));
        }
        return RefereeFrame.newBuilder()
                .setWelcome(Welcome.newBuilder().setProtocolVersion(1))
                .addNotices(Notice.newBuilder().setTableOpened(TableOpened.newBuilder().setVariant("rehearsal")))
                .addRequests(auction)
                .addRequests(play)
                .build();
    }

    private static DecisionRequest.Builder question(PhaseKind phase) {
        return DecisionRequest.newBuilder()
                .setVariant("rehearsal")
                .setPhase(phase)
                .setSeat(1)
                .addAllCards(CardTools.cards("9S QS TD AD KH"))
                .addAllActive(SEATS);
    }

    private static void describe(DescribeVariantRequest request, StreamObserver<DescribeVariantResponse> answer) {
        answer.onNext(DescribeVariantResponse.newBuilder().setVariant(description(request.getVariant())).build());
        answer.onCompleted();
    }

    /** Describes a plain game of four, each for himself. */
    private static Variants.Variant description(String id) {
        Variants.Variant.Builder variant = Variants.Variant.newBuilder()
                .setId(id)
                .setSeats(SEATS.size())
                .setHandSize(HAND)
                .setAlliance(Alliance.ALLIANCE_NONE);
        for (int number = 1; number <= Card.CARD_AD_VALUE; number++) {
            variant.addDeck(DeckCard.newBuilder().setCardValue(number).setCopies(1));
        }
        return variant.build();
    }
}
