from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import anyio
import httpx

from ._errors import TurnoutError
from ._operation import Operation, Options
from ._request import Answer, Call, prepare
from ._settings import Settings

T = TypeVar("T")


class AsyncTransport:
    """Sends calls in asyncio or trio. Cancelling the task ends a call at once, also while it waits to be tried again."""

    def __init__(self, settings: Settings, http: httpx.AsyncClient | None) -> None:
        self.settings = settings
        self._own = http is None
        self._http = http or httpx.AsyncClient()

    async def send(
        self,
        operation: Operation[T],
        path: Sequence[str],
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        options: Options,
    ) -> Answer[T]:
        call = prepare(self.settings, operation, path, query, body, options)
        while True:
            settled = call.settle(await self._try(call))
            if isinstance(settled, Answer):
                return settled
            await anyio.sleep(settled)

    async def _try(self, call: Call[T]) -> Answer[T] | TurnoutError:
        try:
            with anyio.move_on_after(call.limit):
                async with self._http.stream(
                    call.operation.method,
                    call.url,
                    headers=call.headers,
                    content=call.content,
                    timeout=None,
                    # The API has no redirects, and the key belongs to one host.
                    follow_redirects=False,
                ) as response:
                    content = await response.aread()
                    return call.received(response, content)
            return call.late()
        except httpx.HTTPError as error:
            failure = call.failed(error)
            failure.__cause__ = error
            return failure

    async def aclose(self) -> None:
        if self._own:
            await self._http.aclose()
