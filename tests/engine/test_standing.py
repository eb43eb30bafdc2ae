"""What several reviewers' acts add up to: one verdict each, and a rule between them."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Literal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.engine.ledger_fake import AT
from tests.engine.people import Desk

from bothways.engine.experiment import Policy
from bothways.engine.facts import JsonObject
from bothways.engine.keys import digest
from bothways.engine.ledger import Record
from bothways.engine.pairs import Seen
from bothways.engine.review import Act
from bothways.engine.standing import Kind, Review, Rule, Standing, fold, in_force, standings
from bothways.engine.verdicts import Verdict

PAIR = Seen("pair", "tools")
LATEST, MAJORITY, ADA = Rule("latest"), Rule("majority"), Rule("adjudicator", "ada")
RULES = (LATEST, MAJORITY, ADA)
VERDICTS: tuple[Verdict, ...] = ("candidate", "baseline", "tie")
WORDS: dict[str, Verdict] = {"c": "candidate", "b": "baseline", "t": "tie", "x": "tie"}
"""Letters of votes; `x` finds both answers bad."""


def review(seq: int, who: str, kind: Kind, verdict: Verdict | None = None, note: str = "") -> Review:
    return Review(seq, AT, "v5", "c1", PAIR.pair, PAIR.tools, kind, who, verdict, note=note)


def said(votes: str, rule: Rule) -> Standing:
    """Fold votes written as `kim:c lee:b`."""
    pairs = [vote.split(":") for vote in votes.split()]
    acts = [
        replace(review(n, who, "verdict", WORDS[letter], f"{who} noted"), both_bad=letter == "x")
        for n, (who, letter) in enumerate(pairs)
    ]
    standing = fold(acts, PAIR, rule)
    assert standing is not None
    return standing


@pytest.mark.parametrize(
    ("votes", "rule", "verdict", "disputed"),
    [
        ("kim:c", LATEST, "candidate", False),
        ("kim:c lee:c", LATEST, "candidate", False),
        ("kim:c lee:b", LATEST, "baseline", True),
        ("kim:c lee:b kim:b", LATEST, "baseline", False),
        ("kim:c", MAJORITY, "candidate", False),
        ("kim:c lee:b", MAJORITY, None, True),
        ("kim:c lee:b ann:c", MAJORITY, "candidate", False),
        ("kim:c lee:b ann:t", MAJORITY, None, True),
        ("kim:c lee:b ann:t bob:t", MAJORITY, "tie", False),
        ("kim:c lee:b ann:c bob:b", MAJORITY, None, True),
        ("kim:c kim:b lee:c", MAJORITY, None, True),
        ("kim:c", ADA, "candidate", False),
        ("kim:c lee:c", ADA, "candidate", False),
        ("kim:c lee:b", ADA, None, True),
        ("kim:c lee:b ada:t", ADA, "tie", False),
        ("ada:t kim:c lee:c", ADA, "tie", False),
        ("kim:c ada:b", ADA, "baseline", False),
    ],
)
def test_what_counts_where_reviewers_differ(
    votes: str, rule: Rule, verdict: Verdict | None, disputed: bool
) -> None:
    standing = said(votes, rule)
    assert (standing.verdict, standing.disputed) == (verdict, disputed)


@pytest.mark.parametrize(
    ("votes", "rule", "both_bad", "by"),
    [
        ("kim:t lee:x", LATEST, True, "lee"),
        ("kim:x lee:t", LATEST, False, "lee"),
        ("kim:x lee:b", LATEST, False, "lee"),
        ("kim:x", MAJORITY, True, "kim"),
        ("kim:x lee:t", MAJORITY, False, "lee"),
        ("kim:t lee:x", MAJORITY, False, "kim"),
        ("kim:x lee:t ann:x", MAJORITY, True, "ann"),
        ("kim:x lee:x ann:t", MAJORITY, True, "lee"),
        ("kim:t lee:t ann:t bob:x", MAJORITY, False, "ann"),
        ("kim:x lee:x ann:t bob:b", MAJORITY, True, "lee"),
        ("kim:x lee:b ann:b", MAJORITY, False, "ann"),
        ("kim:b lee:x ada:t ann:x", ADA, False, "ada"),
        ("kim:b lee:t ada:x ann:t", ADA, True, "ada"),
        ("ada:t kim:x lee:x", ADA, False, "ada"),
        ("ada:b kim:x lee:b", ADA, False, "ada"),
        ("kim:x lee:t", ADA, False, "lee"),
        ("kim:x lee:x ann:t", ADA, True, "lee"),
    ],
)
def test_both_bad_and_the_name_are_of_those_whose_verdict_counts(
    votes: str, rule: Rule, both_bad: bool, by: str
) -> None:
    standing = said(votes, rule)
    assert (standing.both_bad, standing.reviewer, standing.note) == (both_bad, by, f"{by} noted")


@pytest.mark.parametrize("rule", [MAJORITY, ADA])
def test_where_nothing_counts_both_are_not_bad_either(rule: Rule) -> None:
    standing = said("kim:x lee:b", rule)
    assert (standing.verdict, standing.both_bad) == (None, False)


@pytest.mark.parametrize("how", ["blind", "unread"])
@pytest.mark.parametrize(("ada", "others"), [(True, False), (False, True)])
def test_how_a_verdict_was_given_is_the_adjudicators_where_theirs_counts(
    how: str, ada: bool, others: bool
) -> None:
    def vote(n: int, who: str, so: bool) -> Review:
        one = review(n, who, "verdict", "tie")
        return replace(one, blind=so) if how == "blind" else replace(one, bulk="with others" if so else "")

    standing = fold([vote(1, "kim", others), vote(2, "ada", ada), vote(3, "lee", others)], PAIR, ADA)
    assert getattr(standing, how) is ada


@pytest.mark.parametrize("rule", RULES)
def test_a_reviewer_has_one_verdict_however_often_they_spoke(rule: Rule) -> None:
    standing = said("kim:c lee:b kim:b kim:t", rule)
    assert [(voice.reviewer, voice.verdict) for voice in standing.voices] == [
        ("lee", "baseline"),
        ("kim", "tie"),
    ]


@pytest.mark.parametrize("rule", RULES)
def test_a_cleared_verdict_counts_for_nobody(rule: Rule) -> None:
    acts = [review(1, "kim", "verdict", "candidate"), review(2, "lee", "verdict", "baseline"),
            review(3, "lee", "clear")]  # fmt: skip
    standing = fold(acts, PAIR, rule)
    assert standing is not None
    assert (standing.verdict, standing.reviewer, standing.disputed) == ("candidate", "kim", False)
    assert len(standing.voices) == 1


def test_a_note_and_a_skip_stay_with_whoever_made_them() -> None:
    acts = [review(1, "kim", "note", note="mine"), review(2, "kim", "verdict", "candidate"),
            review(3, "lee", "note", note="hers"), review(4, "ann", "skip", note="later")]  # fmt: skip
    standing = fold(acts, PAIR, LATEST)
    assert standing is not None
    assert (standing.reviewer, standing.note, standing.voices[0].note) == ("kim", "mine", "mine")
    assert dict(standing.notes) == {"kim": "mine", "lee": "hers", "ann": "later"}
    assert standing.skipped == "later"
    spoken = fold([*acts, review(5, "lee", "verdict", "tie")], PAIR, LATEST)
    assert spoken is not None
    assert spoken.skipped == "later"
    done = fold([*acts, review(5, "ann", "verdict", "tie")], PAIR, LATEST)
    assert done is not None
    assert done.skipped == ""


def test_what_counts_is_blind_where_all_who_say_it_were() -> None:
    def voted(*blind: bool) -> Standing | None:
        acts = [
            Review(n, AT, "v5", "c1", PAIR.pair, PAIR.tools, "verdict", f"r{n}", "tie", blind=one)
            for n, one in enumerate(blind)
        ]
        return fold(acts, PAIR, MAJORITY)

    assert [standing and standing.blind for standing in (voted(True, True), voted(True, False), voted())] == [
        True, False, None,
    ]  # fmt: skip


VOTES = st.lists(st.tuples(st.sampled_from(["kim", "lee", "ann", "ada"]), st.sampled_from([*VERDICTS, None])))


def acts_of(votes: list[tuple[str, Verdict | None]]) -> list[Review]:
    """None clears."""
    return [
        review(n, who, "verdict" if verdict else "clear", verdict) for n, (who, verdict) in enumerate(votes)
    ]


@given(VOTES, st.sampled_from(RULES))
def test_every_rule_agrees_with_its_definition(votes: list[tuple[str, Verdict | None]], rule: Rule) -> None:
    current: dict[str, tuple[int, Verdict]] = {}
    for n, (who, verdict) in enumerate(votes):
        current.pop(who, None)
        if verdict is not None:
            current[who] = (n, verdict)
    each = [verdict for _, verdict in current.values()]
    differ = len(set(each)) > 1
    expected: Verdict | None
    if rule.policy == "latest" or not differ:
        expected = max(current.values())[1] if current else None
    elif rule.policy == "majority":
        most = [v for v in VERDICTS if all(each.count(v) > each.count(w) for w in VERDICTS if w != v)]
        expected = most[0] if most else None
    else:
        expected = current["ada"][1] if "ada" in current else None
    standing = fold(acts_of(votes), PAIR, rule)
    assert (standing.verdict if standing else None) == expected
    assert (standing.disputed if standing else False) == (differ and (expected is None or rule is LATEST))
    assert (len(standing.voices) if standing else 0) == len(each)


@given(VOTES, st.sampled_from(RULES), st.permutations(["kim", "lee", "ann"]))
def test_renaming_reviewers_changes_nothing_but_names(
    votes: list[tuple[str, Verdict | None]], rule: Rule, names: list[str]
) -> None:
    called = dict(zip(["kim", "lee", "ann"], names, strict=True))
    one = fold(acts_of(votes), PAIR, rule)
    two = fold(acts_of([(called.get(who, who), verdict) for who, verdict in votes]), PAIR, rule)
    assert (one is None) == (two is None)
    assume(one is not None)
    assert one is not None
    assert two is not None
    assert (one.verdict, one.disputed) == (two.verdict, two.disputed)
    assert [(called.get(v.reviewer, v.reviewer), v.verdict) for v in one.voices] == [
        (v.reviewer, v.verdict) for v in two.voices
    ]


@given(VOTES, st.sampled_from(["kim", "lee", "new"]), st.sampled_from(VERDICTS))
def test_more_reviews_never_undecide_under_the_latest(
    votes: list[tuple[str, Verdict | None]], who: str, verdict: Verdict
) -> None:
    standing = fold(acts_of([*votes, (who, verdict)]), PAIR, LATEST)
    assert standing is not None
    assert standing.verdict == verdict


@pytest.mark.parametrize("rule", [MAJORITY, ADA])
@pytest.mark.parametrize(
    "votes", ["kim:c lee:b", "kim:c lee:b ann:c", "kim:c lee:b ada:t", "kim:t ada:t", "kim:t ada:x lee:x"]
)
def test_whoever_speaks_first_does_not_matter_unless_the_latest_counts(rule: Rule, votes: str) -> None:
    orders = permutations(votes.split())
    found = {(s.verdict, s.both_bad, s.disputed) for s in (said(" ".join(order), rule) for order in orders)}
    assert len(found) == 1


def record(seq: int, who: str, verdict: Verdict, at: str, home: JsonObject | None = None) -> Record:
    body: JsonObject = {
        "experiment": "exp", "candidate": "v5", "case": "c1", "pair": PAIR.pair, "tools": PAIR.tools,
        "act": "verdict", "verdict": verdict, "reviewer": who, **({"home": home} if home else {}),
    }  # fmt: skip
    return Record(seq, at, "review", body, "", digest(seq))


def standing_of(*records: Record) -> Standing:
    standing = fold(standings(records)["v5", "c1"], PAIR, LATEST)
    assert standing is not None
    return standing


def test_what_came_in_later_from_elsewhere_counts_from_when_it_was_said() -> None:
    here = record(1, "kim", "candidate", "2026-08-06T10:00:00Z")
    earlier = record(2, "lee", "baseline", "2026-08-07T09:00:00Z", {"at": "2026-08-05T10:00:00Z"})
    later = record(2, "lee", "baseline", "2026-08-07T09:00:00Z", {"at": "2026-08-06T11:00:00Z"})
    assert standing_of(here, earlier).verdict == "candidate"
    assert standing_of(here, later).verdict == "baseline"
    assert standing_of(here, later).at == "2026-08-06T11:00:00Z"


def test_a_review_that_says_when_it_counts_stands_there_and_tells_its_own_time() -> None:
    before = record(1, "kim", "candidate", "2026-08-06T10:00:00Z")
    after = record(2, "kim", "baseline", "2026-08-05T10:00:00Z")
    after.body["counts_at"] = "2026-08-06T10:00:00.000Z"
    assert standing_of(before, after).verdict == "baseline"
    assert standing_of(before, after).at == "2026-08-05T10:00:00Z"


def test_nobody_takes_back_what_somebody_else_said() -> None:
    said = review(1, "kim", "verdict", "candidate")
    forged = replace(review(2, "mallory", "undo"), undoes=1)
    assert in_force([said, forged]) == [said, forged]
    assert in_force([said, replace(forged, reviewer="kim")])[:1] != [said]


POLICIES: tuple[tuple[Policy, dict[str, str]], ...] = (
    ("latest", {}), ("majority", {}), ("adjudicator", {"adjudicator": "ada"}),
)  # fmt: skip


@pytest.mark.parametrize(("policy", "more"), POLICIES)
def test_each_takes_back_their_own_and_the_rest_stands(policy: Policy, more: dict[str, str]) -> None:
    desk = Desk("cb", policy=policy, **more).does(Act.CANDIDATE, by="kim").does(Act.BASELINE, by="lee")
    apart = desk.standing
    assert apart is not None
    assert apart.disputed
    assert desk.does(Act.UNDO, by="lee").verdict == "candidate"
    assert desk.does(Act.REDO, by="lee").standing == apart
    assert desk.does(Act.CLEAR, by="kim").verdict == "baseline"
    back: Literal["candidate"] = "candidate"
    assert desk.does(Act.UNDO, by="kim").does(Act.UNDO, by="lee").verdict == back


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (Rule(), "on 2 rows: the latest counts"),
        (Rule("majority"), "on 2 rows: the majority counts, which leaves 1 undecided"),
        (Rule("adjudicator", "ada"), "on 2 rows: ada's verdict counts, which leaves 1 undecided"),
    ],
    ids=["latest", "majority", "adjudicator"],
)
def test_a_rule_says_what_counts_and_what_that_leaves_undecided(rule: Rule, said: str) -> None:
    assert rule.over(2, disputed=1) == said
