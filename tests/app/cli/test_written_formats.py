"""Every format that a command writes, found from its own choices, with text that attacks whoever reads it."""

from __future__ import annotations

import csv
import io
import json
import os
import sys
import unicodedata
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pexpect
import pytest
from click.testing import CliRunner, Result
from tests.app.cli.conftest import REPOSITORY
from tests.app.cli.formats import all_formats
from tests.engine.report.hostile import ATTACK

from bothways.app.cli.group import cli
from bothways.engine.exchange.csv import restored
from bothways.engine.report.markdown import fenced
from bothways.engine.text import visible

NOTE = f"=1+1 {ATTACK}"


class _Text(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.said = ""
        self.feed(page)

    def handle_data(self, data: str) -> None:
        self.said += data


def strings(value: object) -> Iterator[str]:
    """Yield every text in what JSON holds."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inside in value.values():
            yield from strings(inside)
    elif isinstance(value, list):
        for inside in value:
            yield from strings(inside)


def json_lines(written: str) -> list[str]:
    return [text for line in written.splitlines() for text in strings(json.loads(line))]


def csv_cells(written: str) -> list[str]:
    return [restored(cell) for row in csv.reader(io.StringIO(written, newline="")) for cell in row]


def xml_texts(written: str) -> list[str]:
    found = ElementTree.fromstring(written).iter()
    return [text for one in found for text in (one.text or "", *one.attrib.values())]


# How each format is read, and how the answer of the candidate stands in it (None: it holds no answers).
READ: dict[tuple[str, str], tuple[Callable[[str], list[str]], str | None]] = {
    ("report", "text"): (lambda written: [written], None),
    ("report", "markdown"): (lambda written: [written], fenced(ATTACK)),
    ("report", "html"): (lambda written: [_Text(written).said], visible(ATTACK)),
    ("report", "json"): (lambda written: list(strings(json.loads(written))), None),
    ("report", "junit"): (xml_texts, None),
    ("export", "pairs"): (json_lines, ATTACK),
    ("export", "csv"): (csv_cells, ATTACK.replace("\0", "␀")),
    ("export", "dpo"): (json_lines, ATTACK),
}
EXACT = {("export", "pairs"), ("export", "csv"), ("export", "dpo")}
"""Data for other programs: they get what was written, not marks for it."""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An experiment whose every text is an attack, reviewed by somebody who attacks too."""
    folder = tmp_path_factory.mktemp("attacked")
    lines = [
        {
            "pair_id": f"=r-{n}<b>|`",
            "prompt": ATTACK,
            "context": ATTACK,
            "reference": ATTACK,
            "a": {"model": "=v4<i>|", "text": f"{ATTACK} old"},
            "b": {"model": "@v5</td>", "text": ATTACK},
            "judgements": [
                {"judge": "j", "shown_first": first, "verdict": "B", "rationale": ATTACK} for first in "AB"
            ],
            "humans": [{"annotator": "kim", "verdict": "A", "note": ATTACK}],
            "tags": {"<path>": "=a|b"},
            "high_stakes": True,
        }
        for n in range(3)
    ]
    file = folder / "pairs.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    path = folder / "facts.db"
    run(path, "import", str(file), "--name", "=shop<script>")
    run(
        path,
        "verdict",
        "=shop<script>",
        "=r-0<b>|`",
        "baseline",
        "--reviewer",
        "=lee<u>",
        "--note",
        NOTE.replace("\0", ""),
    )
    return path


def run(database: Path, *arguments: str) -> Result:
    done = CliRunner().invoke(cli, ["--db", str(database), *arguments])
    assert done.exit_code == 0, done.output
    return done


def test_every_format_there_is_is_tried_here() -> None:
    assert set(all_formats()) == set(READ)


@pytest.mark.parametrize(("command", "form"), all_formats())
def test_nothing_in_it_breaks_its_format(database: Path, tmp_path: Path, command: str, form: str) -> None:
    run(database, command, "=shop<script>", "--format", form, "-o", str(tmp_path / "out"))
    written = (tmp_path / "out").read_bytes().decode("utf-8")
    read, answer = READ[command, form]
    texts = read(written)
    if answer is not None:
        assert any(answer in text for text in texts)
    if (command, form) not in EXACT:
        assert not raw(written)


@pytest.mark.parametrize(("command", "form"), all_formats())
def test_nothing_in_it_reaches_a_terminal(database: Path, command: str, form: str) -> None:
    child = pexpect.spawn(
        sys.executable,
        ["-P", "-m", "bothways", "--db", str(database), command, "=shop<script>", "--format", form],
        env={**os.environ, "PYTHONPATH": str(REPOSITORY / "src"), "PYTHONIOENCODING": "utf-8"},
        encoding="utf-8",
        timeout=60,
        dimensions=(24, 200),
    )
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert child.before
    assert "]52;c;QUJD" in child.before
    assert not raw(child.before.replace("\r\n", "\n"))


def raw(text: str) -> set[str]:
    """Return the characters that a terminal or a reader would obey instead of show."""
    return {
        c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Cn") and c not in "\n\u200c\u200d"
    }
