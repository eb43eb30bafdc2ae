"""The texts were written one by one: nothing repeats, nothing is copied, nothing is unclean."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from itertools import chain

import pytest
from tests.sample_data.recorded import BASELINE, CANDIDATES, answers, cases, lines, said, text, tools
from tests.shared import SEEDS, needs_seeds

from bothways.sample_data import EXPERIMENTS

RUN = 7


def sentences(written: str) -> set[str]:
    return {s for s in re.split(r"(?<=[.!?])\s+|\n+", written) if len(s.split()) > 8}


def rationales() -> list[tuple[str, str]]:
    return [
        (line["case"], said(line["raw"])["rationale"])
        for experiment in CANDIDATES
        for line in lines(f"recordings/judge-{experiment}.jsonl")
    ]


def test_no_sentence_answers_two_cases() -> None:
    where: dict[str, set[str]] = defaultdict(set)
    for variant in (BASELINE, *CANDIDATES.values()):
        for case, answer in answers(variant).items():
            for sentence in sentences(answer):
                where[sentence].add(case)
    assert {s: found for s, found in where.items() if len(found) > 1} == {}


def test_no_rationale_is_given_twice() -> None:
    # Positions are what the two passes differ in, so they must not hide a repetition.
    bare = [re.sub(r"\b[AB]\b", "_", rationale) for _, rationale in rationales()]
    assert len(bare) == len(set(bare)) == 320


@pytest.mark.parametrize("candidate", ["v5-plain-text", "v5-plain-text-narrow"])
def test_plain_text_is_plain(candidate: str) -> None:
    marked = re.compile(r"\*\*|^\s*(\||[-*] |\d+\. |#)", re.MULTILINE)
    assert [case for case, answer in answers(candidate).items() if marked.search(answer)] == []


def test_the_blunt_line_drops_the_summaries_that_the_narrow_one_keeps() -> None:
    summary = re.compile(r"^(Order|Basket) [CB]K?-\d+: ", re.MULTILINE)
    kept = {
        name: sum(bool(summary.search(a)) for a in answers(name).values()) for name in CANDIDATES.values()
    }
    assert kept["v5-plain-text"] == 0
    assert kept["v5-plain-text-narrow"] > 20


def test_prices_are_compared_in_tables_by_the_baseline() -> None:
    prices = [case for case, what in cases().items() if what["tags"]["path"] == "price"]
    assert prices
    assert all("|---|" in answers(BASELINE)[case] for case in prices)


def test_a_difference_that_was_judged_is_there_to_see() -> None:
    assert CANDIDATES
    for experiment, candidate in CANDIDATES.items():
        before, after = answers(BASELINE), answers(candidate)
        assert [case for case in before if before[case] == after[case]] == [], experiment


def written() -> list[str]:
    names = ("cases.jsonl", "tools.yaml", "tools-shipping.yaml", "README.md", *EXPERIMENTS)
    prompts = [
        f"prompts/{name}.md" for name in ("v4", "v5-plain-text", "v5-plain-text-narrow", "v5-refund-flow")
    ]
    shown = chain.from_iterable(answers(variant).values() for variant in (BASELINE, *CANDIDATES.values()))
    return [
        *(text(name) for name in (*names, *prompts)),
        *shown,
        *(rationale for _, rationale in rationales()),
    ]


def test_the_texts_are_clean_unicode() -> None:
    texts = written()
    assert len(texts) > 100
    for one in texts:
        assert unicodedata.is_normalized("NFC", one)
        assert all(c == "\n" or not unicodedata.category(c).startswith("C") for c in one)


@needs_seeds
def test_nothing_is_copied_from_the_articles() -> None:
    assert list(SEEDS.glob("*.txt"))
    seeds = set(chain.from_iterable(runs(path.read_text(encoding="utf-8")) for path in SEEDS.glob("*.txt")))
    assert set(chain.from_iterable(runs(one) for one in written())) & seeds == set()


def runs(written: str) -> set[tuple[str, ...]]:
    """Return every run of seven words."""
    words = re.findall(r"\w+", written.lower())
    return set(zip(*(words[i:] for i in range(RUN)), strict=False))


def test_every_tool_is_used() -> None:
    used = {call["name"] for line in lines("recordings/v4.jsonl") for call in line["tool_calls"]}
    assert used == set(tools())
