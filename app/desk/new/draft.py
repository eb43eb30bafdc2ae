"""A new experiment while it is being made: texts by field, kept as they are typed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from bothways.app.desk.new.fields import SPEC_FILE, Field, Kind, candidates_in, fields_of

__all__ = ["Draft"]

_NEEDED = ("name", "baseline.name")


class Draft:
    """What was typed so far. `values` is kept by whoever made it; nothing typed is ever refused.

    `folder` is where the desk was opened: the spec's own file is found from there. `used` is an existing
    spec that is to be run instead, "" where there is none.
    """

    def __init__(self, values: dict[str, str], folder: Path) -> None:
        self.values = values
        self.folder = folder

    @property
    def used(self) -> str:
        """The spec file that is there and is to be run as it is; "" for the form."""
        return self.values.get("used", "")

    @property
    def path(self) -> Path:
        """Where the spec is, or will be."""
        return self.folder / (self.used or self.values.get("file") or SPEC_FILE)

    @property
    def fields(self) -> list[Field]:
        """The lines of the form."""
        return list(fields_of(self.values))

    @property
    def files(self) -> dict[str, str]:
        """Which field names which file, as the spec does."""
        if self.used:
            return {}
        shown = ((field, self.value(field)) for field in self.fields if field.offer not in ("", "models"))
        return {field.path: value for field, value in shown if value}

    def copy(self) -> Draft:
        """Return it as it is now, for a thread."""
        return Draft(dict(self.values), self.folder)

    def value(self, field: Field) -> str:
        """Return what was typed into a field."""
        return self.values.get(field.path, "")

    def use(self, path: Path | None) -> None:
        """Use a spec that is there; None goes back to the form, which is as it was."""
        self.put("used", "" if path is None else path.relative_to(self.folder).as_posix())

    def put(self, path: str, value: str) -> None:
        """Keep what was typed; an empty text is nothing."""
        if value:
            self.values[path] = value
        else:
            self.values.pop(path, None)

    def fill(self, values: Mapping[str, str]) -> None:
        """Start with these values alone."""
        self.values.clear()
        self.values.update({path: value for path, value in values.items() if value})

    def add_candidate(self) -> int:
        """Make room for one more candidate and return its number, from 0."""
        count = candidates_in(self.values)
        self.values["candidates"] = str(count + 1)
        return count

    def remove_candidate(self, number: int) -> bool:
        """Take a candidate away, and those after it one up; the last one stays, empty."""
        count = candidates_in(self.values)
        lists = [_of(self.values, at) for at in range(count) if at != number]
        for at in range(count):
            for name in _of(self.values, at):
                del self.values[f"candidates[{at}].{name}"]
        for at, kept in enumerate(lists):
            self.values.update({f"candidates[{at}].{name}": value for name, value in kept.items()})
        self.values["candidates"] = str(max(1, count - 1))
        return count > 1

    def text(self) -> str:
        """Return the spec as it will be written."""
        from bothways.engine.spec.compose import compose

        return compose(self._written(), self.path.name)

    def _written(self) -> Iterator[tuple[str, str]]:
        """Yield what was filled in; what an experiment cannot do without is there, be it empty."""
        judged = self.values.get("judge.source") == "nobody"
        for field in self.fields:
            value = self.value(field)
            if field.path in _NEEDED or (value.strip() and field.kind != "desk"):
                judged |= field.section == "Judge"
                yield field.path, _yaml(field.kind, value)
        if not judged:
            yield "judge", "{}"

    def relative(self, path: Path) -> str:
        """Return how the spec names a file: from its own folder."""
        try:
            return Path(os.path.relpath(path, self.path.parent)).as_posix()
        except ValueError:  # another drive
            return str(path)


def _of(values: Mapping[str, str], number: int) -> dict[str, str]:
    start = f"candidates[{number}]."
    return {path.removeprefix(start): value for path, value in values.items() if path.startswith(start)}


def _yaml(kind: Kind, value: str) -> str:
    from bothways.engine.spec import compose

    writers = {"typed": compose.as_typed, "list": compose.as_list, "data": compose.as_data}
    return writers.get(kind, compose.as_text)(value)
