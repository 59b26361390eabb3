"""The world of the tests. `test/python.test.ts` starts a real Turnout and says in the environment where it is."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from driver import Driver
from proxy import Proxy

from turnout import Retry, Turnout

URL = os.environ["TURNOUT_URL"]
KEY = os.environ["TURNOUT_KEY"]
_serial = itertools.count(1)


@pytest.fixture(params=["sync", "async"])
def driver(request: pytest.FixtureRequest) -> Iterator[Driver]:
    driver = Driver(request.param == "async")
    yield driver
    driver.close()


@pytest.fixture
def client(driver: Driver) -> Any:
    """A client, of the kind that is being tested, that talks to the server."""
    return driver.client(base_url=URL, key=KEY)


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    proxy = Proxy(URL)
    yield proxy
    proxy.close()


@pytest.fixture
def retries() -> list[Retry]:
    """What the client of `proxied` has tried again."""
    return []


@pytest.fixture
def proxied(driver: Driver, proxy: Proxy, retries: list[Retry], monkeypatch: pytest.MonkeyPatch) -> Any:
    """A client that talks to the server through the proxy, and does not wait long before it tries again."""
    monkeypatch.setattr("turnout._retries._FIRST", 0.01)
    return driver.client(base_url=proxy.url, key=KEY, on_retry=retries.append)


@pytest.fixture(scope="session")
def organizer() -> Iterator[Turnout]:
    """Makes what a test needs."""
    with Turnout(base_url=URL, key=KEY) as client:
        yield client


@pytest.fixture
def event(organizer: Turnout) -> str:
    """The code of a new event that is open for registration, with a day and a type."""
    return make_event(organizer)


@pytest.fixture
def make(organizer: Turnout) -> Callable[..., str]:
    def made(**fields: Any) -> str:
        return make_event(organizer, **fields)

    return made


def make_event(organizer: Turnout, *, day_capacity: int | None = None) -> str:
    code = f"fair-{os.getpid()}-{next(_serial)}"
    organizer.events.create(
        code=code, name="Lakeside Fair", starts_at="2031-06-05T08:00:00Z", ends_at="2031-06-06T20:00:00Z"
    )
    organizer.days.create(code, code="day1", name="First day", date="2031-06-06", capacity=day_capacity)
    organizer.attendee_types.create(code, code="adult", name="Adult")
    organizer.events.publish(code)
    return code


def person(name: str = "Ada", **fields: Any) -> Any:
    return {"attendee_type": "adult", "first_name": name, "last_name": "Lovelace", "days": ["day1"], **fields}
