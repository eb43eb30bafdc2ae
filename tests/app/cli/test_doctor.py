"""What the doctor looks at, whom it asks, and what it never shows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from tests.app.cli.conftest import Command

from bothways.app.cli.reach import KEYS

NOBODY = "http://127.0.0.1:9"


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)


class Provider(HTTPServer):
    """Refuses whoever brings no key, as providers do, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, str]]] = []
        super().__init__(("127.0.0.1", 0), Refuse)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Refuse(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Provider)
        self.server.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
        self.send_response(401)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def states(command: Command, *more: str) -> dict[str, str]:
    return {one["name"]: one["state"] for one in json.loads(command("doctor", "--json", *more).stdout)}


@pytest.mark.parametrize("key", ["OPENAI_API_KEY", "BOTHWAYS_API_KEY"])
def test_a_key_is_said_to_be_there_and_never_shown(
    command: Command, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", f"{NOBODY}/v1?key=sk-secret-123")
    monkeypatch.setenv(key, "sk-secret-123")
    shown = command("doctor", "--json")
    assert {one["name"]: one["state"] for one in json.loads(shown.stdout)}[key] == "set"
    assert shown.exit_code == 0
    assert "sk-secret" not in shown.output + command("doctor").output


def test_a_provider_whose_key_is_set_is_asked_once_without_it(
    command: Command, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret-123")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", provider.url)
    assert states(command)[provider.url] == "ok"
    ((_, headers),) = provider.asked
    assert not {"authorization", "x-api-key"} & set(headers)


def test_the_endpoints_of_the_specs_are_asked(command: Command, project: Path, provider: Provider) -> None:
    spec = project / "experiment.yaml"
    text = spec.read_text(encoding="utf-8")
    judged = text.replace('function: "agent:judge"', f"model: m, endpoint: {provider.url}/v1")
    spec.write_text(judged, encoding="utf-8")
    command("freeze", "experiment.yaml")
    assert states(command)[f"{provider.url}/v1/models"] == "ok"
    assert [path for path, _ in provider.asked] == ["/v1/models"]
    states(command, "--offline")
    assert len(provider.asked) == 1


def test_a_server_that_was_named_has_to_answer(command: Command) -> None:
    shown = command("doctor", "--endpoint", f"{NOBODY}/v1")
    assert shown.exit_code == 2
    assert "broken" in shown.stdout


def test_the_settings_are_looked_at(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "settings.yaml"
    monkeypatch.setenv("BOTHWAYS_SETTINGS", str(path))
    assert states(command, "--offline")["settings"] == "none"
    path.write_text("theme: desk-paper\n")
    assert states(command, "--offline")["settings"] == "ok"
    path.write_text("theme: x\n")
    shown = command("doctor", "--offline")
    assert shown.exit_code == 2
    assert f"{path}:1" in shown.stdout
