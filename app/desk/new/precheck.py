"""A draft checked while it is typed: the report of `bothways check`, or what is wrong, field by field."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from bothways.app.desk.keys import press
from bothways.app.desk.new.draft import Draft
from bothways.engine.errors import DataError, Place

if TYPE_CHECKING:
    from bothways.engine.experiment import Experiment
    from bothways.engine.facts import Case
    from bothways.engine.spec.check import CasesSeen, Report
    from bothways.store import Store

__all__ = ["Checked", "Checker"]

LARGEST = 32_000_000
"""Bytes of a data set that is read while somebody types; a larger one is read when it is asked for."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found. `wrong` is by field, "" where no field can be named; `text` is the spec's own."""

    report: Report | None = None
    wrong: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cases: CasesSeen | None = None
    text: str = ""

    @property
    def problems(self) -> int:
        """How many things are wrong."""
        return sum(map(len, self.wrong.values()))


class Checker:
    """Checks again and again; a data set is read once, for as long as its file stays as it is.

    `looking` opens the database for somebody who only looks, and gives None where there is none.
    """

    def __init__(
        self, looking: Callable[[], AbstractContextManager[Store | None]], now: Callable[[], str]
    ) -> None:
        self._looking = looking
        self._now = now
        self._cases: tuple[tuple[Path, int, int, object], list[Case]] | None = None
        self._one_at_a_time = Lock()

    def check(self, draft: Draft, *, all_of_it: bool = False) -> Checked:
        """Return the report or what is wrong; for a thread. `all_of_it` also reads what is very large."""
        from bothways.engine.files.text import read_text
        from bothways.engine.models.prices import price
        from bothways.engine.spec.check import check

        text = ""
        try:
            text = read_text(draft.path) if draft.used else draft.text()
            experiment, cases = self._read(text, draft.path, all_of_it)
        except DataError as error:
            return Checked(wrong=_by_field(error, draft), cases=self._seen(draft), text=text)
        with self._looking() as store:
            known = store is not None and experiment.name in store.experiments()
            report = check(experiment, cases, store, price, self._now())
        wrong = {"name": (f"{experiment.name} is in this database already; another name",)}
        return Checked(report, wrong if known and not draft.used else {}, report.cases, text)

    def read(self, path: Path) -> tuple[Experiment, list[Case]]:
        """Read a spec that is in its file, all of it, to be stored."""
        from bothways.engine.files.text import read_text

        return self._read(read_text(path), path, all_of_it=True)

    def _read(self, text: str, path: Path, all_of_it: bool) -> tuple[Experiment, list[Case]]:
        from bothways.engine.spec.load import parse_spec

        def cases(file: Path, mapping: Mapping[str, str]) -> list[Case]:
            return self._read_cases(file, mapping, all_of_it)

        return parse_spec(text, path, cases)

    def _read_cases(self, path: Path, mapping: Mapping[str, str], all_of_it: bool) -> list[Case]:
        with self._one_at_a_time:
            return self._known_or_read(path, mapping, all_of_it)

    def _known_or_read(self, path: Path, mapping: Mapping[str, str], all_of_it: bool) -> list[Case]:
        from bothways.engine.cases.load import load_cases

        try:
            stat = path.stat()
        except OSError as error:
            raise DataError(Place(str(path)), f"cannot be read ({error.strerror})", "a file") from error
        known = (path, stat.st_size, stat.st_mtime_ns, tuple(mapping.items()))
        if self._cases is not None and self._cases[0] == known:
            return self._cases[1]
        if stat.st_size > LARGEST and not all_of_it:
            found = f"{stat.st_size / 1e6:,.0f} MB, which is not read while you type"
            raise DataError(Place(str(path)), found, f"{press('new.again')}, which reads all of it")
        self._cases = None
        cases = load_cases(path, mapping)
        self._cases = (known, cases)
        return cases

    def _seen(self, draft: Draft) -> CasesSeen | None:
        """Return the data set that was read although something else is wrong."""
        from bothways.engine.experiment import ReviewSettings
        from bothways.engine.spec.check import see_cases

        named = draft.files.get("cases")
        if (
            self._cases is None
            or named is None
            or self._cases[0][0] != (draft.path.parent / named).absolute()
        ):
            return None
        return see_cases(self._cases[1], ReviewSettings())


def _by_field(error: DataError, draft: Draft) -> dict[str, tuple[str, ...]]:
    fields = [] if draft.used else [one.path for one in draft.fields]
    found: dict[str, tuple[str, ...]] = {}
    for one in (error, *error.others):
        name = _field(one.place, draft, fields)
        where = "" if one.place.file == str(draft.path) and name else f"{_where(one.place, draft)}: "
        found[name] = (*found.get(name, ()), f"{where}{one.found}; expected {one.expected}")
    return found


def _where(place: Place, draft: Draft) -> str:
    """Name a place shortly: its file where it is another one; a draft has no lines to look at yet."""
    if place.file != str(draft.path):
        return str(Place(Path(place.file).name, place.line, place.field))
    line = f"line {place.line}" if draft.used and place.line else ""
    return ": ".join(part for part in (line, place.field) if part) or draft.path.name


def _field(place: Place, draft: Draft, fields: Sequence[str]) -> str:
    """Return the field that a problem belongs to: the one that names the file, or the nearest one."""
    if place.file != str(draft.path):
        return next((name for name, written in draft.files.items() if _is(draft, written, place)), "")
    if place.field in fields:
        return place.field
    chosen = f"{place.field}.{draft.values.get(f'{place.field}.source', '')}"
    return chosen if chosen in fields else _nearest(place.field, fields)


def _is(draft: Draft, written: str, place: Place) -> bool:
    return str((draft.path.parent / written).absolute()) == place.file


def _nearest(path: str, fields: Sequence[str]) -> str:
    """Return where a part comes from, the first field inside it, or the field that a path is inside of."""
    if not path:
        return ""
    if (source := f"{path}.source") in fields:
        return source
    inside = (name for name in fields if name.startswith((f"{path}.", f"{path}[")))
    outside = (name for name in fields if path.startswith((f"{name}.", f"{name}[")))
    return next(outside, None) or next(inside, "")
