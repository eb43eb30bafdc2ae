"""Any program as the assistant: JSON on its stdin, JSON on its stdout."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from asyncio.subprocess import PIPE, Process

from bothways.engine.errors import CallFailed
from bothways.engine.experiment import RunSettings, Variant
from bothways.engine.facts import Answer, Failure, FailureKind, JsonObject, JsonValue, Reply
from bothways.engine.keys import digest
from bothways.engine.models.faults import from_silence, no_answer
from bothways.engine.models.scrub import scrub
from bothways.engine.targets.base import Ask, Calls
from bothways.engine.targets.result import EXPECTED, from_reply, to_reply
from bothways.engine.targets.seen import seen, sessions
from bothways.engine.text import excerpt

__all__ = ["CommandTarget"]


class CommandTarget:
    """Starts the program once per case, in the spec's folder: nothing of one is left for the next."""

    def __init__(self, variant: Variant, run: RunSettings) -> None:
        assert variant.command is not None
        self._argv = variant.command
        self._version = variant.version
        self._folder = variant.folder
        self._timeout_s = run.timeout_s

    async def answer(self, ask: Ask, calls: Calls) -> Answer:
        """Answer one case; raise CallFailed where the program fails, hangs, or writes no answer."""
        fresh = sessions(ask)
        request = digest("command", list(self._argv), self._version, seen(ask, ""))
        lane = f"command {self._argv[0]}"
        return from_reply(await calls.send(lane, request, lambda: self._try(seen(ask, next(fresh)))))

    async def close(self) -> None:
        """Nothing to give back: every program has ended with its case."""

    async def _try(self, case: JsonObject) -> Reply:
        started = time.perf_counter()
        process = await self._start()
        try:
            async with asyncio.timeout(self._timeout_s):
                out, complaint = await process.communicate(json.dumps(case).encode())
        except TimeoutError as error:
            raise from_silence(self._timeout_s) from error
        finally:
            await _end(process)
        if process.returncode:
            raise _failed(f"exit {process.returncode}: {_words(complaint) or 'without a word'}")
        return to_reply(_parse(out), time.perf_counter() - started)

    async def _start(self) -> Process:
        """Start the program in a group of its own, so that its children end with it."""
        group = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
        try:
            return await asyncio.create_subprocess_exec(
                *self._argv, stdin=PIPE, stdout=PIPE, stderr=PIPE, cwd=self._folder,
                start_new_session=True, creationflags=group,
            )  # fmt: skip
        except OSError as error:
            raise CallFailed(
                Failure(FailureKind.CODE, f"{self._argv[0]} cannot be started: {error.strerror}"),
                "stop",
                next_step="correct `command:` and run again",
            ) from error


async def _end(process: Process) -> None:
    """End the program and whatever it started, however it went."""
    if sys.platform == "win32":
        if process.returncode is None:
            killer = await asyncio.create_subprocess_exec("taskkill", "/F", "/T", "/PID", str(process.pid))
            await killer.wait()
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


def _parse(out: bytes) -> JsonValue:
    try:
        body: JsonValue = json.loads(out.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        wrong = f"stdout is no JSON; {EXPECTED}, as JSON; came"
        raise no_answer(wrong, _words(out) or "nothing", "give_up") from error
    return body


def _words(output: bytes) -> str:
    """Return the end of what a program said: there it says why it stopped."""
    return excerpt(scrub(output.decode("utf-8", "replace").strip()[-300:]), 300)


def _failed(message: str) -> CallFailed:
    return CallFailed(Failure(FailureKind.CODE, message), "give_up")
