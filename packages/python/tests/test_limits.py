"""Time limits, and calls that are cancelled."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from conftest import KEY, URL
from driver import Driver
from proxy import Behaviour, Proxy, is_silent, refuses, trickles

import turnout
from turnout import AsyncTurnout


@pytest.mark.parametrize("slow", [is_silent, trickles])
def test_a_try_has_a_time_limit(driver: Driver, proxied: Any, proxy: Proxy, slow: Behaviour) -> None:
    proxy.plays(slow)
    with pytest.raises(turnout.TimeoutError, match=r"me\.get was not answered within 0\.2 s") as caught:
        driver.run(lambda: proxied.me.get(timeout=0.2, max_retries=0))
    # Whoever catches Python's own errors catches it as well.
    assert isinstance(caught.value, TimeoutError)
    assert isinstance(caught.value, ConnectionError)
    assert caught.value.operation == "me.get"


def test_the_limit_of_the_client(driver: Driver, proxy: Proxy) -> None:
    client = driver.client(base_url=proxy.url, key=KEY, timeout=0.2, max_retries=0)
    proxy.plays(is_silent)
    with pytest.raises(turnout.TimeoutError):
        driver.run(lambda: client.me.get())
    assert driver.run(lambda: client.me.get(timeout=float("inf")))["organization"]["code"]


def test_cancelling_ends_a_call_that_waits_for_its_answer(proxy: Proxy) -> None:
    async def cancelled() -> None:
        async with AsyncTurnout(base_url=proxy.url, key=KEY) as client:
            proxy.plays(is_silent)
            task = asyncio.create_task(client.me.get())
            while not proxy.seen:
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            # The client can be used on, and nothing was tried again.
            await client.me.get()
        assert len(proxy.seen) == 2

    asyncio.run(cancelled())


def test_cancelling_ends_a_call_that_waits_to_be_tried_again(proxy: Proxy) -> None:
    async def cancelled() -> None:
        waiting = asyncio.Event()
        async with AsyncTurnout(base_url=proxy.url, key=KEY, on_retry=lambda _: waiting.set()) as client:
            proxy.plays(refuses(429, "rate_limited", {"Retry-After": "60"}))
            task = asyncio.create_task(client.me.get())
            await waiting.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        assert len(proxy.seen) == 1

    asyncio.run(cancelled())


def test_a_limit_around_several_calls(proxy: Proxy) -> None:
    async def limited() -> None:
        async with AsyncTurnout(base_url=proxy.url, key=KEY) as client:
            proxy.plays(is_silent)
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(client.me.get(), 0.2)
            assert len(proxy.seen) == 1

    asyncio.run(limited())


def test_calls_run_at_once_in_asyncio() -> None:
    async def at_once() -> list[Any]:
        async with AsyncTurnout(base_url=URL, key=KEY) as client:
            return await asyncio.gather(*(client.me.get() for _ in range(20)))

    assert len(asyncio.run(at_once())) == 20
