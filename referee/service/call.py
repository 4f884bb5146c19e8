"""One call of ``Play``, on asyncio: bytes in, plain synchronous code to the end of what follows from them, bytes out.

See ``bridge.py`` for what may call what.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError

from euchre.v1 import play_pb2
from referee.service import wire
from referee.service.hall import Hall
from referee.service.stream import Status, Stream, StreamRefused

Context = Any
"""``grpc.aio.ServicerContext``; its stubs are generic in ways that do not fit raw bytes."""

_QUIET_SECONDS: Final = 0.05
"""A bot from which nothing has come for so long has stopped writing."""

_EOF: Final = grpc.aio.EOF


class PlayCall:
    """One call of ``Play``: a reader and a writer beside its handler, which waits for one of them to end."""

    def __init__(self, hall: Hall, context: Context) -> None:
        self._hall = hall
        self._context = context
        self._loop = asyncio.get_running_loop()
        self._idle: asyncio.Future[None] | None = None
        """What the writer waits for while there is nothing to write."""
        self._seated: asyncio.Future[None] = self._loop.create_future()
        """Done when a usable Hello has been said."""
        self._ended: asyncio.Future[None] = self._loop.create_future()
        """Done when the referee ends the stream early."""
        self._is_receiving = False
        """A frame is being done; what follows from it for this stream, the reader writes itself."""
        self._gathering: asyncio.TimerHandle | None = None
        """Runs while output waits for company."""
        self._has_gathered = False
        self._frames_read = 0
        self.stream = Stream(hall.policy, time.monotonic(), wake=self._wake, end=self._end)

    def _wake(self) -> None:
        if not self._is_receiving:
            self._wake_writer()

    def _wake_writer(self) -> None:
        if self._idle is not None and not self._idle.done():
            self._idle.set_result(None)

    def _end(self) -> None:
        if not self._ended.done():
            self._ended.set_result(None)

    async def run(self) -> str:
        """Serve the stream to its end; return why it ended.

        :raises StreamRefused: if the referee ends it early.
        """
        tasks = [asyncio.create_task(self._read())]
        try:
            return await self._serve(tasks)
        except StreamRefused as refused:
            self.stream.failure = refused  # from now on the reader throws away what it reads
            self._hall.close_stream(self.stream, refused.sentence, time.monotonic())
            await self._linger(tasks[0], refused)
            raise
        finally:
            self._stop_gathering()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, tasks: list[asyncio.Task[None]]) -> str:
        reader = tasks[0]
        self._hall.open_stream(time.monotonic())
        await self._wait_for_hello(reader)
        writer = asyncio.create_task(self._write())
        tasks.append(writer)
        await asyncio.wait((reader, writer, self._ended), return_when=asyncio.FIRST_COMPLETED)
        self._raise_failure()
        if writer.done():
            writer.result()
            return await self._wait_for_half_close(reader)
        reader.result()
        if self.stream.has_said_goodbye or self._hall.half_close(self.stream):
            await asyncio.wait((writer, self._ended), return_when=asyncio.FIRST_COMPLETED)
            self._raise_failure()
            writer.result()
        return "the bot closed its side"

    def _raise_failure(self) -> None:
        if self.stream.failure is not None:
            raise self.stream.failure

    async def _wait_for_hello(self, reader: asyncio.Task[None]) -> None:
        seconds = self._hall.policy.hello_seconds
        waiting = (reader, self._seated, self._ended)
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        self._raise_failure()
        if self._seated.done():
            return
        if reader.done():
            reader.result()
            raise StreamRefused(Status.INVALID_ARGUMENT, "the stream ended before its Hello")
        raise StreamRefused(Status.INVALID_ARGUMENT, f"no Hello within {seconds:g} s")

    async def _read(self) -> None:
        """Do every frame to the end of what follows from it; return when the bot has closed its side.

        Once the referee has ended the stream, what still arrives is thrown away.
        """
        context, stream = self._context, self.stream
        while True:
            data = await context.read()
            if data is _EOF:
                return
            self._frames_read += 1
            if stream.failure is not None:
                continue
            try:
                self._receive(data)
            except StreamRefused as refused:
                stream.end(refused.status, refused.sentence)
                continue
            await self._flush()
            if stream.has_said_goodbye:
                self._wake_writer()
            if stream.offences:
                await asyncio.sleep(stream.take_pause())

    def _receive(self, data: bytes) -> None:
        try:
            frame = wire.bot_frame(data)
        except DecodeError:
            raise StreamRefused(
                Status.INVALID_ARGUMENT, f"{len(data)} bytes arrived that are no euchre.v1.BotFrame"
            ) from None
        self._is_receiving = True
        try:
            if self.stream.instance is None:
                self._hall.enter(self.stream, frame, time.monotonic())
                self._seated.set_result(None)
            else:
                self._hall.receive(self.stream, frame, time.monotonic())
        finally:
            self._is_receiving = False

    async def _write(self) -> None:
        """Write what comes from elsewhere: other streams' replies, deadlines, new games; return after Goodbye."""
        stream = self.stream
        while True:
            await self._flush()
            if stream.has_said_goodbye and not stream.is_writing:
                return
            self._idle = self._loop.create_future()
            await self._idle

    async def _flush(self) -> None:
        """Write whatever waits, all of it in one frame; and again, if more has come meanwhile.

        Reader and writer share the stream: who finds the other writing leaves it to him.
        """
        stream, instance = self.stream, self.stream.instance
        if instance is None or stream.is_writing:
            return
        while instance.has_output and instance.stream is stream and stream.failure is None:
            if instance.expects_company and not self._has_gathered:
                self._gather()
                return
            self._stop_gathering()
            stream.is_writing = True
            try:
                await self._context.write(self._hall.take_frame(instance, time.monotonic()))
            finally:
                stream.is_writing = False

    def _gather(self) -> None:
        if self._gathering is None:
            self._gathering = self._loop.call_later(self._hall.policy.gather_seconds, self._end_gathering)

    def _end_gathering(self) -> None:
        self._gathering = None
        self._has_gathered = True
        self._wake_writer()

    def _stop_gathering(self) -> None:
        self._has_gathered = False
        if self._gathering is not None:
            self._gathering.cancel()
            self._gathering = None

    async def _wait_for_half_close(self, reader: asyncio.Task[None]) -> str:
        """Goodbye has been said: wait a little for the bot's half-close, so that it sees a clean end."""
        done, _ = await asyncio.wait((reader,), timeout=self._hall.policy.goodbye_seconds)
        return "goodbye" if done else "goodbye, without the bot's half-close"

    async def _linger(self, reader: asyncio.Task[None], refused: StreamRefused) -> None:
        """Give a bot that is still writing a moment to stop, so that it sees the status.

        With grpc.aio a client that writes while the server ends the call sees INTERNAL, or nothing.
        """
        if self.stream.instance is not None and not self.stream.is_writing:
            goodbye = play_pb2.RefereeFrame(goodbye=play_pb2.Goodbye(reason=refused.sentence))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_QUIET_SECONDS):
                    await self._context.write(goodbye.SerializeToString())
        give_up = time.monotonic() + self._hall.policy.goodbye_seconds
        while not reader.done() and time.monotonic() < give_up:
            heard = self._frames_read
            await asyncio.wait((reader,), timeout=_QUIET_SECONDS)
            if self._frames_read == heard:
                return
