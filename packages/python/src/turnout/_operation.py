"""What a generated method knows about its operation, and what a caller may say about a call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, TypeVar, final

T = TypeVar("T")


@final
class Omit:
    """Says that a field is not sent. `None` is sent as null, which often means something else."""

    def __repr__(self) -> str:
        return "OMIT"

    def __bool__(self) -> Literal[False]:
        return False


OMIT: Final = Omit()


@dataclass(frozen=True)
class Operation(Generic[T]):
    """An operation of API v1. `T` is what it answers with or, for a list, what its pages consist of."""

    name: str
    method: str
    path: str
    reply: Literal["json", "bytes", "none"] = "json"
    host: Literal["api", "scanner", "public"] = "api"
    on_scanner: bool = False
    """Whether the scanner host has it as well."""
    keyless: bool = False


@dataclass(frozen=True)
class Options:
    """What a caller may say about a single call."""

    idempotency_key: str | None = None
    timeout: float | None = None
    max_retries: int | None = None
    headers: Mapping[str, str] | None = None


@dataclass(frozen=True)
class File:
    """A body that is not JSON."""

    content: bytes
    media_type: str


def given(fields: dict[str, Any], or_none: bool = False) -> dict[str, Any] | None:
    """The fields that the caller has given. `or_none`: without any, there is no body."""
    present = {name: value for name, value in fields.items() if not isinstance(value, Omit)}
    return None if or_none and not present else present
