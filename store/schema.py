"""The tables, as numbered migrations: a file of any earlier version is brought up to date when opened.

Three ideas shape them. Facts are insert-only: triggers refuse to change or delete them. What a stream
reads is kept apart from the long texts (`…_bodies`), so that reading 100,000 rows touches little of the
file. And the rows of one spec are neighbours: the spec holds their range, so that an experiment in a big
file is read as fast as one in a small file.
"""

from __future__ import annotations

from sqlite_utils import Database, Migrations

__all__ = ["APPLICATION_ID", "MIGRATIONS", "VERSION"]

APPLICATION_ID = 0x62776179
"""Marks a SQLite file as ours: "bway"."""

MIGRATIONS = Migrations("bothways")

_TABLES = """
CREATE TABLE experiments (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL) STRICT;

-- The rows of a spec are those with ids from first_row on, row_count of them, in the order of its cases.
CREATE TABLE specs (
  id INTEGER PRIMARY KEY,
  experiment_id INTEGER NOT NULL REFERENCES experiments,
  hash TEXT NOT NULL,
  body TEXT NOT NULL,
  first_row INTEGER NOT NULL,
  row_count INTEGER NOT NULL,
  UNIQUE (experiment_id, hash)
) STRICT;

-- Each time a spec became its experiment's newest: going back to an old one is a new act, not an edit.
CREATE TABLE adoptions (
  id INTEGER PRIMARY KEY, spec_id INTEGER NOT NULL REFERENCES specs, at TEXT NOT NULL
) STRICT;
CREATE INDEX adoptions_spec ON adoptions (spec_id);

CREATE TABLE cases (
  id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, case_id TEXT NOT NULL, high_stakes INTEGER,
  tags TEXT NOT NULL, rules TEXT
) STRICT;
CREATE TABLE case_bodies (id INTEGER PRIMARY KEY REFERENCES cases, body TEXT NOT NULL) STRICT;
CREATE TABLE rows (id INTEGER PRIMARY KEY, case_ref INTEGER NOT NULL REFERENCES cases) STRICT;

CREATE TABLE variants (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE judges (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE spec_judges (
  spec_id INTEGER NOT NULL REFERENCES specs, judge_id INTEGER NOT NULL REFERENCES judges,
  PRIMARY KEY (spec_id, judge_id)
) STRICT, WITHOUT ROWID;

-- A unit of work is shared by all rows that ask for the same: its key says what is seen, not who asks.
CREATE TABLE units (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, kind TEXT NOT NULL CHECK (kind IN ('answer', 'pass'))
) STRICT;
CREATE TABLE row_answers (
  row_id INTEGER NOT NULL REFERENCES rows, slot INTEGER NOT NULL, night INTEGER NOT NULL,
  repeat INTEGER NOT NULL, variant_id INTEGER NOT NULL REFERENCES variants,
  unit_id INTEGER NOT NULL REFERENCES units,
  PRIMARY KEY (row_id, slot, night, repeat)
) STRICT, WITHOUT ROWID;
CREATE INDEX row_answers_unit ON row_answers (unit_id);
CREATE TABLE row_passes (
  row_id INTEGER NOT NULL REFERENCES rows, night INTEGER NOT NULL, repeat INTEGER NOT NULL,
  take INTEGER NOT NULL, ord INTEGER NOT NULL, judge_id INTEGER NOT NULL REFERENCES judges,
  order_id INTEGER NOT NULL REFERENCES orders, unit_id INTEGER NOT NULL REFERENCES units,
  PRIMARY KEY (row_id, night, repeat, take, ord, judge_id, order_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE runs (
  id INTEGER PRIMARY KEY, spec_id INTEGER NOT NULL REFERENCES specs, started_at TEXT NOT NULL,
  ended_at TEXT, state TEXT NOT NULL, options TEXT NOT NULL
) STRICT;
CREATE INDEX runs_spec ON runs (spec_id);
CREATE TABLE requests (
  id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES runs, request TEXT NOT NULL, at TEXT NOT NULL
) STRICT;
CREATE INDEX requests_run ON requests (run_id);

-- A call is the intent to send, committed before anything is sent; its reply is a second fact. A free one
-- (a tool of one's own) is kept like the others, so that it is not done twice, and counted by nobody.
CREATE TABLE calls (
  id INTEGER PRIMARY KEY, unit_id INTEGER NOT NULL REFERENCES units, seq INTEGER NOT NULL,
  attempt INTEGER NOT NULL, request TEXT NOT NULL, free INTEGER NOT NULL,
  run_id INTEGER NOT NULL REFERENCES runs, at TEXT NOT NULL
) STRICT;
CREATE INDEX calls_unit ON calls (unit_id);
CREATE INDEX calls_run ON calls (run_id);
CREATE TABLE replies (
  id INTEGER PRIMARY KEY, call_id INTEGER NOT NULL UNIQUE REFERENCES calls,
  run_id INTEGER NOT NULL REFERENCES runs, at TEXT NOT NULL, failure_kind TEXT, failure_message TEXT,
  cost_usd REAL, body TEXT
) STRICT;
CREATE INDEX replies_run ON replies (run_id);

-- Attempts at a unit. Nothing follows a success, so the newest is the one that counts. `last_call` is the
-- unit's newest call when it was settled; replies up to `replay_after` led to a failure and are not
-- offered to the next attempt.
CREATE TABLE answers (
  id INTEGER PRIMARY KEY, unit_id INTEGER NOT NULL REFERENCES units, failure_kind TEXT, failure_message TEXT,
  cost_usd REAL, duration_s REAL, model TEXT, prompt_tokens INTEGER, completion_tokens INTEGER,
  cached_tokens INTEGER, last_call INTEGER NOT NULL, replay_after INTEGER NOT NULL,
  run_id INTEGER REFERENCES runs, at TEXT NOT NULL, digest TEXT NOT NULL, tools_digest TEXT NOT NULL
) STRICT;
CREATE INDEX answers_unit ON answers (unit_id);
CREATE INDEX answers_digest ON answers (digest);
CREATE TABLE answer_bodies (id INTEGER PRIMARY KEY REFERENCES answers, body TEXT NOT NULL) STRICT;
CREATE TABLE tool_calls (
  answer_id INTEGER NOT NULL REFERENCES answers, place INTEGER NOT NULL, turn INTEGER NOT NULL,
  name TEXT NOT NULL, arguments TEXT NOT NULL, PRIMARY KEY (answer_id, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE passes (
  id INTEGER PRIMARY KEY, unit_id INTEGER NOT NULL REFERENCES units, failure_kind TEXT, failure_message TEXT,
  cost_usd REAL, duration_s REAL, model TEXT, prompt_tokens INTEGER, completion_tokens INTEGER,
  cached_tokens INTEGER, last_call INTEGER NOT NULL, replay_after INTEGER NOT NULL,
  run_id INTEGER REFERENCES runs, at TEXT NOT NULL, choice INTEGER
) STRICT;
CREATE INDEX passes_unit ON passes (unit_id);
CREATE TABLE pass_bodies (id INTEGER PRIMARY KEY REFERENCES passes, body TEXT NOT NULL) STRICT;

CREATE TABLE labels (
  row_id INTEGER NOT NULL REFERENCES rows, place INTEGER NOT NULL, annotator TEXT NOT NULL, verdict TEXT,
  note TEXT NOT NULL, PRIMARY KEY (row_id, place)
) STRICT, WITHOUT ROWID;

-- Nights and takes are asked of the experiment: an edit makes another spec, and must not undo a night.
CREATE TABLE extensions (
  id INTEGER PRIMARY KEY, experiment_id INTEGER NOT NULL REFERENCES experiments,
  what TEXT NOT NULL CHECK (what IN ('night', 'take')), at TEXT NOT NULL
) STRICT;
CREATE INDEX extensions_experiment ON extensions (experiment_id);

-- AUTOINCREMENT remembers the highest number ever given, so that cutting off the end shows.
CREATE TABLE records (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, kind TEXT NOT NULL, experiment TEXT NOT NULL,
  body TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL
) STRICT;
CREATE INDEX records_experiment ON records (experiment);
"""

