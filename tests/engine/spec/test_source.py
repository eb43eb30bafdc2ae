from __future__ import annotations

import pytest

from bothways.engine.spec.source import defined


@pytest.mark.parametrize(
    "source",
    ["def judge(asked): ...", "async def judge(asked): ...", "class judge: ...", "judge = str",
     "from os import getcwd as judge", "import judge.inner", "if True:\n    def judge(asked): ...",
     "try:\n    from fast import judge\nexcept ImportError:\n    judge = None", "other, judge = str, str",
     "\N{BYTE ORDER MARK}def judge(asked): ..."],
)  # fmt: skip
def test_a_name_is_found_however_it_is_bound(source: str) -> None:
    assert "judge" in (defined(source.encode()) or ())


def test_a_name_that_is_only_used_is_not_defined() -> None:
    assert "judge" not in (defined(b"def other(asked): return judge(asked)") or ())


@pytest.mark.parametrize(
    "source",
    [
        "from elsewhere import *",
        "def __getattr__(name): ...",
        "globals()['judge'] = str",
        "exec('judge = 1')",
    ],
)
def test_a_module_that_makes_names_as_it_runs_is_believed(source: str) -> None:
    assert defined(source.encode()) is None


@pytest.mark.parametrize(
    "source", [b"def judge(asked)\n    pass", b"judge = \x00", b"x = '\xff'", b"(" * 5000]
)
def test_what_is_no_python_is_a_syntax_error(source: bytes) -> None:
    with pytest.raises(SyntaxError):
        defined(source)


def test_nothing_runs_and_no_warning_is_shown() -> None:
    assert defined(b"raise SystemExit('\\d')\ndef judge(asked): ...") == frozenset({"judge"})
