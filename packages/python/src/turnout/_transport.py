from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TypeVar

import httpx

from ._errors import TurnoutError
from ._operation import Operation, Options
from ._request import Answer, Call, prepare
from ._settings import Settings

T = TypeVar("T")


class Transport:
    """Sends calls and waits for their answers."""

    def __init__(self, settings: Settings, http: httpx.Client | None) -> None:
        self.settings = settings
        self._own = http is None
        self._http = http or httpx.Client()

    def send(
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
            settled = call.settle(self._try(call))
            if isinstance(settled, Answer):
                return settled
            time.sleep(settled)

    def _try(self, call: Call[T]) -> Answer[T] | TurnoutError:
        until = time.monotonic() + call.limit
        try:
            with self._http.stream(
                call.operation.method,
                call.url,
                headers=call.headers,
                content=call.content,
                timeout=call.timeout,
                # The API has no redirects, and the key belongs to one host.
                follow_redirects=False,
            ) as response:
                chunks: list[bytes] = []
                # httpx limits each wait for bytes, not their sum, so an answer that trickles in is cut off here.
                for chunk in response.iter_bytes():
                    chunks.append(chunk)
                    if time.monotonic() > until:
                        return call.late()
                return call.received(response, b"".join(chunks))
        except httpx.HTTPError as error:
            failure = call.failed(error)
            failure.__cause__ = error
            return failure

    def close(self) -> None:
        if self._own:
            self._http.close()
