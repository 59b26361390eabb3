from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from ._generated.types import PageInfo

T = TypeVar("T")

# How many objects a page has at most. Pages after the first are asked for in this size unless a `limit` was given.
LARGEST_PAGE = 200


class Page(Generic[T]):
    """One page of a list. A loop over it goes through all objects from this page on, and asks for further pages by itself."""

    data: list[T]
    """The objects of this page alone."""
    page: PageInfo
    """`next_cursor` and `has_more`."""

    def __init__(self, answer: dict[str, Any], ask: Callable[[str | None], Page[T]]) -> None:
        self.data = answer["data"]
        self.page = answer["page"]
        self._ask = ask

    def next_page(self) -> Page[T] | None:
        """The page after this one; None if this is the last one."""
        cursor = _next_cursor(self.page)
        return None if cursor is None else self._ask(cursor)

    def pages(self) -> Iterator[Page[T]]:
        """Page by page, from this one on."""
        page: Page[T] | None = self
        while page is not None:
            yield page
            page = page.next_page()

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.data

    def __repr__(self) -> str:
        return f"{type(self).__name__}(data={self.data!r}, page={self.page!r})"


class AsyncPage(Generic[T]):
    """One page of a list. `async for` goes through all objects from this page on, and asks for further pages by itself."""

    data: list[T]
    """The objects of this page alone."""
    page: PageInfo
    """`next_cursor` and `has_more`."""

    def __init__(self, answer: dict[str, Any], ask: Callable[[str | None], Awaitable[AsyncPage[T]]]) -> None:
        self.data = answer["data"]
        self.page = answer["page"]
        self._ask = ask

    async def next_page(self) -> AsyncPage[T] | None:
        """The page after this one; None if this is the last one."""
        cursor = _next_cursor(self.page)
        return None if cursor is None else await self._ask(cursor)

    async def pages(self) -> AsyncIterator[AsyncPage[T]]:
        """Page by page, from this one on."""
        page: AsyncPage[T] | None = self
        while page is not None:
            yield page
            page = await page.next_page()

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for one in page.data:
                yield one

    def __repr__(self) -> str:
        return f"{type(self).__name__}(data={self.data!r}, page={self.page!r})"


class AsyncPages(Generic[T]):
    """A list that is not asked for yet: `await` gives its first page, `async for` goes through all its objects."""

    def __init__(self, ask: Callable[[str | None], Awaitable[AsyncPage[T]]]) -> None:
        self._ask = ask

    def __await__(self) -> Generator[Any, Any, AsyncPage[T]]:
        return self._ask(None).__await__()

    async def pages(self) -> AsyncIterator[AsyncPage[T]]:
        """Page by page."""
        async for page in (await self).pages():
            yield page

    async def __aiter__(self) -> AsyncIterator[T]:
        async for one in await self:
            yield one


def _next_cursor(page: PageInfo) -> str | None:
    return page["next_cursor"] if page["has_more"] else None
