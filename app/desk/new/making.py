"""Making a new experiment: its draft, what is around, what was found out about it. Knows no Textual."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bothways.app.desk.new.draft import Draft
from bothways.app.desk.new.fields import Field
from bothways.app.desk.new.found import Found, look_around
from bothways.app.desk.new.precheck import Checked, Checker
from bothways.app.desk.sitting import Sitting

if TYPE_CHECKING:
    from bothways.engine.experiment import Variant

__all__ = ["Making", "Stored"]


@dataclass(frozen=True, slots=True)
class Stored:
    """Answers that are in the database: whose, in which experiment, and how many rows it has."""

    experiment: str
    variant: Variant
    rows: int


class Making:
    """The draft of one database and folder, with everything that is known of it at this moment."""

    def __init__(self, sitting: Sitting, folder: Path) -> None:
        self._sitting = sitting
        self.draft = Draft(sitting.memory.place("new", str(sitting.db.absolute()), str(folder)), folder)
        self.found = Found()
        self.checked = Checked()
        self._checker = Checker(sitting.looking, sitting.now)

    # What is around; these read files and belong into a thread.

    def look_around(self) -> Found:
        """Return the files under the folder; the list of models is read on the way, it takes a moment."""
        _models()
        return look_around(self.draft.folder)

    def check(self, draft: Draft, *, all_of_it: bool = False) -> Checked:
        """Return what a draft is and takes, or what is wrong with it."""
        return self._checker.check(draft, all_of_it=all_of_it)

    def stored(self) -> list[Stored]:
        """Return every variant in the database that could answer again, the newest experiments first."""
        with self._sitting.looking() as store:
            found: list[Stored] = []
            if store is None:
                return found
            for name in store.experiments():
                info = store.specs(name)[0]
                experiment = store.spec(info.id)
                found += [Stored(name, v, info.rows) for v in experiment.variants if v.kind != "none"]
            return found

    def store(self, path: Path) -> str:
        """Put the spec in a file into the database and return the experiment's name."""
        experiment, cases = self._checker.read(path)
        with self._sitting.open() as store:
            store.add(experiment, cases, self._sitting.now())
        return experiment.name

    def following(self, earlier: str) -> dict[str, str]:
        """Return the values of an experiment that follows an earlier one.

        They are those of its spec file, where one of this name lies around: it says where prompts and cases
        are. Else they come from the database.
        """
        from bothways.app.desk.new.prefill import following, free_name, from_spec, from_stored

        with self._sitting.open() as store:
            taken = store.experiments()
            experiment = store.spec(store.specs(earlier)[0].id)
        name = free_name(earlier, taken)
        written = next((path for path, found in self.look_around().specs if found == earlier), None)
        folder = written.parent if written else Path(experiment.baseline.folder or self.draft.folder)
        folder = folder if folder.is_relative_to(self.draft.folder) else self.draft.folder
        values = from_spec(written) if written else from_stored(experiment, folder)
        file = _free_file(folder, name).relative_to(self.draft.folder).as_posix()
        return following(values, earlier, name, file)

    # What the form asks; quick.

    def stamp(self) -> tuple[int, ...]:
        """Return what differs once somebody has written to a file that the draft names."""
        named = [self.draft.path.parent / name for name in self.draft.files.values()]
        return tuple(_written_at(path) for path in (self.draft.path, *named))

    def choices(self, field: Field) -> Sequence[str]:
        """Return what a field may be chosen from, as it would be written."""
        if field.choices:
            return field.choices
        if field.offer == "models":
            return _models()
        return [self.draft.relative(path) for path in self.found.offered(field.offer)]

    def use_stored(self, stored: Stored) -> None:
        """Make a stored variant the baseline; its answers are found again where the cases are the same."""
        from bothways.app.desk.new.prefill import variant_values

        values = variant_values(stored.variant, self.draft.path.parent)
        for path in [path for path in self.draft.values if path.startswith("baseline.")]:
            del self.draft.values[path]
        for name, value in values.items():
            self.draft.put(f"baseline.{name}", value)

    def done(self) -> None:
        """Begin afresh: what was saved is no draft any more; beside a used spec the form still is."""
        if self.draft.used:
            self.draft.use(None)
        else:
            self.draft.fill({})
        self.remember()

    def remember(self) -> None:
        """Write the draft down, so that it outlives this sitting."""
        self._sitting.memory.write()


def _written_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except (OSError, ValueError):  # ValueError: a NUL in the path
        return 0


def _models() -> Sequence[str]:
    from bothways.engine.models.prices import models

    return models()


def _free_file(folder: Path, name: str) -> Path:
    """Return a file that is not there yet, called like the experiment."""
    kept = (c if c.isalnum() or c in "-_" else "-" for c in name.lower())
    plain = "".join(kept).strip("-")[:80]
    path, number = folder / f"{plain or 'experiment'}.yaml", 1
    while path.exists():
        number += 1
        path = folder / f"{plain or 'experiment'}-{number}.yaml"
    return path
