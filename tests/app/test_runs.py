"""How a run is talked about while it goes."""

from __future__ import annotations

import io
import json

from bothways.app.runs import Events, ProgressLine
from bothways.engine.facts import Failure, FailureKind
from bothways.engine.run.options import RunEvent


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Closed(io.StringIO):
    """A pipe that nobody reads any more."""

    def __init__(self) -> None:
        super().__init__()
        self.tried = 0

    def write(self, text: str) -> int:
        self.tried += 1
        raise BrokenPipeError


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def answered(line: ProgressLine, count: int) -> None:
    for _ in range(count):
        line(RunEvent("answered", "c1", "v5", cost_usd=0.5))


def test_a_terminal_gets_one_line_rewritten_ten_times_a_second_at_most() -> None:
    out, clock = Terminal(), Clock()
    line = ProgressLine(out, clock)
    for tick in range(100):
        clock.now = tick / 100
        answered(line, 1)
    assert 8 <= out.getvalue().count("\r") <= 10
    assert "\n" not in out.getvalue()


def test_a_pipe_gets_whole_lines_now_and_then() -> None:
    out, clock = io.StringIO(), Clock()
    line = ProgressLine(out, clock)
    answered(line, 10)
    clock.now = 6
    answered(line, 1)
    line(RunEvent("ended", detail="complete"))
    assert out.getvalue() == "11 answers, 0 passes, 0.5000 USD\n" * 2


def test_a_failure_is_told_at_once_and_made_visible() -> None:
    out = io.StringIO()
    ProgressLine(out, Clock())(
        RunEvent("failed", "c1", "v5", Failure(FailureKind.TIMEOUT, "after\x1b[2J 9 s"))
    )
    assert out.getvalue() == "failed: c1 v5: timeout: after␛[2J 9 s\n"


def test_what_a_run_stops_for_is_left_to_its_end() -> None:
    out = io.StringIO()
    line = ProgressLine(out, Clock())
    absent = Failure(FailureKind.NO_KEY, "500: missing credentials")
    line(RunEvent("stopping", detail=f"no key: {absent.message}; put the key into the environment"))
    line(RunEvent("failed", "c1", "v4", absent))
    line(RunEvent("failed", "c1", "v5", Failure(FailureKind.TIMEOUT, "9 s")))
    assert out.getvalue() == "stopping: no key\nfailed: c1 v5: timeout: 9 s\n"


def test_progress_goes_on_when_nobody_listens() -> None:
    out = Closed()
    line = ProgressLine(out, Clock())
    line(RunEvent("stopping", detail="x"))
    line(RunEvent("ended"))
    assert out.tried


def test_an_event_is_one_json_line_without_what_it_does_not_say() -> None:
    out = io.StringIO()
    Events(out)(RunEvent("failed", "c1", "v5", Failure(FailureKind.TIMEOUT, "9 s\n"), cost_usd=0.25))
    assert json.loads(out.getvalue()) == {
        "kind": "failed", "case": "c1", "variant": "v5", "failure": {"kind": "timeout", "message": "9 s\n"},
        "cost_usd": 0.25,
    }  # fmt: skip
    assert out.getvalue().count("\n") == 1
