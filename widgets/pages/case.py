"""What was asked, what is known about it, and what has happened to the row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bothways.engine.text import excerpt
from bothways.widgets.plain import Line, Run, Tone, line

__all__ = ["CaseView", "HistoryView", "RuleView", "asked", "context_page", "history_page", "rules_page"]


@dataclass(frozen=True, slots=True)
class CaseView:
    """The case: who said what before the answer, the context, the reference, its tags."""

    id: str
    messages: tuple[tuple[str, str], ...] = ()
    context: str = ""
    reference: str = ""
    tags: tuple[str, ...] = ()
    high_stakes: bool = False


@dataclass(frozen=True, slots=True)
class RuleView:
    """One rule or check: what it says, and whether each side keeps it (None: not looked at)."""

    rule: str
    left: bool | None = None
    right: bool | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class HistoryView:
    """One thing that happened to the row: when, who, what, and the words that came with it."""

    at: str
    who: str
    what: str
    words: str = ""
    undone: bool = field(default=False)


_ASKED = 1_000
"""Characters of the question that stand above the answers; the context tab has all of it."""


def asked(view: CaseView) -> Line:
    """Return what the user said last, on one line; what a case without one begins with."""
    said = [content for role, content in view.messages if role == "user"]
    said = said or [content for _, content in view.messages]
    return (Run("Asked: ", "accent"), Run(excerpt(said[-1], _ASKED) if said else "nothing", "strong"))


def context_page(view: CaseView) -> list[Line]:
    """Return the conversation, then context and reference."""
    head = [Run(view.id, "title")]
    if view.high_stakes:
        head.append(Run("  ! high stakes", "warn"))
    if view.tags:
        head.append(Run(f"  {' · '.join(view.tags)}", "muted"))
    lines: list[Line] = [tuple(head)]
    for role, content in view.messages:
        lines += [(), line(role, "accent"), line(content)]
    for name, text in (("context", view.context), ("reference answer", view.reference)):
        if text:
            lines += [(), line(name, "accent"), line(text)]
    return lines


def rules_page(left: str, right: str, rules: Sequence[RuleView]) -> list[Line]:
    """Return each rule with how both sides fare."""
    if not rules:
        return [line("this case has no rules", "muted")]
    lines: list[Line] = [line(f"left: {left} · right: {right}", "muted")]
    for rule in rules:
        lines.append((_kept(rule.left, "left"), _kept(rule.right, "right"), Run(rule.rule)))
        if rule.detail:
            lines.append(line(f"    {rule.detail}", "muted"))
    return lines


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
