"""What the generated classes of resources have in common."""

from __future__ import annotations

import datetime
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

import anyio

from ._async_transport import AsyncTransport
from ._changes import Batch, Bookmark
from ._operation import Operation, Options
from ._pages import LARGEST_PAGE, AsyncPage, AsyncPages, Page
from ._transport import Transport

T = TypeVar("T")
Query = Mapping[str, object]


class Resource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _call(
        self,
        operation: Operation[T],
        path: Sequence[str],
        *,
        query: Query | None = None,
        body: object = None,
        file: object = None,
        options: Options,
    ) -> T:
        sent = body if file is None else file
        return self._transport.send(operation, path, query=query, body=sent, options=options).data

    def _page(self, operation: Operation[T], path: Sequence[str], *, query: Query, options: Options) -> Page[T]:
        def ask(cursor: str | None) -> Page[T]:
            answer = self._transport.send(operation, path, query=_at(query, cursor), options=options)
            return Page(cast("dict[str, Any]", answer.data), ask)

        return ask(None)

    def _changes(
        self,
        operation: Operation[T],
        path: Sequence[str],
        *,
        query: Query,
        since: str | datetime.datetime | None,
        every: float | None,
        options: Options,
    ) -> Iterator[Batch[T]]:
        bookmark = Bookmark(since)
        while True:
            for page in self._page(operation, path, query=_changed(query, bookmark), options=options).pages():
                batch = bookmark.batch(page.data)
                if batch is not None:
                    yield batch
            if every is None:
                return
            time.sleep(every)


class AsyncResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def _call(
        self,
        operation: Operation[T],
        path: Sequence[str],
        *,
        query: Query | None = None,
        body: object = None,
        file: object = None,
        options: Options,
    ) -> T:
        sent = body if file is None else file
        return (await self._transport.send(operation, path, query=query, body=sent, options=options)).data

    def _page(self, operation: Operation[T], path: Sequence[str], *, query: Query, options: Options) -> AsyncPages[T]:
        async def ask(cursor: str | None) -> AsyncPage[T]:
            answer = await self._transport.send(operation, path, query=_at(query, cursor), options=options)
            return AsyncPage(cast("dict[str, Any]", answer.data), ask)

        return AsyncPages(ask)

    async def _changes(
        self,
        operation: Operation[T],
        path: Sequence[str],
        *,
        query: Query,
        since: str | datetime.datetime | None,
        every: float | None,
        options: Options,
    ) -> AsyncIterator[Batch[T]]:
        bookmark = Bookmark(since)
        while True:
            async for page in self._page(operation, path, query=_changed(query, bookmark), options=options).pages():
                batch = bookmark.batch(page.data)
                if batch is not None:
                    yield batch
            if every is None:
                return
            await anyio.sleep(every)


def _at(query: Query, cursor: str | None) -> Query:
    if cursor is None:
        return query
    limit = query.get("limit")
    return {**query, "limit": LARGEST_PAGE if limit is None else limit, "cursor": cursor}


def _changed(query: Query, bookmark: Bookmark) -> Query:
    limit = query.get("limit")
    return {
        **query,
        "limit": LARGEST_PAGE if limit is None else limit,
        "updated_since": bookmark.updated_since(),
        "include": "removed",
    }
