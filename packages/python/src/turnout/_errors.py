"""What this library raises."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from typing import Any, cast

_SHOWN = 5


class TurnoutError(Exception):
    """Everything that this library raises, apart from `ValueError` and `TypeError` if a call is written wrongly."""


class ConnectionError(TurnoutError, builtins.ConnectionError):
    """No answer arrived: the address is wrong, the server is down, or the connection was cut. `__cause__` says more.

    It is also Python's own `ConnectionError`, so it does not matter which of the two an `except` names.
    """

    def __init__(self, message: str, operation: str) -> None:
        super().__init__(message)
        self.operation = operation

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (str(self), self.operation))


class TimeoutError(ConnectionError, builtins.TimeoutError):
    """The answer took longer than `timeout`. It is also Python's own `TimeoutError`."""


class NotModifiedError(TurnoutError):
    """304: nothing has changed since the answer whose `ETag` was sent as `If-None-Match`."""


class ApiError(TurnoutError):
    """The API refused the call.

    Each code that this version knows has a class of its own in `turnout.errors`, such as `DayFullError`. A code that was
    added later is a plain `ApiError`.
    """

    status: int
    """The HTTP status."""
    code: str
    """Decide by this. If the answer was not made by Turnout, it is `http_502` and the like."""
    message: str
    """What is wrong, for people."""
    details: list[dict[str, Any]]
    """Every fault of the request: `path`, `message` and often `rule`."""
    request_id: str | None
    """Name it when you ask for help."""
    operation: str
    """What was called, such as `registrations.create`."""
    retry_after: float | None
    """In how many seconds it may be tried again, if the answer said so."""
    error: dict[str, Any]
    """The whole `error` of the answer, with the fields that were added later."""

    def __init__(
        self,
        status: int,
        error: Mapping[str, Any] | None,
        *,
        operation: str,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        self.status = status
        self.error = dict(error or {})
        self.code = self._text("code") or f"http_{status}"
        self.message = self._text("message") or f"The answer has the status {status} and does not come from Turnout."
        self.details = _details(self.error.get("details"))
        self.request_id = request_id or self._text("request_id")
        self.operation = operation
        self.retry_after = retry_after
        super().__init__(self._sentence())

    def _text(self, field: str) -> str | None:
        value = self.error.get(field)
        return value if isinstance(value, str) else None

    def _sentence(self) -> str:
        # The faults and the request id belong to the message, because a log often shows nothing else.
        faults = [f"{fault.get('path')}: {fault.get('message')}" for fault in self.details[:_SHOWN]]
        if len(self.details) > _SHOWN:
            faults.append(f"and {len(self.details) - _SHOWN} more")
        listed = f" ({'; '.join(faults)})" if faults else ""
        request = f", request {self.request_id}" if self.request_id else ""
        return f"{self.message}{listed} [{self.operation}: {self.status} {self.code}{request}]"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (type(self), self.status, self.error, self.operation, self.request_id, self.retry_after))


def _details(value: object) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        return []
    return [cast("dict[str, Any]", one) for one in cast("list[object]", value) if isinstance(one, dict)]


def _restored(
    kind: type[ApiError],
    status: int,
    error: dict[str, Any],
    operation: str,
    request_id: str | None,
    retry_after: float | None,
) -> ApiError:
    """An error that another process has sent here, such as the worker of a task queue."""
    return kind(status, error, operation=operation, request_id=request_id, retry_after=retry_after)
