"""One way to drive both clients, so that every guarantee is tested of both."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

from turnout import AsyncTurnout, Turnout


class Driver:
    """`run` makes a call and waits for it; `all` collects what a list or a walk hands out."""

    def __init__(self, asynchronous: bool) -> None:
        self.asynchronous = asynchronous
        self._loop = asyncio.new_event_loop() if asynchronous else None
        self._clients: list[Any] = []

    def client(self, **settings: Any) -> Any:
        client = AsyncTurnout(**settings) if self.asynchronous else Turnout(**settings)
        self._clients.append(client)
        return client

    def run(self, made: Callable[..., Any]) -> Any:
        if self._loop is None:
            return made()

        async def waiting() -> Any:
            result = made()
            return await result if inspect.isawaitable(result) else result

        return self._loop.run_until_complete(waiting())

    def all(self, made: Callable[..., Any]) -> list[Any]:
        if self._loop is None:
            return list(made())

        async def collecting() -> list[Any]:
            return [one async for one in made()]

        return self._loop.run_until_complete(collecting())

    def first(self, count: int, made: Callable[..., Any]) -> list[Any]:
        """The first of a walk that has no end, or whose program is killed in between."""
        found: list[Any] = []
        if self._loop is None:
            for one in made():
                found.append(one)
                if len(found) == count:
                    break
            return found

        async def collecting() -> None:
            async for one in made():
                found.append(one)
                if len(found) == count:
                    break

        self._loop.run_until_complete(collecting())
        return found

    def close(self) -> None:
        for client in self._clients:
            if self._loop is None:
                client.close()
            else:
                self._loop.run_until_complete(client.aclose())
        if self._loop is not None:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()