_FACTS = (
    "specs", "adoptions", "cases", "case_bodies", "rows", "calls", "replies", "answers", "answer_bodies",
    "tool_calls", "passes", "pass_bodies", "labels", "extensions", "records",
)  # fmt: skip

_FOREVER = """
CREATE TRIGGER {table}_no_{act} BEFORE {act} ON {table}
BEGIN SELECT RAISE(ABORT, '{table} are facts: they are never changed or deleted'); END;
"""

_LAST = """
CREATE TRIGGER {table}_success_is_last BEFORE INSERT ON {table}
WHEN EXISTS (SELECT 1 FROM {table} WHERE unit_id = NEW.unit_id AND failure_kind IS NULL)
BEGIN SELECT RAISE(ABORT, 'a finished unit stays as it is'); END;
"""


@MIGRATIONS()
def m001_facts(db: Database) -> None:
    """Lay the tables out; the reasons stand beside them."""
    db.executescript(_TABLES)
    for table in _FACTS:
        for act in ("UPDATE", "DELETE"):
            db.executescript(_FOREVER.format(table=table, act=act))
    for table in ("answers", "passes"):
        db.executescript(_LAST.format(table=table))


@MIGRATIONS()
def m002_places(db: Database) -> None:
    """Keep where an adopted spec's files lie: no part of its hash, and a moved project is the same spec."""
    db.execute("ALTER TABLE adoptions ADD COLUMN body TEXT")


VERSION = 2
"""The number of the newest migration, kept in the file's `user_version`."""
