"""A call before it is sent and after it was answered. Both clients share this; they differ in how they wait."""

from __future__ import annotations

import datetime
import json
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Generic, TypeVar, cast
from urllib.parse import quote, urlencode

import httpx

from ._errors import ApiError, ConnectionError, NotModifiedError, TimeoutError, TurnoutError
from ._generated.errors import ERRORS
from ._operation import File, Operation, Options
from ._retries import delay_of, is_unsure
from ._settings import USER_AGENT, Retry, Settings

T = TypeVar("T")
_KEY = re.compile(r"[\x21-\x7e]{1,255}")


@dataclass(frozen=True)
class Answer(Generic[T]):
    """An answer with what came beside its data."""

    data: T
    status: int
    headers: httpx.Headers
    request_id: str | None


@dataclass
class Call(Generic[T]):
    """One call and all its tries. A transport sends `url`, `headers` and `content` until `settle` gives an answer."""

    operation: Operation[T]
    settings: Settings
    url: str
    # httpx does not show the key when it prints these.
    headers: httpx.Headers
    content: bytes | None
    limit: float
    max_retries: int
    retries: int = 0
    unsure: bool = False

    @property
    def timeout(self) -> float | None:
        return None if self.limit == float("inf") else self.limit

    def received(self, response: httpx.Response, content: bytes) -> Answer[T] | TurnoutError:
        status, headers = response.status_code, response.headers
        if 200 <= status < 300:
            data = _data(self.operation, content)
            return (
                data if isinstance(data, TurnoutError) else Answer(data, status, headers, headers.get("x-request-id"))
            )
        if status == 304:
            return NotModifiedError(f"{self.operation.name}: nothing has changed.")
        error = _error_in(content)
        kind = ERRORS.get(str(error.get("code")), ApiError) if error else ApiError
        return kind(
            status,
            error,
            operation=self.operation.name,
            request_id=headers.get("x-request-id"),
            retry_after=_retry_after(headers.get("retry-after")),
        )

    def late(self) -> TimeoutError:
        return TimeoutError(f"{self.operation.name} was not answered within {self.limit:g} s.", self.operation.name)

    def failed(self, error: httpx.HTTPError) -> ConnectionError:
        if isinstance(error, httpx.TimeoutException):
            return self.late()
        return ConnectionError(
            f"{self.operation.name} was not answered: {error or type(error).__name__}", self.operation.name
        )

    def settle(self, outcome: Answer[T] | TurnoutError) -> Answer[T] | float:
        """The answer, or how long to wait before the next try. Raises what trying again does not help against."""
        if isinstance(outcome, Answer):
            return outcome
        if (
            self.unsure
            and self.operation.method == "DELETE"
            and isinstance(outcome, ApiError)
            and outcome.status == 404
        ):
            # An earlier try has deleted it, and only its answer was lost.
            return Answer(cast("T", None), 204, httpx.Headers(), outcome.request_id)
        self.unsure = self.unsure or is_unsure(outcome)
        delay = delay_of(outcome, self.retries)
        if delay is None or self.retries >= self.max_retries:
            raise outcome
        self.retries += 1
        if self.settings.on_retry is not None:
            self.settings.on_retry(Retry(self.operation.name, self.retries, delay, outcome))
        return delay


def prepare(
    settings: Settings,
    operation: Operation[T],
    path: Sequence[str],
    query: Mapping[str, object] | None,
    body: object,
    options: Options,
) -> Call[T]:
    if settings.key is None and not operation.keyless:
        raise TurnoutError(f"{operation.name} needs a key: Turnout(base_url=…, key=…).")
    headers = httpx.Headers(dict(options.headers or {}))
    headers["Accept"] = "*/*" if operation.reply == "bytes" else "application/json"
    headers["User-Agent"] = USER_AGENT
    if settings.key is not None and operation.host != "public":
        headers["Authorization"] = f"Bearer {settings.key}"
    if settings.client is not None:
        headers["X-Service-Client"] = settings.client
    if operation.method == "POST":
        # The same for all tries, so that the work is done once.
        headers["Idempotency-Key"] = _idempotency_key(options.idempotency_key)
    content: bytes | None = None
    if isinstance(body, File):
        content, headers["Content-Type"] = body.content, body.media_type
    elif body is not None:
        content, headers["Content-Type"] = _json(body), "application/json"
    return Call(
        operation=operation,
        settings=settings,
        url=settings.address(operation) + _filled(operation.path, path) + _search(query or {}),
        headers=headers,
        content=content,
        limit=settings.timeout if options.timeout is None else options.timeout,
        max_retries=settings.max_retries if options.max_retries is None else options.max_retries,
    )


def _idempotency_key(value: str | None) -> str:
    if value is None:
        return str(uuid.uuid4())
    if not _KEY.fullmatch(value):
        raise ValueError("idempotency_key has to be 1 to 255 printable ASCII characters without spaces.")
    return value


def _filled(path: str, values: Sequence[str]) -> str:
    rest = iter(values)
    return re.sub(r"\{\w+\}", lambda _: _segment(next(rest)), path)


def _segment(value: str) -> str:
    # An empty id or one of dots would make it the address of something else.
    if value in ("", ".", ".."):
        raise ValueError("An id or code in the address is missing.")
    return quote(value, safe="")


def _search(query: Mapping[str, object]) -> str:
    pairs: list[tuple[str, str]] = []
    for name, value in query.items():
        values = cast("list[object]", value) if isinstance(value, (list, tuple)) else [value]
        pairs.extend((name, _word(one)) for one in values if one is not None)
    return f"?{urlencode(pairs)}" if pairs else ""


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return _json(cast("object", value)).decode()
    return _plain(value) if isinstance(value, (datetime.date, uuid.UUID)) else str(value)


def _json(body: object) -> bytes:
    return json.dumps(body, default=_plain, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def _plain(value: object) -> str:
    """Times and ids as the API writes them."""
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            raise ValueError(
                "A datetime without a time zone could mean any instant. Give it one, such as timezone.utc."
            )
        return value.astimezone(datetime.timezone.utc).replace(tzinfo=None).isoformat() + "Z"
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON.")


as_text = _plain


def _data(operation: Operation[T], content: bytes) -> T | TurnoutError:
    if operation.reply == "bytes":
        return cast("T", content)
    if operation.reply == "none" or not content:
        return cast("T", None)
    try:
        return cast("T", json.loads(content))
    except ValueError:
        return TurnoutError(f"{operation.name} was answered with something that is not JSON. Is base_url right?")


def _error_in(content: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(content)
    except ValueError:
        return None
    error: object = cast("dict[str, object]", value).get("error") if isinstance(value, dict) else None
    return cast("dict[str, Any]", error) if isinstance(error, dict) and "code" in error else None


def _retry_after(text: str | None) -> float | None:
    """In seconds. The header has a number of seconds or a date."""
    if text is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    try:
        date = parsedate_to_datetime(text)
        return max(0.0, (date - datetime.datetime.now(datetime.timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None
