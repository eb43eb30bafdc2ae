"""Tools and agents that tests call by name."""

from __future__ import annotations

import asyncio
import time

from bothways.engine.facts import JsonObject, JsonValue

orders: list[str] = []
resets = 0


def reset() -> None:
    global resets
    resets += 1


def get_order(id: str) -> JsonObject:
    orders.append(id)
    return {"id": id, "seen": list(orders), "resets": resets}


async def ship(id: str) -> str:
    await asyncio.sleep(0)
    return f"{id} is on its way"


def explode() -> str:
    raise ValueError("no such order")


def echo(case: JsonObject) -> str:
    return f"You asked: {case['input']}"


async def echo_async(case: JsonObject) -> JsonValue:
    await asyncio.sleep(0)
    return {
        "text": f"You asked: {case['input']}",
        "tool_calls": [{"name": "get_order", "arguments": {"id": "7"}}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 2},
        "cost_usd": 0.25,
        "model": "our-own",
        "trace": "t-1",
    }


def keys(case: JsonObject) -> str:
    return " ".join(sorted(case))


def raises(case: JsonObject) -> str:
    raise KeyError("price")


def exits(case: JsonObject) -> str:
    raise SystemExit(3)


def sleeps(case: JsonObject) -> str:
    time.sleep(30)
    return "late"


def returns_nothing(case: JsonObject) -> None:
    return None


def returns_an_object(case: JsonObject) -> object:
    return object()


def fails_softly(case: JsonObject) -> JsonObject:
    return {"error": "timeout: the kitchen is closed", "cost_usd": 0.5}
