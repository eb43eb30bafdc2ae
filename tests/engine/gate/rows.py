"""Rows and evidence made to order, for properties of the gate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, cast

from hypothesis import strategies as st
from tests.engine.shop import experiment

from bothways.engine.analysis.model import Evidence, FirstShown, RowEvidence, ToolState
from bothways.engine.change import Change
from bothways.engine.experiment import Attest, Experiment, ReviewSettings
from bothways.engine.gate.json import as_json
from bothways.engine.gate.model import GateResult
from bothways.engine.standing import Standing, Voice
from bothways.engine.verdicts import Outcome, Side, Verdict

__all__ = ["TRIED", "evidence_of", "figure", "reviewed", "rows", "specs"]

_Kind: TypeAlias = tuple[Outcome, Side | None, Verdict | None, Verdict | None]
TRIED: list[_Kind] = [
    (Outcome.WIN, "candidate", "candidate", "candidate"),
    (Outcome.WIN, "baseline", "baseline", "baseline"),
    (Outcome.TIE, None, "tie", "tie"),
    (Outcome.FLIP_HARD, None, "candidate", "baseline"),
    (Outcome.FLIP_HARD, None, "baseline", "candidate"),
    (Outcome.FLIP_SOFT, None, "tie", "candidate"),
    (Outcome.FLIP_NIGHTS, None, "candidate", "candidate"),
    (Outcome.UNANSWERED, None, None, "candidate"),
    (Outcome.UNANSWERED, None, None, None),
    (Outcome.ONE_PASS, None, "candidate", None),
    (Outcome.ERROR, None, None, None),
]
"""Every outcome that a row can come to, with what its two passes said."""

_PENDING: _Kind = (Outcome.PENDING, None, None, None)
_SAID: list[Verdict | None] = [None, None, "candidate", "baseline", "tie"]
_DIFFER = Standing(disputed=True, voices=(Voice("kim", "candidate"), Voice("lee", "baseline")))
"""Two people who differ where no rule settles it."""
_SIGNED: list[Literal["ok", "bad"] | None] = [None, "ok", "ok", "bad"]
_SIDES: list[tuple[Side, ...]] = [("candidate",), ("baseline",), ("baseline", "candidate")]


@st.composite
def rows(draw: st.DrawFn, *, most: int = 12, high_stakes: bool | None = None) -> list[RowEvidence]:
    """Draw rows of every outcome, some of them reviewed, some with changed tools; a few are not tried yet.

    On some of those that were tried reviewers differ; while nothing was, a row may turn out as anything.
    """
    made: list[RowEvidence] = []
    untried = draw(st.sampled_from([0, 0, 0, 1, 2]))
    for number in range(draw(st.integers(0, most))):
        outcome, winner, first, second = _PENDING if number < untried else draw(st.sampled_from(TRIED))
        failed: tuple[Side, ...] = draw(st.sampled_from(_SIDES)) if outcome is Outcome.ERROR else ()
        stakes = draw(st.booleans()) if high_stakes is None else high_stakes
        verdict = draw(st.sampled_from(_SAID))
        tools = draw(
            st.sampled_from([ToolState.NONE] * 6 + [ToolState.SAME, ToolState.CHANGED, ToolState.BROKEN])
        )
        signed = draw(st.sampled_from(_SIGNED))
        standing = (
            Standing(verdict=verdict, tools=signed, signed_by="kim" if signed else "")
            if verdict or signed
            else None
        )
        if verdict is None and outcome is not Outcome.PENDING and draw(st.integers(0, 3)) == 0:
            standing = _DIFFER._replace(tools=signed, signed_by="kim" if signed else "")
        made.append(
            RowEvidence(
                number,
                f"c{number}",
                number,
                {},
                stakes,
                outcome,
                winner,
                first,
                second,
                failed,
                tools,
                standing,
            )
        )
    return made


@st.composite
def specs(draw: st.DrawFn) -> Experiment:
    """Draw the numbers that a gate goes by."""
    spec = experiment(
        threshold=draw(st.sampled_from(["0.60", "0.5", "0.333", "1"])),
        ties=draw(st.sampled_from(["count", "exclude"])),
        rerun_margin=draw(st.integers(0, 2)),
        min_decided=draw(st.integers(0, 6)),
        max_errors=draw(st.integers(0, 2)),
        max_flip_rate=draw(st.sampled_from(["0.30", "0.5", "0"])),
        min_answered=draw(st.sampled_from(["0.90", "0.5"])),
    )
    require = draw(st.sampled_from(["always", "always", "when_close", "never"]))
    # of the rules, the one under which two people can differ and one more verdict of any kind settles it
    rule = {"policy": "adjudicator", "adjudicator": "ada"}
    review = ReviewSettings.model_validate({"require": require, **rule})
    attest = Attest(one_change=draw(st.sampled_from([None, None, "known"])))
    return spec.model_copy(update={"review": review, "attest": attest})


def figure(result: GateResult, name: str) -> dict[str, int]:
    """One of the gate's figures that is a table of counts, as scripts read it."""
    return cast("dict[str, int]", as_json(result)[name])


def reviewed(row: RowEvidence, verdict: Verdict) -> RowEvidence:
    """The row after a person's verdict came to count."""
    return row._replace(standing=(row.standing or Standing())._replace(verdict=verdict, disputed=False))


def evidence_of(found: Sequence[RowEvidence], spec: Experiment | None = None) -> Evidence:
    """Evidence that holds these rows, with their passes counted."""
    first = [row.first or "unreadable" for row in found]
    second = [row.second or "unreadable" for row in found]
    return Evidence(
        experiment=spec or experiment(),
        spec_id=1,
        candidate="v5",
        judge="judge",
        rows=found,
        passes={"first": _counts(first), "second": _counts(second)},
        first_shown=FirstShown(0, 0),
        change=Change(1, "one change"),
    )


def _counts(said: Sequence[str]) -> dict[str, int]:
    return {name: said.count(name) for name in ("candidate", "baseline", "tie", "unreadable")}
