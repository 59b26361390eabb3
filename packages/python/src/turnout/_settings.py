from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from ._errors import TurnoutError
from ._operation import Operation
from ._version import VERSION

USER_AGENT = f"turnout-python/{VERSION}"
_PRINTABLE = re.compile(r"[\x21-\x7e]+")


@dataclass(frozen=True)
class Retry:
    """A call is about to be tried again."""

    operation: str
    retry: int
    """1 for the first retry."""
    delay: float
    """In seconds."""
    error: TurnoutError
    """Why the try before failed."""


@dataclass(frozen=True)
class Settings:
    hosts: dict[str, str]
    # Left out of what a debugger or a log prints.
    key: str | None = field(repr=False)
    prefers_scanner: bool
    client: str | None
    timeout: float
    max_retries: int
    on_retry: Callable[[Retry], object] | None

    def address(self, operation: Operation[Any]) -> str:
        host = "scanner" if operation.on_scanner and self.prefers_scanner else operation.host
        return self.hosts[host]


def settings_of(
    *,
    base_url: str,
    key: str | None,
    scanner_url: str | None,
    timeout: float,
    max_retries: int,
    client: str | None,
    on_retry: Callable[[Retry], object] | None,
) -> Settings:
    if key is not None:
        # Without this, the HTTP library would complain about the header and show the key.
        _check("key", key)
    if client is not None:
        _check("client", client)
    base = _address("base_url", base_url).removesuffix("/v1")
    scanner = base if scanner_url is None else _address("scanner_url", scanner_url).removesuffix("/api/v1")
    return Settings(
        hosts={"api": f"{base}/v1", "scanner": f"{scanner}/api/v1", "public": base},
        key=key,
        # The token of a paired scanner is known only there.
        prefers_scanner=scanner_url is not None or (key or "").startswith("svc_device_"),
        client=client,
        timeout=timeout,
        max_retries=max_retries,
        on_retry=on_retry,
    )


def _check(name: str, value: str) -> None:
    if not _PRINTABLE.fullmatch(value):
        raise ValueError(f"{name} is empty or has characters that it cannot have, such as a line break at its end.")


def _address(name: str, text: str) -> str:
    url = urlsplit(text)
    plain = url.scheme in ("http", "https") and url.hostname and not url.query and not url.fragment
    if not plain or "@" in url.netloc:
        raise ValueError(
            f"{name} has to be an http or https address such as https://tickets.example.org, without a query."
        )
    return text.rstrip("/")
