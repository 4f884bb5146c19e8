package euchrebot.kit;

import com.google.protobuf.Message;
import euchre.v1.Play.BotFrame;
import euchre.v1.Play.RefereeFrame;
import euchre.v1.Referee.DescribeVariantRequest;
import euchre.v1.Referee.DescribeVariantResponse;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.protobuf.ProtoUtils;

/** The methods of the referee that a bot calls. Messages are generated; two methods are written down sooner. */
final class RefereeMethods {
    static final String SERVICE = "euchre.v1.RefereeService";

    static final MethodDescriptor<BotFrame, RefereeFrame> PLAY = method(
            MethodType.BIDI_STREAMING, "Play", BotFrame.getDefaultInstance(), RefereeFrame.getDefaultInstance());

    static final MethodDescriptor<DescribeVariantRequest, DescribeVariantResponse> DESCRIBE_VARIANT = method(
            MethodType.UNARY, "DescribeVariant", DescribeVariantRequest.getDefaultInstance(),
            DescribeVariantResponse.getDefaultInstance());

    private RefereeMethods() {}

    private static <Q extends Message, R extends Message> MethodDescriptor<Q, R> method(
            MethodType type, String name, Q request, R response) {
        return MethodDescriptor.<Q, R>newBuilder()
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
                .setRequestMarshaller(ProtoUtils.marshaller(request))
                .setResponseMarshaller(ProtoUtils.marshaller(response))
                .build();
    }
}
