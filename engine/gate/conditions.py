"""The conditions of the gate: a list of small functions, each from a situation to one `Condition`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from bothways.engine.analysis.outcomes import ORDERS
from bothways.engine.analysis.stats import as_set, percent, share, votes_needed
from bothways.engine.analysis.tally import Votes
from bothways.engine.gate.model import Condition, State
from bothways.engine.gate.situation import Situation
from bothways.engine.standing import Rule
from bothways.engine.text import agreeing, counted

__all__ = ["CONDITIONS"]

_FLIP_WARNING = Fraction("0.25")
"""The flip rate above which a judge is worth a warning; `max_flip_rate` is where it fails."""


def complete(s: Situation) -> Condition:
    """Everything that the spec asks for has been tried."""
    waiting = s.evidence.waiting
    if s.rows and not s.pending and not waiting:
        return Condition(
            "complete",
            State.PASS,
            f"all {s.rows:,} rows were tried" if s.rows > 1 else "the only row was tried",
        )
    detail = (
        f"{_of(len(s.pending), s.rows)} {_verb(s.pending, 'has', 'have')} not been tried"
        if s.pending or not s.rows
        else ""
    )
    again = (
        f"{_of(waiting, s.rows)} {agreeing(waiting, 'waits', 'wait')} for the newest round of judging"
        if waiting
        else ""
    )
    return Condition(
        "complete", State.UNKNOWN, "; ".join(filter(None, (detail, again))), s.pending,
        {"pending": len(s.pending), "waiting": waiting}, "finish the run",
    )  # fmt: skip


def win_rate(s: Situation) -> Condition:
    """The candidate wins enough of the decided rows."""
    ties = s.settings.ties
    of = s.votes.denominator(ties)
    rate = percent(s.votes.rate(ties), s.threshold)
    detail = f"{_of(s.votes.candidate, of, 'decided row')} ({rate}), {as_set(s.threshold)} needed"
    if s.open.open:
        least, most = s.open.wins()
        detail += f"; {counted(s.open.open, 'row is', 'rows are')} still open, "
        detail += f"which leaves {least} to {counted(most, 'win')}"
    detail += _differing(s)
    figures = {"wins": s.votes.candidate, "of": of, "needed": votes_needed(s.threshold, of)}
    state = s.open.win_rate(s.threshold, ties)
    return Condition("win_rate", state, detail, (), figures, _open(s) if state is State.UNKNOWN else "")


def margin(s: Situation) -> Condition:
    """The result does not hang on a vote or so."""
    allowed = s.settings.rerun_margin
    of = s.votes.denominator(s.settings.ties)
    distance = s.votes.candidate - s.threshold * of
    side = "above" if distance >= 0 else "below"
    detail = f"{float(abs(distance)):.1f} votes {side} the threshold; within {allowed} it is run again"
    state = s.open.margin(s.threshold, s.settings.ties, allowed)
    again = _open(s) if s.open.open or not of else "run it again on another day"
    resolve = again if state is State.UNKNOWN else ""
    return Condition(
        "margin",
        state,
        detail if of else "no row is decided",
        (),
        {"votes": float(distance), "rerun_margin": allowed},
        resolve,
    )


def tool_discipline(s: Situation) -> Condition:
    """No case's tool rules are newly broken, and no changed tool use goes unsigned."""
    name = "tool_discipline"
    if s.broken or s.refused:
        said: list[str] = []
        if s.broken:
            cases = counted(len(s.broken), "case breaks", "cases break")
            said.append(f"{cases} rules that the baseline keeps")
        if s.refused:
            differences = counted(len(s.refused), "tool difference was", "tool differences were")
            said.append(f"{differences} signed as bad")
        rows, figures = (*s.broken, *s.refused), {"broken": len(s.broken)}
        return Condition(name, State.FAIL, "; ".join(said), rows, figures)
    if s.unsigned:
        detail = (
            counted(len(s.unsigned), "case calls other tools, or writes", "cases call other tools, or write")
            + " otherwise, than the baseline"
        )
        figures = {"unsigned": len(s.unsigned)}
        return Condition(name, State.UNKNOWN, detail, s.unsigned, figures, "sign the tool differences")
    figures = {"calling": s.calling, "signed": len(s.signed)}
    if s.signed:
        signed = counted(len(s.signed), "changed tool use was", "changed tool uses were")
        detail = f"{signed} signed as right, by {', '.join(s.signers)}"
        return Condition(name, State.PASS, detail, s.signed, figures)
    kept = (
        f"the tool calls of {counted(s.calling, 'row')} keep their rules and write what the baseline's write"
    )
    return Condition(name, State.PASS, kept if s.calling else "no tool is called", (), figures)


