"""The provider as a process of its own, as the bench and the kill tests use it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[2]


@contextmanager
def process(*options: str) -> Iterator[str]:
    """Start the provider and give its address."""
    command = [sys.executable, "-m", "tests.loopback.provider", *options]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        try:
            yield running.stdout.readline().strip()
        finally:
            running.terminate()


def ask(client: httpx.Client, url: str, **body: object) -> httpx.Response:
    message = {"role": "user", "content": "Hello?"}
    return client.post(f"{url}/chat/completions", json={"model": "m", "messages": [message], **body})


def said(response: httpx.Response) -> str:
    return str(response.json()["choices"][0]["message"]["content"])


def test_it_answers_judges_and_counts(tmp_path: Path) -> None:
    log = tmp_path / "requests.jsonl"
    with process("--verdict", '{"winner": "A"}', "--log", str(log)) as url, httpx.Client() as client:
        assert said(ask(client, url)) == "You asked: Hello?"
        assert said(ask(client, url, model="judge")) == '{"winner": "A"}'
        assert said(ask(client, url, response_format={"type": "json_object"})) == '{"winner": "A"}'
        stats = client.get(url.removesuffix("/v1") + "/stats").json()
    assert stats == {"requests": 3, "max_in_flight": 1, "refused": 0}
    assert [json.loads(line)["model"] for line in log.read_text().splitlines()] == ["m", "judge", "m"]


def test_it_misbehaves_as_told() -> None:
    options = ("--limit-every", "3", "--retry-after", "7", "--no-schema", "500")
    with process(*options) as url, httpx.Client() as client:
        answers = [ask(client, url) for _ in range(3)]
        refused = ask(client, url, response_format={"type": "json_schema"})
        stats = client.get(url.removesuffix("/v1") + "/stats").json()
    assert [a.status_code for a in answers] == [200, 200, 429]
    assert answers[2].headers["retry-after"] == "7"
    assert refused.status_code == 500
    assert stats["refused"] == 1
