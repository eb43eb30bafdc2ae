"""What the screen of a new experiment shows: the form's lines, and the pages about what was typed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from bothways.app.desk.keys import press
from bothways.app.desk.new.draft import Draft
from bothways.app.desk.new.fields import Field
from bothways.app.desk.new.precheck import Checked
from bothways.engine.text import counted, excerpt
from bothways.widgets.columns import Cells, Column
from bothways.widgets.plain import Line, Run, Tone, line

if TYPE_CHECKING:
    from bothways.engine.spec.told import Said

__all__ = ["COLUMNS", "FormLine", "explain", "form_cells", "form_lines", "page", "summary"]

COLUMNS = (Column("", 18), Column(""))
_LONGEST = 500
_ABOUT = {
    "Spec": "one that is there",
    "Baseline": "the version that customers have now",
    "Candidate": "the baseline, but for what is filled in here",
    "Judge": "compares each pair twice, the second time in the reverse order",
    "Review": "what people read",
    "Gate": "what it takes to ship",
    "Run": "how it may behave",
}


def _used() -> Field:
    back = f"{press('new.use')} goes back to the form."
    return Field("used", "spec file", f"It is used as it is; edit it with your editor. {back}")


class FormLine(NamedTuple):
    """One line of the form: a field, or the name of a part."""

    field: Field | None
    title: str = ""


def form_lines(draft: Draft) -> list[FormLine]:
    """Return the lines of the form, each part under its name."""
    if draft.used:
        return [FormLine(None, "Spec"), FormLine(_used())]
    lines: list[FormLine] = []
    section = ""
    for field in draft.fields:
        if field.section != section:
            section = field.section
            lines.append(FormLine(None, section))
        lines.append(FormLine(field))
    return lines


def form_cells(draft: Draft, lines: Sequence[FormLine], checked: Checked) -> list[Cells]:
    """Return the form as the list shows it; what is wrong has a mark before it."""
    return [_cells(draft, one, checked) for one in lines]


def _cells(draft: Draft, one: FormLine, checked: Checked) -> Cells:
    if one.field is None:
        return Run(one.title, "title"), Run(_ABOUT.get(one.title.split()[0], ""), "muted")
    value = draft.value(one.field)
    wrong = one.field.path in checked.wrong
    label = Run(f"{'✗' if wrong else ' '} {one.field.label}", "bad" if wrong else "muted")
    if value:
        return label, Run(excerpt(value, _LONGEST), "")
    if wrong:
        return label, Run(checked.wrong[one.field.path][0], "bad")
    return label, Run(one.field.usual and f"({one.field.usual})", "muted")


def explain(field: Field | None, checked: Checked, offered: int, editing: bool) -> Line:
    """Say of the line under the cursor what is wrong with it, else what it means and what to press."""
    if field is None:
        return line(f"{press('new.edit')} fills in the next line", "muted")
    wrong = checked.wrong.get(field.path, ())
    first = (Run("✗ ", "bad"), Run("; ".join(wrong) + ". ")) if wrong else ()
    enter, choose = press("new.edit"), press("new.choose")
    keys = f" {enter} types" + (f", {choose} chooses among {counted(offered, 'file')}" if offered else "")
    if editing:
        keys = " → completes the name of a file that begins so." if offered else ""
    elif field.path == "used":
        keys = ""
    elif field.choices:
        keys = f" {enter} chooses"
    return (*first, Run(field.help, "muted" if wrong else ""), Run(keys, "muted"))


def summary(checked: Checked) -> Line:
    """Say in one line how it stands."""
    from bothways.engine.spec.told import short_cost, told

    report = checked.report
    if checked.problems or report is None:
        if not checked.problems:
            return line(" reading …", "muted")
        return (Run(f" ✗ {checked.problems} to mend ", "bad"), Run("before it can be saved", "muted"))
    left = report.left
    warned = len(report.gaps) + len(report.warnings) + len(report.no_effect)
    parts = [
        *(f"{one.candidate}: {_counted(one.change.count)}" for one in report.changes),
        counted(left.calls, "call") if left.calls else "no calls",
        *(
            [short_cost(left), *(one.sentence for one in told(report) if one.about == "time")]
            if left.calls
            else []
        ),
        *([f"{warned} to know"] if warned else []),
    ]
    return (Run(" ✓ ", "good"), Run(" · ".join(parts)))


def _counted(changes: int | None) -> str:
    if changes is None:
        return "changes unknown"
    return "one change" if changes == 1 else counted(changes, "change")


def _told(checked: Checked) -> list[Said]:
    from bothways.engine.spec.told import told

    return list(told(checked.report)) if checked.report else []


def page(name: str, draft: Draft, checked: Checked) -> list[Line]:
    """Return one of the pages: check, changes, cases, file."""
    pages = {"check": _check, "changes": _changes, "cases": _cases, "file": _file}
    return list(pages[name](draft, checked))


def _check(draft: Draft, checked: Checked) -> Iterator[Line]:
    if checked.problems:
        yield line("To mend", "title")
        for name, found in checked.wrong.items():
            for one in found:
                yield (Run("✗ ", "bad"), Run(f"{_label(name, draft)}: " if name else "", "strong"), Run(one))
        yield ()
    report = checked.report
    if report is None:
        yield line(
            "What it takes is shown once it can be read." if checked.problems else "reading …", "muted"
        )
        return
    yield line("What a run takes", "title")
    for said in _told(checked):
        yield (Run(f"{said.about}: ", "strong"), Run(said.sentence))
    if warned := (*report.gaps, *report.warnings, *report.no_effect):
        yield ()
        yield line("To know", "title")
        yield from ((Run("! ", "warn"), Run(one)) for one in warned)
    yield ()
    yield line(f"Nothing is spent before {press('run.start')} is pressed in the run.", "muted")


def _label(name: str, draft: Draft) -> str:
    field = next((one for one in draft.fields if one.path == name), None)
    return f"{field.section}, {field.label}" if field else name


def _changes(_: Draft, checked: Checked) -> Iterator[Line]:
    if checked.report is None:
        yield line("What the candidates change is shown once the spec can be read.", "muted")
        return
    for one in checked.report.changes:
        single = one.change.count == 1
        sign: Run = Run("✓ ", "good") if single else Run("! ", "warn")
        yield (sign, Run(f"{one.candidate}: ", "strong"), Run(one.change.sentence))
        if not single:
            yield line("Change one thing, or nobody knows what helped.", "muted")
        yield from (line(text, _tone(text)) for text in one.lines)
        yield ()


def _tone(text: str) -> Tone:
    if text.startswith(("---", "+++", "@@")):
        return "muted"
    return "added" if text.startswith("+") else "removed" if text.startswith("-") else ""


def _cases(_: Draft, checked: Checked) -> Iterator[Line]:
    from bothways.engine.spec.told import data_told

    for one in checked.wrong.get("cases", ()):
        yield (Run("✗ ", "bad"), Run(one))
    seen = checked.cases
    if seen is None:
        yield line(f"Choose a file of cases: {press('new.choose')} on that line of the form.", "muted")
        return
    for said in data_told(seen):
        yield (Run(f"{said.about}: ", "strong"), Run(said.sentence))
    first = seen.first
    for message in first.messages:
        yield ()
        yield line(message.role, "muted")
        yield from (line(text) for text in message.content.split("\n"))
    for name, text in (("context", first.context), ("reference", first.reference)):
        if text:
            yield ()
            yield line(name, "muted")
            yield from (line(part) for part in text.split("\n"))


def _file(draft: Draft, checked: Checked) -> Iterator[Line]:
    yield line(str(draft.path), "strong")
    yield ()
    yield from (line(text) for text in (checked.text or "").split("\n"))
