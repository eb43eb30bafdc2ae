"""`bothways agreement`: how far the judge agrees with people, and people with each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bothways.app.cli.database import opened
from bothways.app.cli.options import comparison, json_option, subcommand
from bothways.app.cli.plain import table
from bothways.app.streams import put, put_json, say

if TYPE_CHECKING:
    from bothways.engine.analysis.agreement import Agreement
    from bothways.engine.analysis.raters import Match
    from bothways.engine.analysis.reviewers import View
    from bothways.engine.standing import Voice

__all__ = ["command"]

_HEAD = ("WHO", "AGAINST", "ROWS", "AGREE", "SHARE", "κ")
_VIEWS: Mapping[View, str] = {"all": "", "blind": ", blind", "in_view": ", judge in view"}


@subcommand(
    "agreement", "bothways agreement refund-flow", "bothways agreement refund-flow --judge claude --json"
)
@comparison
@json_option
def command(experiment: str, candidate: str | None, judge: str | None, as_json: bool) -> None:
    """Compare the judge of EXPERIMENT with people, and people among themselves.

    First the reviewers of its rows, then the labels that came in with a file. Verdicts given blind are also
    counted apart from those given with the judge in view. Rows on which reviewers differ are listed
    with what each says: look here after your own reviews. Where rows came back to a reviewer, it is told on
    how many they say the same. Every row counts, or with --candidate those that compare it with the baseline.
    """
    from bothways.engine.analysis.agreement import agreement

    with opened() as store, store.view():
        found = agreement(store, experiment, judge, candidate)
    if as_json:
        put_json(found.as_json())
    elif text := _text(found):
        put(text)


def _text(found: Agreement) -> str:
    judge = found.judge or "the judge"
    rows = [
        (f"{judge}, {name.replace('_', ' ')}", "labels of the file", *_cells(m))
        for name, m in found.readings.items()
        if m.n
    ]
    rows += [(a, b, *_cells(match)) for (a, b), match in found.people.items()]
    people = [
        (judge, name + _VIEWS[view], *_cells(views[view]))
        for name, views in found.reviewers.judge.items()
        for view in _worth_showing(views)
    ]
    people += [(a, b, *_cells(match)) for (a, b), match in found.reviewers.pairs.items()]
    parts = [table(("REVIEWS", *_HEAD[1:]), people)] if people else []
    if found.reviewers.pairs:
        parts.append(f"Krippendorff's α of the reviewers: {_figure(found.reviewers.alpha)}")
    if found.reviewers.differ:
        parts.append(table(("REVIEWERS DIFFER", "CANDIDATE", "JUDGE", "SAID"), _differ(found)))
    if found.reviewers.consistency:
        steady = [(one.reviewer, one.n, one.same, f"{one.same / one.n:.3f}")
                  for one in found.reviewers.consistency]  # fmt: skip
        parts.append(table(("LOOKED TWICE", "ROWS", "SAME", "SHARE"), steady))
    if rows:
        parts += [
            table(("LABELS", *_HEAD[1:]), rows),
            f"Krippendorff's α of the labels: {_figure(found.alpha)}",
        ]
    if not parts:
        say("Nobody has reviewed a row that the judge decided, and the rows came with no labels.")
    return "\n\n".join(parts)


def _worth_showing(views: Mapping[View, Match]) -> tuple[View, ...]:
    """All verdicts and those of either kind; where there is but one kind, only that."""
    kinds: tuple[View, ...] = ("blind", "in_view")
    apart = tuple(view for view in kinds if views[view].n)
    return apart if len(apart) == 1 else ("all", *apart)


def _differ(found: Agreement) -> list[tuple[str, ...]]:
    lines: list[tuple[str, ...]] = []
    for row in found.reviewers.differ:
        names = {"baseline": found.baseline, "candidate": row.candidate, "tie": "tie"}
        said = ", ".join(_said(voice, names) for voice in row.voices)
        lines.append((row.case, row.candidate, names[row.judge] if row.judge else "–", said))
    return lines


def _said(voice: Voice, names: Mapping[str, str]) -> str:
    verdict = "both bad" if voice.both_bad else names[voice.verdict]
    return f"{voice.reviewer}: {verdict}{' (blind)' if voice.blind else ''}"


def _cells(match: Match) -> tuple[str, ...]:
    share = f"{match.agree / match.n:.3f}" if match.n else "–"
    return str(match.n), str(match.agree), share, _figure(match.kappa)


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
