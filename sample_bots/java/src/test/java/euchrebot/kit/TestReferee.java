package euchrebot.kit;

import euchre.v1.Play.BotFrame;
import euchre.v1.Play.Goodbye;
import euchre.v1.Play.RefereeFrame;
import euchre.v1.Play.Welcome;
import euchre.v1.Referee.DescribeVariantRequest;
import euchre.v1.Referee.DescribeVariantResponse;
import euchre.v1.Variants;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A referee in this process that speaks real gRPC, and plays a script on each stream; the last one on all further. */
final class TestReferee implements AutoCloseable {
    /** What is done on one stream. */
    interface Script {
        void play(Stream stream) throws Exception;
    }

    /** The referee's end of one stream. */
    static final class Stream {
        private final StreamObserver<RefereeFrame> toBot;
        private final BlockingQueue<Object> arrived = new LinkedBlockingQueue<>();

        private Stream(StreamObserver<RefereeFrame> toBot) {
            this.toBot = toBot;
        }

        void send(RefereeFrame.Builder frame) {
            toBot.onNext(frame.build());
        }

        /** Returns the bot's next frame; throws if it has closed its side. */
        BotFrame receive() throws InterruptedException {
            if (arrived.take() instanceof BotFrame frame) {
                return frame;
            }
            throw Status.INTERNAL.withDescription("the bot closed its side").asRuntimeException();
        }

        /** Greets a bot whose Hello has been read. */
        void welcome(int graceMilliseconds) {
            send(RefereeFrame.newBuilder().setWelcome(Welcome.newBuilder()
                    .setProtocolVersion(1)
                    .setGraceMilliseconds(graceMilliseconds)));
        }

        /** Sends the last frame and waits for the half-close. */
        void goodbye() throws InterruptedException {
            send(RefereeFrame.newBuilder().setGoodbye(Goodbye.newBuilder().setReason("done")));
            if (arrived.take() instanceof BotFrame frame) {
                throw Status.INTERNAL.withDescription("expected a half-close, not " + frame).asRuntimeException();
            }
        }
    }

    private static final Object CLOSED = new Object();

    final String address;
    final List<BotFrame> hellos = new CopyOnWriteArrayList<>();
    final AtomicInteger described = new AtomicInteger();
    private final List<Script> scripts;
    private final EventLoopGroup loop;
    private final Server server;

    private TestReferee(String address, NettyServerBuilder builder, EventLoopGroup loop, Script... scripts)
            throws IOException {
        this.scripts = List.of(scripts);
        this.loop = loop;
        server = builder.addService(ServerServiceDefinition.builder(RefereeMethods.SERVICE)
                        .addMethod(RefereeMethods.PLAY, ServerCalls.asyncBidiStreamingCall(this::play))
                        .addMethod(RefereeMethods.DESCRIBE_VARIANT, ServerCalls.asyncUnaryCall(this::describe))
                        .build())
                .build()
                .start();
        this.address = address.isEmpty() ? "127.0.0.1:" + server.getPort() : address;
    }

    /** Opens a referee at a unix socket in a folder. */
    static TestReferee unix(Path folder, Script... scripts) throws IOException {
        Path socket = folder.resolve("s");
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        NettyServerBuilder builder = NettyServerBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
                .channelType(EpollServerDomainSocketChannel.class)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop);
        return new TestReferee("unix:" + socket, builder, loop, scripts);
    }

    /** Opens a referee at a port of this machine. */
    static TestReferee tcp(Script... scripts) throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return new TestReferee("", NettyServerBuilder.forAddress(any), null, scripts);
    }

    int visits() {
        return hellos.size();
    }

    private StreamObserver<BotFrame> play(StreamObserver<RefereeFrame> toBot) {
        Stream stream = new Stream(toBot);
        new Thread(() -> run(stream), "script").start();
        return new StreamObserver<>() {
            @Override
            public void onNext(BotFrame frame) {
                stream.arrived.add(frame);
            }

            @Override
            public void onError(Throwable error) {
                stream.arrived.add(CLOSED);
            }

            @Override
            public void onCompleted() {
                stream.arrived.add(CLOSED);
            }
        };
    }

    private void run(Stream stream) {
        try {
            BotFrame hello = stream.receive();
            Script script = scripts.get(Math.min(visits(), scripts.size() - 1));
            hellos.add(hello);
            script.play(stream);
            stream.toBot.onCompleted();
        } catch (Exception error) {
            stream.toBot.onError(Status.fromThrowable(error).asRuntimeException());
        }
    }

    private void describe(DescribeVariantRequest request, StreamObserver<DescribeVariantResponse> answer) {
        described.incrementAndGet();
        Variants.Variant variant = Variants.Variant.newBuilder().setId(request.getVariant()).setSeats(4).build();
        answer.onNext(DescribeVariantResponse.newBuilder().setVariant(variant).build());
        answer.onCompleted();
    }

    @Override
    public void close() {
        server.shutdownNow();
        if (loop != null) {
            loop.shutdownGracefully();
        }
    }
}
