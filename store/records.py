"""People's records, append-only, each holding the hash of the one before it.

Anybody can verify the chain without bothways, from the records of an export or of the table `records`:

    import hashlib, json, sqlite3

    db = sqlite3.connect("file:bothways.db?mode=ro", uri=True)
    prev, expected = "", 1
    for seq, at, kind, body, said_prev, said_hash in db.execute(
        "SELECT seq, at, kind, body, prev, hash FROM records ORDER BY seq"
    ):
        fields = [seq, at, kind, json.loads(body), prev]
        text = json.dumps(
            fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
        )
        digest = hashlib.sha256(text.encode("utf-8")).hexdigest()
        if (seq, said_prev, said_hash) != (expected, prev, digest):
            raise SystemExit(f"record {seq} does not hold")
        prev, expected = said_hash, expected + 1
    print(expected - 1, "records hold; the last hash is", prev)

Whoever keeps that last hash elsewhere (a ticket, a mail) can prove later that nothing before it changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from sqlite_utils import Database

from bothways.engine.clock import just_after
from bothways.engine.errors import RefusedError, UsageError
from bothways.engine.facts import JsonObject
from bothways.engine.keys import canonical, digest
from bothways.engine.ledger import Record, origins
from bothways.store.connection import reported
from bothways.store.part import Part

__all__ = ["Chain", "Kind", "adopt", "append"]

Kind: TypeAlias = Literal["review", "decision"]
_HOME = ("seq", "at", "hash")
_COLUMNS = "seq, at, kind, experiment, body, prev, hash"


def append(db: Database, kind: Kind, body: JsonObject, at: str) -> Record:
    """Append one record inside the caller's write transaction.

    A review that is made here while the clock is behind another says in `counts_at` when it counts as made.
    """
    experiment = body.get("experiment")
    if not isinstance(experiment, str):
        raise UsageError(f"a {kind} must name its experiment", f"found {experiment!r}")
    if kind == "review" and "home" not in body:
        counts_at = _counts_at(db, experiment, at)
        body = body if counts_at == at else {**body, "counts_at": counts_at}
    last = db.execute("SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1").fetchone()
    seq, prev = (last[0] + 1, last[1]) if last else (1, "")
    record = Record(seq, at, kind, body, prev, digest(seq, at, kind, body, prev))
    values = (seq, at, kind, experiment, canonical(body), prev, record.hash)
    db.execute(f"INSERT INTO records ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", values)
    return record


def _counts_at(db: Database, experiment: str, at: str) -> str:
    """Return when a review that is made now counts as made: after all that this file holds of the experiment.

    Not before the last one that was made here, which was made after all before it; and later than those that
    came in since, among which its number would say nothing.
    """
    sql = f"SELECT {_COLUMNS} FROM records WHERE experiment = ? AND kind = 'review' ORDER BY seq DESC"
    came_in = ""
    for record, origin in origins(_record(*found) for found in db.execute(sql, (experiment,))):
        if "home" not in record.body:
            at = max(at, origin.counts_at)
            break
        came_in = max(came_in, origin.counts_at)
    return just_after(came_in) if came_in >= at else at


def adopt(db: Database, experiment: str, reviews: Sequence[JsonObject], at: str) -> list[Record]:
    """Append reviews of another chain inside the caller's write transaction: those that are not here yet.

    `home` cites the number, time and hash of where each was first written, by which it is known again.
    """
    if reviews:
        refuse_broken(db)
    sql = "SELECT coalesce(json_extract(body, '$.home.hash'), hash), seq FROM records "
    sql += "WHERE experiment = ? AND kind = 'review'"
    here: dict[object, int] = dict(db.execute(sql, (experiment,)).fetchall())
    numbers: dict[tuple[str, str], int] = {}
    added: list[Record] = []
    for review in sorted(reviews, key=_home_seq):
        home = _home(review)
        seq = here.get(home.get("hash"))
        if seq is None:
            body = {name: value for name, value in review.items() if name not in _HOME}
            if "undoes" in body:
                body["undoes"] = numbers.get(_place(review, "undoes"))
            body |= {"experiment": experiment} | ({"home": home} if home else {})
            added.append(append(db, "review", body, at))
            seq = added[-1].seq
            if "hash" in home:
                here[home["hash"]] = seq
        if "seq" in review:
            numbers[_place(review, "seq")] = seq
    return added


def _place(review: JsonObject, number: str) -> tuple[str, str]:
    """Return the number of a review with what it is about: a file can hold reviews of several chains."""
    about = (review.get(name) for name in ("reviewer", "candidate", "case"))
    return canonical([*about]), canonical(review.get(number))


def _home(review: JsonObject) -> JsonObject:
    """Return where a review was first written, which is not where it comes from if that took it in too."""
    home = review.get("home")
    return home if isinstance(home, dict) else {name: review[name] for name in _HOME if name in review}


def _home_seq(review: JsonObject) -> int:
    seq = review.get("seq")
    return seq if isinstance(seq, int) else 0


def broken(db: Database) -> tuple[int, str] | None:
    """Return the first record whose hash does not hold, with the reason; None when all hold."""
    found = _first_broken(db.execute(f"SELECT {_COLUMNS} FROM records ORDER BY seq"))
    if found is not None:
        return found
    last = db.execute("SELECT coalesce(max(seq), 0) FROM records").fetchone()[0]
    given = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'records'").fetchone()
    if given is not None and given[0] > last:
        return last + 1, f"records {last + 1} to {given[0]} were there once and are missing"
    return None


def refuse_broken(db: Database) -> None:
    """Raise RefusedError where the chain does not hold: what is appended to it would prove nothing."""
    found = broken(db)
    if found is not None:
        seq, reason = found
        step = "bothways verify says more; go on from a copy whose records hold."
        raise RefusedError(f"Record {seq} does not hold, and nothing is recorded after it", reason, step)


def _record(seq: int, at: str, kind: Kind, _: str, body: str, prev: str, own: str) -> Record:
    return Record(seq, at, kind, json.loads(body), prev, own)


class Chain(Part):
    """Append to the chain, read it, verify it."""

    _verified: tuple[int, ...] = ()

    def append(self, kind: Kind, body: JsonObject, at: str) -> Record:
        """Append one record to the chain and return it with its hash; `body` names its experiment.

        RefusedError where a record before it does not hold.
        """
        return self.append_all(kind, [body], at)[0]

    def append_all(self, kind: Kind, bodies: Iterable[JsonObject], at: str) -> list[Record]:
        """Append several records, or none; what is there already is verified once, however many they are."""
        with self._writing(f"recording a {kind}") as db:
            self._refuse_broken(db)
            records = [append(db, kind, body, at) for body in bodies]
            self._verified = self._end(db)
            return records

    def _refuse_broken(self, db: Database) -> None:
        """Verify the chain, unless it ends as this connection left it and no other has written since."""
        if self._end(db) != self._verified:
            refuse_broken(db)

    def _end(self, db: Database) -> tuple[int, ...]:
        """Return the number that changes with what others commit, and where the chain ends."""
        last = db.execute("SELECT coalesce(max(seq), 0) FROM records").fetchone()[0]
        given = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'records'").fetchone()
        version = db.execute("PRAGMA data_version").fetchone()[0]
        return (int(version), int(last), int(given[0]) if given else 0)

    def reviews_of(self, experiment: str, case_id: str) -> list[Record]:
        """Return the reviews of one case in their order: what an act on a row is checked against.

        All reviews of the experiment are looked through: 3 ms where there are 1,000.
        """
        return self._read("experiment = ? AND kind = 'review' AND body ->> 'case' = ?", experiment, case_id)

    def adopt(self, experiment: str, reviews: Sequence[JsonObject], at: str) -> list[Record]:
        """Append reviews that were made in another file, each citing its home and none twice; return the new.

        RefusedError where a record of this file does not hold.
        """
        with self._writing("merging reviews") as db:
            return adopt(db, experiment, reviews, at)

    def records(self, experiment: str, kind: Kind | None = None) -> list[Record]:
        """Return the experiment's records in their order."""
        return self._read("experiment = ? AND (?2 IS NULL OR kind = ?2)", experiment, kind)

    def _read(self, which: str, *values: object) -> list[Record]:
        """Return those of the records that are looked at, in their order."""
        earlier = f" AND seq < {self._before.seq:d}" if self._before else ""
        sql = f"SELECT {_COLUMNS} FROM records WHERE {which}{earlier} ORDER BY seq"
        return [_record(*found) for found in self._stream(sql, *values)]

    def broken(self) -> tuple[int, str] | None:
        """Return the first record whose hash does not hold, with the reason; None when all hold."""
        with reported("reading"):
            return broken(self._db)


def _first_broken(rows: Iterable[tuple[int, str, str, str, str, str, str]]) -> tuple[int, str] | None:
    expected, before = 1, ""
    for seq, at, kind, experiment, text, prev, said in rows:
        if seq != expected:
            return expected, f"missing: the next record is {seq}"
        if prev != before:
            return seq, "it does not follow the record before it"
        try:
            body = json.loads(text)
        except ValueError:
            return seq, "its body cannot be read"
        if digest(seq, at, kind, body, prev) != said:
            return seq, "its content was changed after it was written"
        if body.get("experiment") != experiment:
            return seq, "it was moved to another experiment"
        expected, before = seq + 1, said
    return None
