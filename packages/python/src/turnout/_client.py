from __future__ import annotations

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, TypeVar

import httpx

from ._async_transport import AsyncTransport
from ._generated.client import AsyncResources, Resources
from ._operation import Operation, Options
from ._request import Answer
from ._settings import Retry, settings_of
from ._transport import Transport

_Self = TypeVar("_Self", bound="Turnout")
_AsyncSelf = TypeVar("_AsyncSelf", bound="AsyncTurnout")


class Turnout(Resources):
    """A client of the API that waits for its answers: `Turnout(base_url=…, key=…)`.

    It has an attribute for each resource, such as `client.registrations`. One client serves a whole program, in all its threads.

    Args:
        base_url: The address of the installation, such as `https://tickets.example.org`, with or without `/v1` at its end.
        key: The API key. Without it, only `public_events` works.
        scanner_url: The address of the scanner host, if it is another one than that of the API.
        timeout: How long each try of a call may take, in seconds.
        max_retries: How often a call is tried again after a failure that may pass.
        client: The name of an app that many organizations use, sent as `X-Service-Client`. Leave it out in an integration of
            your own.
        on_retry: Called before each retry, for your log.
        http_client: Used in place of an `httpx.Client` of its own, for example with a proxy. You close it yourself.
    """

    def __init__(
        self,
        *,
        base_url: str,
        key: str | None = None,
        scanner_url: str | None = None,
        timeout: float = 30.0,
        max_retries: int = 4,
        client: str | None = None,
        on_retry: Callable[[Retry], object] | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        settings = settings_of(
            base_url=base_url,
            key=key,
            scanner_url=scanner_url,
            timeout=timeout,
            max_retries=max_retries,
            client=client,
            on_retry=on_retry,
        )
        self._transport = Transport(settings, http_client)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        headers: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Answer[Any]:
        """Call an operation by its path, such as `/me`, with the same retries. The answer also has status and headers.

        For operations and fields that this version does not know, and for headers such as `If-None-Match`.
        """
        return self._transport.send(
            _raw(method, path),
            (),
            query=query,
            body=body,
            options=Options(idempotency_key, timeout, max_retries, headers),
        )

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(base_url={self._transport.settings.hosts['public']!r})"


class AsyncTurnout(AsyncResources):
    """A client of the API for asyncio and trio: `AsyncTurnout(base_url=…, key=…)`.

    It has an attribute for each resource, such as `client.registrations`. One client serves a whole program, in one event loop.

    Args:
        base_url: The address of the installation, such as `https://tickets.example.org`, with or without `/v1` at its end.
        key: The API key. Without it, only `public_events` works.
        scanner_url: The address of the scanner host, if it is another one than that of the API.
        timeout: How long each try of a call may take, in seconds.
        max_retries: How often a call is tried again after a failure that may pass.
        client: The name of an app that many organizations use, sent as `X-Service-Client`. Leave it out in an integration of
            your own.
        on_retry: Called before each retry, for your log.
        http_client: Used in place of an `httpx.AsyncClient` of its own, for example with a proxy. You close it yourself.
    """

    def __init__(
        self,
        *,
        base_url: str,
        key: str | None = None,
        scanner_url: str | None = None,
        timeout: float = 30.0,
        max_retries: int = 4,
        client: str | None = None,
        on_retry: Callable[[Retry], object] | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        settings = settings_of(
            base_url=base_url,
            key=key,
            scanner_url=scanner_url,
            timeout=timeout,
            max_retries=max_retries,
            client=client,
            on_retry=on_retry,
        )
        self._transport = AsyncTransport(settings, http_client)

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        headers: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Answer[Any]:
        """Call an operation by its path, such as `/me`, with the same retries. The answer also has status and headers.

        For operations and fields that this version does not know, and for headers such as `If-None-Match`.
        """
        return await self._transport.send(
            _raw(method, path),
            (),
            query=query,
            body=body,
            options=Options(idempotency_key, timeout, max_retries, headers),
        )

    async def aclose(self) -> None:
        """Close the connections."""
        await self._transport.aclose()

    async def __aenter__(self: _AsyncSelf) -> _AsyncSelf:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(base_url={self._transport.settings.hosts['public']!r})"


def _raw(method: str, path: str) -> Operation[Any]:
    if not path.startswith("/"):
        raise ValueError("path has to begin with a slash, such as /me.")
    return Operation(f"{method.upper()} {path}", method.upper(), path)
