"""What was asked, what is known about it, and what has happened to the row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bothways.engine.text import excerpt
from bothways.widgets.plain import Line, Run, Tone, line
from bothways.widgets.rowview import CaseView, HistoryView, RuleView
from bothways.widgets.wrap import columns

__all__ = ["asked", "context_page", "history_page", "rules_page"]


_ROOMY = 90
"""From this width on context and reference stand beside what was asked."""
_ASKED = 1_000
"""Characters of the question that stand above the answers; the context tab has all of it."""


def asked(view: CaseView) -> Line:
    """Return what the user said last, on one line; what a case without one begins with."""
    said = [content for role, content in view.messages if role == "user"]
    said = said or [content for _, content in view.messages]
    return (Run("Asked: ", "accent"), Run(excerpt(said[-1], _ASKED) if said else "nothing", "strong"))


def context_page(view: CaseView, width: int = 0) -> Iterator[Line]:
    """Yield the conversation, then context and reference: beside it where there is room."""
    head = [Run(view.id, "title")]
    if view.high_stakes:
        head.append(Run("  ! high stakes", "warn"))
    if view.tags:
        head.append(Run(f"  {' · '.join(view.tags)}", "muted"))
    yield tuple(head)
    yield ()
    asked = _sections(view.messages)
    known = _sections([("context", view.context), ("reference answer", view.reference)])
    if width >= _ROOMY and known:
        yield from columns(asked, known, width)
    else:
        yield from [*asked, *([()] if asked and known else []), *known]


def _sections(parts: Sequence[tuple[str, str]]) -> list[Line]:
    """Return texts, each under what it is, with an empty line between them; none for an empty one."""
    lines: list[Line] = []
    for name, text in parts:
        if text:
            lines += [*([()] if lines else []), line(name, "accent"), line(text)]
    return lines


def rules_page(left: str, right: str, rules: Sequence[RuleView]) -> list[Line]:
    """Return each rule with how both sides fare, and first of all how many each side breaks."""
    if not rules:
        return [line("this case has no rules", "muted")]
    lines: list[Line] = [
        _tally(left, "left", [rule.left for rule in rules]),
        _tally(right, "right", [rule.right for rule in rules]),
        (),
    ]
    for rule in rules:
        lines.append((_kept(rule.left, "left"), _kept(rule.right, "right"), Run(rule.rule)))
        if rule.detail:
            lines.append(line(f"    {rule.detail}", "muted"))
    return lines


def _tally(title: str, side: str, kept: Sequence[bool | None]) -> Line:
    broken = kept.count(False)
    says = (
        f"breaks {broken} of {len(kept)} rules"
        if broken
        else f"keeps {kept.count(True)} of {len(kept)} rules"
    )
    return (Run(f"{side:<6}"), Run(title, "title"), Run(f"  {says}", "bad" if broken else "good"))


def _kept(kept: bool | None, side: str) -> Run:
    if kept is None:
        return Run(f"· {side}  ", "muted")
    tone: Tone = "good" if kept else "bad"
    return Run(f"{'✓' if kept else '✗'} {side}  ", tone)


def history_page(events: Sequence[HistoryView]) -> list[Line]:
    """Return what happened, newest first."""
    if not events:
        return [line("nothing has happened to this row yet", "muted")]
    lines: list[Line] = []
    for event in reversed(events):
        what = f"{event.what} (undone)" if event.undone else event.what
        tone: Tone = "muted" if event.undone else "strong"
        lines.append((Run(f"{event.at}  ", "muted"), Run(f"{event.who}  "), Run(what, tone)))
        if event.words:
            lines.append(line(f"    {event.words}"))
    return lines
