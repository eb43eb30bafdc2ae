"""Programs run from outside, as a person would: how long they take, and how much memory they hold."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

__all__ = ["BOTHWAYS", "ENVIRONMENT", "ROOT", "Spent", "apart", "home", "spent"]

ROOT = Path(__file__).parents[2]
BOTHWAYS = (sys.executable, "-m", "bothways")
# The repository itself, for where bothways is not installed, and for the programs of this folder.
_PATHS = [str(ROOT / "src"), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
ENVIRONMENT: Mapping[str, str] = {**os.environ, "PYTHONPATH": os.pathsep.join(_PATHS)}


def home(folder: Path) -> Mapping[str, str]:
    """Return the environment of a desk that remembers and reads nothing but what is in a folder."""
    return {**ENVIRONMENT, "XDG_STATE_HOME": str(folder / "state"), "XDG_CONFIG_HOME": str(folder)}


@dataclass(frozen=True, slots=True)
class Spent:
    """What one program took: seconds by the clock, seconds of CPU, and the most memory that it held."""

    wall_s: float
    cpu_s: float
    memory_mb: float
    code: int


def spent(command: list[str], environment: Mapping[str, str] = ENVIRONMENT) -> Spent:
    """Run a program to its end, its output thrown away."""
    before = time.perf_counter()
    with open(os.devnull, "r+b") as nothing:
        actions = [(os.POSIX_SPAWN_DUP2, nothing.fileno(), stream) for stream in (0, 1, 2)]
        pid = os.posix_spawnp(command[0], command, environment, file_actions=actions)
        _, status, usage = os.wait4(pid, 0)
    wall_s = time.perf_counter() - before
    code = os.waitstatus_to_exitcode(status)
    return Spent(wall_s, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, code)


def apart(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do something in a fresh process of its own, so that this one stays small.

    Linux counts the memory of whoever starts a program as that program's, until it has more itself.
    """
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(work, *args, **kwargs).result()
