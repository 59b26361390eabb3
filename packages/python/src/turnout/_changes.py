"""Changes since a bookmark.

A bookmark is a place in the order of changes, written as `<time of the change>/<id>`. All rows of a commit have the same time,
and the rows of a list are ordered by time and id. A program that stops within the rows of one commit therefore has to know the
id as well: the time alone would repeat the rows before it, because `updated_since` includes the rows of that very time.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from ._request import as_text

T = TypeVar("T")


@dataclass(frozen=True)
class Batch(Generic[T]):
    """A page of changes."""

    items: list[T]
    """What was created or changed, in the order of the changes."""
    removed: list[str]
    """The ids of what the list does not show any more: it was deleted, or it left the group that the key is limited to."""
    since: str
    """Store it together with the items, and begin with it the next time."""


class Bookmark:
    """How far the changes were handed out."""

    def __init__(self, since: str | datetime.datetime | None) -> None:
        text = as_text(since) if isinstance(since, datetime.datetime) else since
        self.at, _, self.id = (text or "").partition("/")

    def updated_since(self) -> str | None:
        return self.at or None

    def batch(self, rows: list[T]) -> Batch[T] | None:
        """What is new among the rows of a page; None if nothing is. Moves the bookmark behind them."""
        new = [row for row in rows if self._is_after(row)]
        if not new:
            return None
        self.at, self.id = _place(new[-1])
        items = [row for row in new if not _is_removed(row)]
        removed = [_place(row)[1] for row in new if _is_removed(row)]
        return Batch(items, removed, f"{self.at}/{self.id}")

    def _is_after(self, row: object) -> bool:
        # False for the rows at the bookmark's own time that were handed out before.
        at, id = _place(row)
        return at != self.at or id > self.id


def _is_removed(row: object) -> bool:
    return cast("dict[str, Any]", row).get("removed") is True


def _place(row: object) -> tuple[str, str]:
    fields = cast("dict[str, Any]", row)
    return str(fields["updated_at"]), str(fields["id"])
