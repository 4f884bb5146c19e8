"""A message that is none is the caller's fault, in every method: INVALID_ARGUMENT and a sentence.

Left to itself, gRPC answers UNKNOWN and writes a traceback into our log for every such call.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
from google.protobuf.message import DecodeError


class Parsing(grpc.aio.ServerInterceptor):
    """Parses the requests of every method that says how; the others take bytes and see for themselves."""

    async def intercept_service(self, continuation: Callable[[Any], Awaitable[Any]], handler_call_details: Any) -> Any:
        """Return the method, fed with bytes and parsing them itself."""
        handler: Any = await continuation(handler_call_details)
        if handler is None or handler.request_deserializer is None:
            return handler
        parse: Callable[[bytes], object] = handler.request_deserializer

        async def parsed(data: bytes, context: Any) -> object:
            try:
                return parse(data)
            except DecodeError:
                sentence = f"{len(data)} bytes arrived that are no request of {handler_call_details.method}"
            return await context.abort(grpc.StatusCode.INVALID_ARGUMENT, sentence)

        async def answer_one(data: bytes, context: Any) -> object:
            return await handler.unary_unary(await parsed(data, context), context)

        async def answer_many(data: bytes, context: Any) -> None:
            await write_all(handler.unary_stream(await parsed(data, context), context), context)

        async def converse(frames: AsyncIterator[bytes], context: Any) -> None:
            async def requests() -> AsyncIterator[object]:
                async for data in frames:
                    yield await parsed(data, context)

            await write_all(handler.stream_stream(requests(), context), context)

        if handler.request_streaming:
            return grpc.stream_stream_rpc_method_handler(converse, None, handler.response_serializer)
        if handler.response_streaming:
            return grpc.unary_stream_rpc_method_handler(answer_many, None, handler.response_serializer)
        return grpc.unary_unary_rpc_method_handler(answer_one, None, handler.response_serializer)


async def write_all(answers: Any, context: Any) -> None:
    """Write what a method yields, or let it write by itself."""
    if hasattr(answers, "__aiter__"):
        async for answer in answers:
            await context.write(answer)
    else:
        await answers