def money_paths(s: Situation) -> Condition:
    """No high-stakes row is lost, and each is clear."""
    stakes = s.high_stakes
    if s.lost:
        detail = (
            f"{_of(len(s.lost), stakes, 'high-stakes row')} {_verb(s.lost, 'is', 'are')} lost to the baseline"
        )
        return Condition("money_paths", State.FAIL, detail, s.lost, {"lost": len(s.lost), "of": stakes})
    if s.unclear:
        detail = (
            f"{_of(len(s.unclear), stakes, 'high-stakes row')} {_verb(s.unclear, 'is', 'are')} not clear yet"
            f"{_between_people(s)}"
        )
        figures = {"unclear": len(s.unclear), "of": stakes}
        resolve = "retry what failed, and review these rows" if s.empty else "review these rows"
        return Condition("money_paths", State.UNKNOWN, detail, s.unclear, figures, resolve)
    detail = "no row is marked high stakes"
    if stakes:
        detail = (
            f"none of {stakes:,} high-stakes rows is lost"
            if stakes > 1
            else "the one high-stakes row is not lost"
        )
    return Condition("money_paths", State.PASS, detail, (), {"of": stakes})


def coverage(s: Situation) -> Condition:
    """The candidate answers where the baseline does, and nearly every row has a verdict that can be read."""
    readable, needed = s.rows - len(s.unread), Fraction(s.settings.min_answered)
    figures = {"readable": readable, "of": s.rows, "no_answer": len(s.silent)}
    if len(s.silent) > s.settings.max_errors:
        detail = f"the candidate gave no answer on {counted(len(s.silent), 'row')} where the baseline did"
        return Condition("coverage", State.FAIL, detail, s.silent, figures)
    rate = percent(share(readable, s.rows), needed)
    have = f"{_of(readable, s.rows)} {agreeing(readable, 'has', 'have')}"
    detail = f"{have} a readable verdict ({rate}), {as_set(needed)} needed"
    if not s.rows or s.rows - len(s.unread_for_good) < needed * s.rows:
        resolve = "finish the run, retry what failed, or review"
        return Condition("coverage", State.UNKNOWN, detail, s.unread, figures, resolve)
    if len(s.silent) + len(s.pending) > s.settings.max_errors:
        untried = counted(len(s.pending), "row that was", "rows that were")
        detail += f"; {untried} not tried could go without an answer"
        return Condition("coverage", State.UNKNOWN, detail, s.pending, figures, "finish the run")
    return Condition("coverage", State.PASS, detail + _owed(s, readable < needed * s.rows), (), figures)


