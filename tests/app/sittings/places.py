"""Every place where what people said can be read: each is asked, and says the same of all rows."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections import Counter
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from click.testing import CliRunner, Result
from tests.app.sittings.meaning import RowMeans

from bothways.app.cli.export import FORMATS as EXPORTS
from bothways.app.cli.group import cli
from bothways.engine.report.formats import FORMATS as REPORTS

__all__ = ["Places", "command"]

NAME = "plain line"
SIDES = {"baseline": "v4", "candidate": "v5", "tie": "tie", None: ""}


def command(db: Path, *words: str) -> Result:
    """Run `bothways …` on a file, in this process."""
    done = CliRunner().invoke(cli, [words[0], "--db", str(db), *words[1:]])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


class _Cells(HTMLParser):
    """The cells of every row of every table."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th") and self.rows:
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


class Places:
    """What a file says, compared with what it should say of each row."""

    def __init__(self, db: Path, pristine: Path, expected: Mapping[str, RowMeans]) -> None:
        self._db = db
        self._pristine = pristine
        self._rows = expected
        finals = Counter(row.final for row in expected.values())
        self._tally = [finals[side] for side in ("candidate", "baseline", "tie", None)]
        self._high = {case for n, case in enumerate(expected) if n % 3 == 0}
        self._lost = {case for case, row in expected.items() if row.final == "baseline" or row.both_bad}

    def agree(self) -> None:
        """Ask every place."""
        self._queue(self._db)
        self._gate()
        for what, forms in (("report", REPORTS), ("export", EXPORTS)):
            for form in forms:
                getattr(self, f"_{form}")(self._said(what, form))
        assert command(self._db, "verify").exit_code == 0

    def _said(self, what: str, form: str) -> str:
        done = command(self._db, what, NAME, "--format", form)
        assert done.exit_code == 0, done.output
        return done.stdout

    def _queue(self, db: Path) -> None:
        rows = json.loads(command(db, "rows", NAME, "--json").stdout)
        said = {row["case"]: (row["final"], row["human_verdict"]) for row in rows}
        assert said == {case: (row.final, row.human) for case, row in self._rows.items()}
        people = {row["case"]: row["reviewer"] for row in rows if row["human_verdict"]}
        assert people == {case: row.who for case, row in self._rows.items() if row.human}

    def _gate(self) -> None:
        self._figures(json.loads(command(self._db, "gate", NAME, "--json").stdout))

    def _figures(self, gate: Mapping[str, Any]) -> None:
        assert [gate["final"][side] for side in ("candidate", "baseline", "tie", "undecided")] == self._tally
        reviews = gate["reviews"]
        assert reviews["reviewed"] == sum(row.human is not None for row in self._rows.values())
        assert set(reviews["disputed"]) == {case for case, row in self._rows.items() if row.disputed}

    def _json(self, written: str) -> None:
        self._figures(json.loads(written))

    def _text(self, written: str) -> None:
        (said,) = re.findall(r"with reviews +(\d+) +(\d+) +(\d+) +(\d+)", written)
        assert list(map(int, said)) == self._tally
        fixes = written.partition("\nTo fix\n")[2]
        assert set(re.findall(r"^  (r-\d+)", fixes, re.MULTILINE)) == self._lost

    def _markdown(self, written: str) -> None:
        (said,) = re.findall(r"\| with reviews \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|", written)
        assert list(map(int, said)) == self._tally
        cards = re.findall(
            r"^### (r\S+?)(?: \(high stakes\))?\n.*?^- counts: ([\w ]+)$", written, re.M | re.S
        )
        assert {case.replace("\\", ""): counts for case, counts in cards} == {
            case: self._counts(case) for case in [case.replace("\\", "") for case, _ in cards]
        }
        assert self._lost <= {case.replace("\\", "") for case, _ in cards}

    def _html(self, written: str) -> None:
        rows = _Cells(written).rows
        (said,) = (row[1:5] for row in rows if row and row[0] == "with reviews")
        assert list(map(int, said)) == self._tally
        listed = {row[1]: (row[4], row[5]) for row in rows if len(row) == 7 and row[1] in self._rows}
        assert listed == {case: (self._counts(case), row.who) for case, row in self._rows.items()}

    def _junit(self, written: str) -> None:
        suite = ElementTree.fromstring(written)[0]
        said = {one.get("name"): one.get("value") for one in suite.iter("property")}
        sides = ("candidate", "baseline", "tie", "undecided")
        assert [int(said[f"final.{side}"] or "") for side in sides] == self._tally
        failed = {one.get("name") for one in suite.iter("testcase") if one.find("failure") is not None}
        assert failed & self._rows.keys() == self._lost & self._high

    def _pairs(self, written: str) -> None:
        """Bring an export home into a file in which nobody said anything."""
        home = Path(shutil.copy(self._pristine, self._db.with_name("home.db")))
        path = self._db.with_name("exported.jsonl")
        path.write_text(written, encoding="utf-8")
        assert command(home, "merge", NAME, str(path)).exit_code == 0
        self._queue(home)

    def _csv(self, written: str) -> None:
        names = ("case", "final_verdict", "human_verdict", "source", "reviewer")
        said = {tuple(line[name] for name in names) for line in csv.DictReader(io.StringIO(written))}
        assert said == {
            (
                case,
                SIDES[row.final],
                "both-bad" if row.both_bad else SIDES[row.human],
                "human" if row.human else "judge" if row.final else "",
                row.who,
            )
            for case, row in self._rows.items()
        }

    def _dpo(self, written: str) -> None:
        lines = [json.loads(line) for line in written.splitlines()]
        said = {line["case"]: (line["chosen_variant"], line["source"]) for line in lines}
        assert said == {
            case: (SIDES[row.final], "human" if row.human else "judge")
            for case, row in self._rows.items()
            if row.final in ("baseline", "candidate") and not row.both_bad
        }

    def _counts(self, case: str) -> str:
        """Say what counts on a row in the words of a report."""
        row = self._rows[case]
        return "both bad" if row.both_bad else SIDES[row.final] or "undecided"
