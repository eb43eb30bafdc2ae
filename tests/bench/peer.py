"""The whole command beside that of promptfoo, where it is installed: both from a shell, in turn.

Each asks the same server for two answers and two judge calls a row. A comparison of pairs, as we make it, is
none of promptfoo's: its nearest equal are two prompts over the same cases, and one `llm-rubric` on each
answer, which its judge model grades. Both write to their own database; its cache is off, as ours has nothing
to find either. `PROMPTFOO` in the environment names the program where it is not on the PATH.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.bench.figure import Figure, median
from tests.bench.process import BOTHWAYS, ENVIRONMENT, Spent, spent
from tests.bench.runs import CALLS_A_ROW, Server, serving

__all__ = ["figures"]

ROWS, LATENCY_S, CONCURRENCY, RUNS = 200, 0.2, 20, 3
NAME = "the whole command, 200 rows × 4 calls of 0.2 s, 20 at a time / promptfoo's"
GRADE = json.dumps({"pass": True, "score": 1, "reason": "It gives the date."})
QUESTIONS = [f"Question {number}?" for number in range(ROWS)]
PROMPTS = ("Answer.", "Answer briefly.")
PEER_ENVIRONMENT = {
    **ENVIRONMENT,
    "OPENAI_API_KEY": "none",
    "PROMPTFOO_CACHE_ENABLED": "false",
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
    "PROMPTFOO_DISABLE_SHARING": "1",
    "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
}


def figures(folder: Path) -> Iterator[Figure]:
    """Compare the two, or say that the other is not there."""
    program = shutil.which(os.environ.get("PROMPTFOO", "promptfoo"))
    if program is None:
        yield Figure(NAME, 0.0, "×", None, "not measured: no promptfoo on the PATH, and none in PROMPTFOO")
        return
    peer(folder / "peer-warm", program)  # it lays its database out on first use
    runs = [(ours(folder / f"ours-{n}"), peer(folder / f"peer-{n}", program)) for n in range(RUNS)]
    ratio = median([one.wall_s / other.wall_s for one, other in runs])
    walls, cpus = (
        [f"{median([getattr(run[side], what) for run in runs]):.1f}" for side in (0, 1)]
        for what in ("wall_s", "cpu_s")
    )
    yield Figure(
        NAME, ratio, "×", 1.1, f"{walls[0]} s, its {walls[1]} s; CPU {cpus[0]} s, its {cpus[1]} s"
    )  # fmt: skip


def ours(folder: Path) -> Spent:
    """Run an experiment of ours from nothing."""
    folder.mkdir()
    with serving("--latency", str(LATENCY_S)) as server:
        for number, prompt in enumerate(PROMPTS, 4):
            (folder / f"v{number}.md").write_text(prompt)
        cases = [json.dumps({"id": f"c{n}", "input": text}) for n, text in enumerate(QUESTIONS)]
        (folder / "cases.jsonl").write_text("\n".join(cases))
        (folder / "peer.yaml").write_text(json.dumps(_experiment(server)))
        command = [*BOTHWAYS, "--db", str(folder / "peer.db"), "run", str(folder / "peer.yaml")]
        return _measured(command, ENVIRONMENT, server)


def _experiment(server: Server) -> Mapping[str, object]:
    return {
        "name": "peer",
        "cases": "cases.jsonl",
        "baseline": {"name": "v4", "model": "shop", "endpoint": server.url, "prompt": "v4.md"},
        "candidates": [{"name": "v5", "prompt": "v5.md"}],
        "judge": {"name": "judge", "model": "judge", "endpoint": server.url},
        "run": {"concurrency": CONCURRENCY},
    }


def peer(folder: Path, program: str) -> Spent:
    """Run the nearest equal of promptfoo's from nothing."""
    folder.mkdir()
    with serving("--latency", str(LATENCY_S), verdict=GRADE) as server:
        config = folder / "promptfooconfig.json"
        config.write_text(json.dumps(_evaluation(server)))
        command = [
            program, "eval", "-c", str(config), "--max-concurrency", str(CONCURRENCY), "--no-cache",
            "--no-table", "--no-progress-bar", "--no-share",
        ]  # fmt: skip
        home = folder.parent / "promptfoo"
        return _measured(command, {**PEER_ENVIRONMENT, "PROMPTFOO_CONFIG_DIR": str(home)}, server)


def _evaluation(server: Server) -> Mapping[str, object]:
    def model(name: str) -> Mapping[str, object]:
        return {"id": f"openai:chat:{name}", "config": {"apiBaseUrl": server.url, "apiKey": "none"}}

    rubric = {"type": "llm-rubric", "value": "It answers the question.", "provider": model("judge")}
    return {
        "prompts": [f"{prompt}\n\n{{{{input}}}}" for prompt in PROMPTS],
        "providers": [model("shop")],
        "defaultTest": {"assert": [rubric]},
        "tests": [{"vars": {"input": text}} for text in QUESTIONS],
    }


def _measured(command: list[str], environment: Mapping[str, str], server: Server) -> Spent:
    """Run a command and see that it did as much as the other."""
    run = spent(command, environment)
    requests = server.stats()["requests"]
    assert (run.code, requests) == (0, ROWS * CALLS_A_ROW), (command, run, requests)
    return run
