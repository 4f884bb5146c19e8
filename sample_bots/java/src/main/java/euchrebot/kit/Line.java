package euchrebot.kit;

import euchre.v1.Play.BotFrame;
import euchre.v1.Play.RefereeFrame;
import euchre.v1.Referee.DescribeVariantRequest;
import euchre.v1.Variants;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.grpc.stub.ClientCalls;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** One stream to the referee. What arrives is put into a queue, so that the bot's thread alone reads and writes. */
final class Line implements AutoCloseable {
    private static final String UNIX = "unix:";
    private static final int LARGEST_MESSAGE = 64 << 20;
    private static final long DESCRIBE_SECONDS = 10;

    private final ManagedChannel channel;
    private final ClientCall<BotFrame, RefereeFrame> call;
    /** Frames, and last the status with which the stream ended. */
    private final BlockingQueue<Object> arrived = new LinkedBlockingQueue<>();

    /**
     * Opens a stream; whether the referee can be reached is told by {@link #next}.
     *
     * @throws Finished if the address is none
     */
    Line(String address) throws Finished {
        try {
            channel = builder(address)
                    .usePlaintext()
                    .directExecutor()
                    .proxyDetector(target -> null)
                    .keepAliveTime(20, TimeUnit.SECONDS)
                    .keepAliveTimeout(10, TimeUnit.SECONDS)
                    .keepAliveWithoutCalls(true)
                    .maxInboundMessageSize(LARGEST_MESSAGE)
                    .build();
        } catch (IllegalArgumentException error) {
            throw new Finished(Kit.EXIT_REFUSED,
                    "EUCHRE_ADDRESS \"" + address + "\" is no address: " + error.getMessage());
        }
        call = channel.newCall(RefereeMethods.PLAY, CallOptions.DEFAULT);
        call.start(new Listener(), new Metadata());
    }

    private static NettyChannelBuilder builder(String address) throws Finished {
        if (!address.startsWith(UNIX)) {
            return NettyChannelBuilder.forTarget(address);
        }
        if (!Epoll.isAvailable()) {
            throw new Finished(Kit.EXIT_REFUSED, "EUCHRE_ADDRESS is " + address
                    + ", and unix sockets need Linux and a loadable epoll library: " + Epoll.unavailabilityCause());
        }
        String path = address.substring(UNIX.length()).replaceFirst("^//", "");
        return NettyChannelBuilder.forAddress(new DomainSocketAddress(path))
                .overrideAuthority("localhost")
                .eventLoopGroup(UnixSockets.LOOP)
                .withOption(ChannelOption.SO_KEEPALIVE, null) // they have no such option, and it would be warned of
                .channelType(EpollDomainSocketChannel.class);
    }

    /** Made only where it is needed. */
    private static final class UnixSockets {
        static final EventLoopGroup LOOP = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("referee", true), EpollIoHandler.newFactory());
    }

    private final class Listener extends ClientCall.Listener<RefereeFrame> {
        @Override
        public void onMessage(RefereeFrame frame) {
            arrived.add(frame);
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            arrived.add(status);
        }
    }

    void send(BotFrame frame) {
        call.sendMessage(frame);
    }

    /** Says that nothing more will be sent. */
    void halfClose() {
        call.halfClose();
    }

    /**
     * Waits for the next frame.
     *
     * @throws Ended if the stream has ended
     */
    RefereeFrame next() throws Ended, InterruptedException {
        call.request(1);
        Object what = arrived.take();
        if (what instanceof RefereeFrame frame) {
            return frame;
        }
        throw new Ended((Status) what);
    }

    /** Asks the referee what a variant is. */
    Variants.Variant describe(String variant) {
        return ClientCalls.blockingUnaryCall(
                        channel,
                        RefereeMethods.DESCRIBE_VARIANT,
                        CallOptions.DEFAULT.withDeadlineAfter(DESCRIBE_SECONDS, TimeUnit.SECONDS),
                        DescribeVariantRequest.newBuilder().setVariant(variant).build())
                .getVariant();
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }

    /** The stream has ended. */
    static final class Ended extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient Status status;

        Ended(Status status) {
            super(status.toString());
            this.status = status;
        }

        Status status() {
            return status;
        }
    }
}
