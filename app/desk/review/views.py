"""One row in full, as the widgets show it: facts in, plain data out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from bothways.app.desk.keys import press
from bothways.app.desk.review.conversation import conversation
from bothways.app.desk.review.known import Known, others_voted
from bothways.app.desk.review.told import recorded
from bothways.app.desk.review.veil import veiled
from bothways.engine.analysis.afresh import counting
from bothways.engine.analysis.model import Evidence, RowEvidence, ToolState
from bothways.engine.analysis.tools import align, compare
from bothways.engine.facts import TIE, Answer, PassResult, ToolCall
from bothways.engine.judging.meant import meant
from bothways.engine.keys import canonical
from bothways.engine.ledger import PassUnit, Record, RowDetail
from bothways.engine.rules import Call, check_kept, rule_kept, sentence
from bothways.engine.verdicts import Side
from bothways.widgets.rowview import (
    CallView,
    CaseView,
    HistoryView,
    PassView,
    RowView,
    RuleView,
    Said,
    SideText,
    ToolsView,
)

if TYPE_CHECKING:
    from bothways.app.desk.review.session import ReviewSession

__all__ = ["row_view"]

_NOTHING = Answer()
_MARKS = {"blind": "blind", "changed_mind": "a change of mind", "bulk": "with others"}


def row_view(session: ReviewSession, known: Known, detail: RowDetail) -> RowView:
    """Return the current row with its sides as they stand, as far as the reader may know it.

    Before their vote that is nobody else's, and in blind mode neither names nor the judge. `known` is what
    they may know of it in short, `detail` the row in full.
    """
    evidence, row, sides = session.evidence, session.work.current, session.sides
    in_force = {review.seq for review in session.acts_on(row.case_id)}
    names = evidence.names
    left, right = (detail.newest(names[side]) for side in sides)
    titles = tuple(f"{names[side]} · {side}" for side in sides)
    apart, reader = known.mine is None, session.reader.name
    records = session.records_on(row.case_id)
    told = [record for record in records if not apart or record.body.get("reviewer") == reader]
    view = RowView(
        left=_side(titles[0], left, evidence.experiment.writes),
        right=_side(titles[1], right, evidence.experiment.writes),
        passes=tuple(_pass(unit, result) for unit, result in counting(detail, evidence)),
        tools=_tools(evidence, row, (left or _NOTHING, right or _NOTHING), sides, detail),
        case=_case(detail, row),
        rules=tuple(_rules(detail, left or _NOTHING, right or _NOTHING)),
        history=(
            *_happened(detail, labels=not apart),
            *(_reviewed(record, record.seq in in_force, evidence) for record in told),
            *_others(known),
        ),
    )
    if not known.veiled:
        return view
    own = [record for record in told if record.body.get("act") in ("skip", "note", "tools")]
    mine = [_reviewed(record, record.seq in in_force, evidence) for record in own]
    return veiled(view, (*mine, *_others(known)))


def _side(title: str, answer: Answer | None, writes: Callable[[str], bool]) -> SideText:
    if answer is None:
        return SideText(title, missing="not answered yet")
    missing = "" if answer.shown else "the answer is empty"
    if answer.failure is not None:
        missing = f"no answer · {answer.failure.kind}: {answer.failure.message}"
    return SideText(title, answer.shown, missing, conversation(answer, writes))


def _pass(unit: PassUnit, result: PassResult | None) -> PassView:
    shown = (unit.shown[0], unit.shown[1])
    if result is None:
        return PassView(shown, "not tried")
    said: Said = "unreadable"
    if result.choice is not None:
        said = "tie" if result.choice == TIE else ("first", "second")[result.choice]
    failure = f"{result.failure.kind}: {result.failure.message}" if result.failure is not None else ""
    words = meant(result.rationale, shown) or (result.raw if said == "unreadable" else "")
    parts = [result.model or "", f"read as {result.reading}" if result.reading else ""]
    if unit.night > 1:
        parts.append(f"night {unit.night}")
    if unit.take > 1:
        parts.append(f"take {unit.take}")
    return PassView(shown, said, words, failure, " · ".join(part for part in (*parts, *result.notes) if part))


def _tools(
    evidence: Evidence,
    row: RowEvidence,
    answers: tuple[Answer, Answer],
    sides: tuple[Side, Side],
    detail: RowDetail,
) -> ToolsView:
    experiment = evidence.experiment
    calls = tuple([Call.of(call) for call in answer.tool_calls] for answer in answers)
    results = [
        iter([_call(call, experiment.writes(call.name)) for call in answer.tool_calls]) for answer in answers
    ]
    aligned = tuple(
        (next(results[0]) if one.baseline else None, next(results[1]) if one.candidate else None)
        for one in align(calls[0], calls[1])
    )
    before, after = (calls[sides.index(side)] for side in ("baseline", "candidate"))
    names = [evidence.said(side) for side in sides]
    standing = row.standing
    signed = (
        f"signed {standing.tools} by {standing.signed_by}" if standing is not None and standing.tools else ""
    )
    if not signed and row.tools is ToolState.CHANGED:
        signed = f"nobody has signed this difference yet: {press('review.tools')} signs it"
    return ToolsView(
        names[0], names[1], aligned, row.tools.value,
        compare(before, after, detail.case.tool_rules, writes=experiment.writes).reasons, signed,
        undeclared=not any(variant.tools for variant in experiment.variants),
    )  # fmt: skip


def _call(call: ToolCall, writes: bool) -> CallView:
    arguments = tuple((name, canonical(value)) for name, value in call.arguments.items())
    return CallView(call.name, arguments, call.result or "", call.turn, writes)


def _case(detail: RowDetail, row: RowEvidence) -> CaseView:
    case = detail.case
    return CaseView(
        case.id,
        tuple((message.role, message.content) for message in case.messages),
        case.context,
        case.reference,
        tuple(f"{name}: {value}" for name, value in case.tags.items()),
        row.high_stakes,
    )


def _rules(detail: RowDetail, left: Answer, right: Answer) -> Iterator[RuleView]:
    calls = [[Call.of(call) for call in answer.tool_calls] for answer in (left, right)]
    for rule in detail.case.tool_rules:
        yield RuleView(f"tools · {sentence(rule)}", rule_kept(rule, calls[0]), rule_kept(rule, calls[1]))
    for check in detail.case.checks:
        yield RuleView(
            f"text · {sentence(check)}", check_kept(check, left.text), check_kept(check, right.text)
        )


def _happened(detail: RowDetail, *, labels: bool) -> Iterator[HistoryView]:
    """Yield what happened by itself, and with `labels` what people said in the file that was imported."""
    happened = [
        HistoryView(at, unit.variant, "answered" if answer.failure is None else "gave no answer")
        for unit, answer, at in detail.answers
        if at and answer is not None
    ]
    happened += [
        HistoryView(at, unit.judge, f"judged, {' before '.join(unit.shown)}")
        for unit, result, at in detail.passes
        if at and result is not None
    ]
    happened += [
        HistoryView("", label.annotator, f"voted {label.verdict or 'nothing'} in the file", label.note)
        for label in (detail.labels if labels else ())
    ]
    yield from sorted(happened, key=lambda event: event.at)


def _others(known: Known) -> Iterator[HistoryView]:
    """Say how many others have voted, while their verdicts are not to be seen."""
    if known.mine is None and known.others:
        yield HistoryView("", others_voted(known.others), "shown after your vote")


def _reviewed(record: Record, counts: bool, evidence: Evidence) -> HistoryView:
    body = record.body
    what = str(body.get("act"))
    if what in ("verdict", "confirm"):
        what = f"{what}: {recorded(evidence, body)}"
    elif what == "tools":
        what = f"signed the tool calls: {body.get('signed')}"
    what += "".join(f" · {word}" for name, word in _MARKS.items() if body.get(name))
    what += " · second look" if body.get("look") == 2 else ""
    words = " · ".join(str(body[name]) for name in ("reason", "note") if body.get(name))
    undone = not counts and body.get("act") not in ("undo", "redo")
    return HistoryView(record.at, str(body.get("reviewer")), what, words, undone)
