"""One row in full as plain data: what its widgets show, and what is printed where there is no screen.

Knows no Textual: whoever reads line by line need not load it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

__all__ = [
    "CallView", "CaseView", "HistoryView", "PassView", "RowView", "RuleView", "Said", "SideText", "ToolsView",
    "Turn", "sentence",
]  # fmt: skip

Said: TypeAlias = Literal["first", "second", "tie", "unreadable", "not tried"]
_PLACE = ("first", "second")


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation: who speaks and what, or which tool is called (`call`) with what."""

    head: str
    text: str
    call: bool = False


@dataclass(frozen=True, slots=True)
class SideText:
    """One answer to show: whose it is, its text, and what stands in its place where there is none.

    An answer that is a conversation has `turns`, which are shown instead of the text.
    """

    title: str
    text: str = ""
    missing: str = ""
    turns: tuple[Turn, ...] = ()

    @property
    def size(self) -> int:
        """How many characters are shown."""
        return sum(len(turn.text) for turn in self.turns) if self.turns else len(self.text)

    @property
    def spoken(self) -> int:
        """How many characters were said, tool calls not counted."""
        return sum(len(turn.text) for turn in self.turns if not turn.call) if self.turns else len(self.text)


@dataclass(frozen=True, slots=True)
class PassView:
    """One pass: the names in the order in which the judge saw them, and what it said.

    `said` is in the judge's own terms: which of the two shown. `detail` holds the judge's model, how its
    verdict was read, night and take.
    """

    shown: tuple[str, str]
    said: Said
    rationale: str = ""
    failure: str = ""
    detail: str = ""

    @property
    def named(self) -> str | None:
        """The name of the variant that it named; None where it named none."""
        return self.shown[_PLACE.index(self.said)] if self.said in _PLACE else None


def sentence(passes: Sequence[PassView]) -> str:
    """Say what the judge did over both orders, in words that follow "the judge"; "" without any."""
    if len(passes) < 2:
        return "was asked in only one order: whether that mattered cannot be known" if passes else ""
    one, two = passes[:2]
    if "not tried" in (one.said, two.said):
        return "has not said all of it yet"
    if one.said == two.said == "unreadable":
        return "could be read in neither pass"
    if "unreadable" in (one.said, two.said):
        return f"could not be read in the {_unreadable(passes)} pass"
    if one.said == two.said == "tie":
        return "found them equally good, or both unacceptable, both times"
    if one.said == two.said:
        return f"named whichever answer came {one.said}, both times"
    if one.named and one.named == two.named:
        return f"named {one.named} both times, wherever it stood"
    decisive = one if one.named else two
    return f"named {decisive.named} when it was shown {decisive.said}, and a tie the other way round"


def _unreadable(passes: Sequence[PassView]) -> str:
    return "first" if passes[0].said == "unreadable" else "second"


@dataclass(frozen=True, slots=True)
class CallView:
    """One tool call: `arguments` are names and values (JSON), `writes` marks what changes the world."""

    name: str
    arguments: tuple[tuple[str, str], ...] = ()
    result: str = ""
    turn: int = 0
    writes: bool = False


@dataclass(frozen=True, slots=True)
class ToolsView:
    """The aligned calls of the left and the right side (None: no such call), and what comparing them says.

    `reasons` are the differences that count, `signed` who stands for them.
    """

    left: str
    right: str
    calls: tuple[tuple[CallView | None, CallView | None], ...] = ()
    state: str = ""
    reasons: tuple[str, ...] = ()
    signed: str = ""
    undeclared: bool = False
    """Whether nobody has said of any tool whether it writes, so that each counts as if it did."""


@dataclass(frozen=True, slots=True)
class CaseView:
    """The case: who said what before the answer, the context, the reference, its tags."""

    id: str
    messages: tuple[tuple[str, str], ...] = ()
    context: str = ""
    reference: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
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


@dataclass(frozen=True, slots=True)
class RowView:
    """Everything that the review shows of one row; `hidden` stands in the place of passes not to be seen."""

    left: SideText
    right: SideText
    passes: tuple[PassView, ...]
    tools: ToolsView
    case: CaseView
    rules: tuple[RuleView, ...]
    history: tuple[HistoryView, ...]
    hidden: str = ""
