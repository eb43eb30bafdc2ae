"""A reviewer's process that is killed: what it had said is there, and of its last act all or nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.app.shop import fill
from tests.app.walk import SOURCE

from bothways.app.desk.review.look import load
from bothways.app.desk.review.session import ReviewSession
from bothways.engine.review import Act
from bothways.store import open_store

REVIEWER = """
import sys
from pathlib import Path
from bothways.app.desk.review.book import Book
from bothways.app.desk.review.look import load
from bothways.app.desk.review.session import ReviewSession
from bothways.engine.clock import now
from bothways.engine.review import Act
from bothways.store import open_store

store = open_store(Path(sys.argv[1]))
session = ReviewSession(load(store, "plain line", None, None, "kim"))
book = Book(store, session, now)
while True:
    bulk = book.bulk()
    for record in book.confirm(bulk):
        session.took(record)
    print(len(bulk.rows), flush=True)
    print(len(book.retrace("undo")), flush=True)
    print(len(book.say(Act.TIE, reason="r")), flush=True)
    print(len(book.retrace("undo")), flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("after_s", [0.3, 0.7, 1.1, 1.9])
def test_a_killed_reviewer_leaves_whole_acts(tmp_path: Path, after_s: float) -> None:
    db = fill(tmp_path / "x.db", 60, words=3)
    command = [sys.executable, "-c", REVIEWER, str(db)]
    env = {**os.environ, "PYTHONPATH": str(SOURCE)}
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE) as reviewer:
        assert reviewer.stdout is not None
        first = reviewer.stdout.readline()
        time.sleep(after_s)  # any moment will do: this one is only another every time
        reviewer.kill()
        told = [int(line) for line in (first + reviewer.stdout.read()).split(b"\n")[:-1]]
    with open_store(db) as store:
        assert store.broken() is None
        records = store.records("plain line", "review")
        many, one = told[0], 1
        assert many > 1
        sizes = [many, many, one, one]
        ends = [sum(sizes[n % 4] for n in range(acts)) for acts in (len(told), len(told) + 1)]
        assert len(records) in ends
        acts = len(told) + (len(records) == ends[1] and ends[1] > ends[0])
        session = ReviewSession(load(store, "plain line", None, None, "kim"))
        voted = [row for row in session.work.snapshot().rows if row.spoken]
        assert len(voted) == (0, many, 0, one)[acts % 4]
        assert [record.body["act"] for record in records[:many]] == [Act.CONFIRM.value] * many