def judge_health(s: Situation) -> Condition:
    """The judge says the same both ways, often enough to be believed."""
    passes, most = s.passes, Fraction(s.settings.max_flip_rate)
    rate = share(passes.flips, passes.readable)
    flip = f"{_of(passes.flips, passes.readable)} {agreeing(passes.flips, 'flips', 'flip')}"
    detail = f"{flip} ({percent(rate, most)})"
    detail = f"{detail}, at most {as_set(most)} allowed" if passes.readable else "no row was read both ways"
    first, second = (_leader(s.evidence.passes[order]) for order in ORDERS)
    if passes.phantom:
        detail += f"; position bias: the first pass alone names the {first}, the second the {second}"
    elif rate is not None and _FLIP_WARNING < rate <= most:
        detail += "; more than 25 %, which is worth a warning"
    figures: dict[str, float | int | str | None] = {
        "flips": passes.flips, "of": passes.readable, "first_leader": first, "second_leader": second,
    }  # fmt: skip
    state = passes.health(most)
    if s.rows and s.unreviewed == len(s.missing) + len(s.coming):
        read = "" if s.unreviewed else "people decided every row, whatever the judge did: "
        return Condition(
            "judge_health", State.PASS, read + detail + _owed(s, state is not State.PASS), (), figures
        )
    if state is State.FAIL:
        return Condition(
            "judge_health", State.FAIL, detail, s.flipped, figures, "use another judge, or review every row"
        )
    if state is State.UNKNOWN and s.pending:
        detail += f"; {counted(len(s.pending), 'row was', 'rows were')} not tried"
        return Condition("judge_health", state, detail, s.pending, figures, "finish the run")
    return Condition(
        "judge_health", state, detail, (), figures, "judge both ways" if state is State.UNKNOWN else ""
    )


def one_change(s: Situation) -> Condition:
    """Baseline and candidate differ in exactly one place, or a person answers for it."""
    sentence, reason = s.evidence.change.sentence, s.evidence.experiment.attest.one_change
    if s.evidence.change.count == 1:
        return Condition("one_change", State.PASS, sentence)
    if reason:
        return Condition(
            "one_change", State.PASS, f"{sentence}; attested: {reason}", (), {"attested": reason}
        )
    return Condition(
        "one_change", State.UNKNOWN, sentence, (), {}, "change one thing, or attest one_change with a reason"
    )


def enough_evidence(s: Situation) -> Condition:
    """Enough rows are decided to say anything."""
    decided, needed = s.votes.decided, s.settings.min_decided
    state = s.open.enough(needed)
    detail = f"{counted(decided, 'row is', 'rows are')} decided, {needed} needed"
    if state is State.PASS:
        detail += _owed(s, decided < needed)
    figures = {"decided": decided, "needed": needed}
    return Condition(
        "enough_evidence", state, detail, (), figures, "" if state is State.PASS else "add cases"
    )


CONDITIONS: tuple[Callable[[Situation], Condition], ...] = (
    complete, win_rate, margin, tool_discipline, money_paths, coverage, judge_health, one_change,
    enough_evidence,
)  # fmt: skip
"""Every condition, in the order in which they are shown."""


def _leader(counts: Mapping[str, int]) -> str | None:
    return Votes(counts.get("candidate", 0), counts.get("baseline", 0)).leader


def _owed(s: Situation, needed: bool) -> str:
    """Say that a condition passes only by what people still have to say."""
    due = len(s.missing) + len(s.coming)
    return f"; the {counted(due, 'review')} outstanding would settle it" if needed and due else ""


def _differing(s: Situation) -> str:
    """Say on how many rows reviewers differ, and whose verdict counts there."""
    rule = Rule.of(s.evidence.experiment.review)
    return f"; reviewers differ {rule.over(s.differing, len(s.disputed))}" if s.differing else ""


def _between_people(s: Situation) -> str:
    """Say on how many of the unclear rows reviewers differ."""
    differ = len(set(s.unclear).intersection(s.disputed))
    return f", {differ} of them since reviewers differ" if differ else ""


def _open(s: Situation) -> str:
    wanted = {"review the required rows": s.missing, "finish the run": s.pending}
    return " and ".join(what for what, rows in wanted.items() if rows) or "decide more rows"


def _of(part: int, whole: int, one: str = "row") -> str:
    return f"{part:,} of {counted(whole, one)}"


def _verb(rows: Sequence[str], one: str, many: str) -> str:
    return agreeing(len(rows), one, many)
