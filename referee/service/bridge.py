"""Two loops in one thread: grpc.aio's asyncio carries the bytes, trio holds the structure.

This is the one module that knows both. What you need to know to change anything around it:

*Which code runs where.* One thread. asyncio runs the loop; trio runs as its guest (``trio.lowlevel.start_guest_run``)
and gets a turn whenever one of its tasks can run. Two helper threads exist, and none runs our code: grpc's poller,
and trio's, which waits in the operating system while every trio task sleeps. A third waits for the disk where an
organiser wants results durable before they are told (``Referee._keep_results``); it sees finished games alone.

- asyncio: the handlers of the gRPC service (``server.py``), a reader and a writer for each stream (``call.py``). They
  call plain synchronous code (``hall.py``, ``stream.py``, ``table.py``) for every frame that arrives, to the end of
  what follows from it.
- trio: the caller (a match, a night), its tasks that wait in ``Referee.play``, and one task that sleeps until the next
  deadline.
- The synchronous code between them belongs to neither loop. It never waits, so each call of it is atomic for both.

*Who may call whom.* Trio code may call the synchronous code and :func:`on_host`. asyncio code may call the synchronous
code, and ``trio.Event.set`` (or :meth:`trio.CancelScope.cancel`), because it runs in trio's thread; it may await
nothing of trio. The synchronous code wakes an asyncio writer by setting a future, and a trio task by setting an event:
both only mark somebody as ready.

*What is not there.* No trio task and no thread in the path of a decision: a frame is read, done and answered inside one
asyncio callback (a trio task in between cost 10 to 30 %, docs/decisions/0001-bridge.md).

*How a deadline crosses.* Deadlines are data (``clock.py``). The one trio task sleeps until the earliest and then calls
``Hall.tick``. A new earliest deadline wakes it through an event.

*How a cancel crosses.* Cancelling a trio task inside :func:`on_host` cancels the asyncio task it waits for and waits
until that has ended; cancelling one inside ``Referee.play`` stops its table. A handler that asyncio cancels (the bot
has vanished) reports a lost stream to the hall and takes nothing else with it.

*What happens at shutdown.* The trio main function leaves ``open_referee``: doors close, tables stop, every stream is
told Goodbye and gets ``goodbye_seconds`` to half-close, the gRPC server stops, the sleeping task is cancelled. Only
then does the main function return, and with it the asyncio loop. SIGINT and SIGTERM cancel the main function, once;
all the above then runs, and :func:`run` raises ``KeyboardInterrupt``. A second SIGINT interrupts at once.
"""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

import trio

T = TypeVar("T")


def run(main: Callable[..., Awaitable[T]], *args: object) -> T:
    """Run the trio function ``main(*args)`` to its end, with asyncio underneath, and return what it returns.

    :raises KeyboardInterrupt: after SIGINT or SIGTERM, once *main* has been cancelled and has ended.
    """
    _collect_seldom()
    return asyncio.run(_host(main, args))


def _collect_seldom() -> None:
    """Let the collector of cycles look seldom.

    A decision makes some fifty values, none in a cycle; with Python's thresholds looking for cycles among them costs
    a fifth of the processor time of a decision (docs/performance.md).
    """
    gc.set_threshold(50_000, 50, 50)


async def _host(main: Callable[..., Awaitable[T]], args: tuple[object, ...]) -> T:
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[Any] = loop.create_future()
    scope = trio.CancelScope()

    async def guest() -> T:
        with scope:
            return await main(*args)
        raise KeyboardInterrupt  # the scope is cancelled by _cancel alone

    def on_end(result: object) -> None:
        if not ended.done():
            ended.set_result(result)

    trio.lowlevel.start_guest_run(
        guest,
        run_sync_soon_threadsafe=loop.call_soon_threadsafe,
        run_sync_soon_not_threadsafe=loop.call_soon,
        done_callback=on_end,
        host_uses_signal_set_wakeup_fd=True,
    )
    _listen_to_sigterm(loop, scope)
    while True:
        try:
            result = await asyncio.shield(ended)
        except asyncio.CancelledError:  # asyncio.run does this on SIGINT
            scope.cancel()
        else:
            value: T = result.unwrap()
            return value


def _listen_to_sigterm(loop: asyncio.AbstractEventLoop, scope: trio.CancelScope) -> None:
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        try:
            loop.add_signal_handler(signal.SIGTERM, scope.cancel)
        except (RuntimeError, ValueError):
            return  # not in the main thread: whoever is there listens to signals


async def on_host(work: Coroutine[Any, Any, T]) -> T:
    """Run an asyncio coroutine from a trio task and return its result.

    Cancelling the trio task cancels the coroutine and waits until it has ended.
    """
    task = asyncio.ensure_future(work)
    waiting = trio.lowlevel.current_task()
    cancelled: list[trio.lowlevel.RaiseCancelT] = []

    def on_cancel(raise_cancel: trio.lowlevel.RaiseCancelT) -> trio.lowlevel.Abort:
        cancelled.append(raise_cancel)
        task.cancel()
        return trio.lowlevel.Abort.FAILED  # the callback comes when it has ended

    task.add_done_callback(lambda _: trio.lowlevel.reschedule(waiting))
    await trio.lowlevel.wait_task_rescheduled(on_cancel)
    if cancelled and task.cancelled():
        cancelled[0]()
    return task.result()
