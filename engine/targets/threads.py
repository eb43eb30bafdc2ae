"""Other people's synchronous code, kept off the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import Callable
from typing import TypeVar

__all__ = ["in_thread"]

T = TypeVar("T")
V = TypeVar("V")


async def in_thread(function: Callable[[], T]) -> T:
    """Run `function` in a thread of its own and return what it returns.

    A daemon thread rather than a pool's: code that hangs holds neither the next call nor the end of the
    program.
    """
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[T] = loop.create_future()
    context = contextvars.copy_context()

    def post(act: Callable[[V], None], value: V) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(lambda: None if outcome.done() else act(value))

    def run() -> None:
        try:
            result = context.run(function)
        except (StopIteration, SystemExit, KeyboardInterrupt) as error:
            # Each of these means something else to an event loop than to the code that raised it.
            post(outcome.set_exception, RuntimeError(repr(error)))
        except Exception as error:  # noqa: BLE001 - whatever it is, the one who waits gets it
            post(outcome.set_exception, error)
        else:
            post(outcome.set_result, result)

    threading.Thread(target=run, daemon=True, name="bothways-call").start()
    return await outcome
