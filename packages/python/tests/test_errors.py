"""Refusals as classes."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from conftest import URL, person
from driver import Driver
from proxy import Proxy, refuses, says

import turnout
from turnout import ApiError, Turnout, TurnoutError, errors


def test_a_refusal_says_what_and_where(driver: Driver, proxied: Any, proxy: Proxy) -> None:
    with pytest.raises(errors.NotFoundError) as caught:
        driver.run(lambda: proxied.events.get("nowhere"))
    error = caught.value
    assert (error.status, error.code, error.operation) == (404, "not_found", "events.get")
    assert error.request_id is not None
    assert error.request_id in str(error)
    assert error.message in str(error)
    assert isinstance(error, ApiError)
    assert isinstance(error, TurnoutError)


def test_every_fault_of_a_request_is_named(driver: Driver, client: Any, event: str) -> None:
    with pytest.raises(errors.ValidationFailedError) as caught:
        driver.run(lambda: client.registrations.create(event, attendees=[{"first_name": "Ada", "email": "no"}]))
    paths = [fault["path"] for fault in caught.value.details]
    assert "attendees/0/email" in paths
    assert len(paths) >= 3
    assert paths[0] in str(caught.value)


def test_a_full_day(driver: Driver, client: Any, make: Callable[..., str]) -> None:
    event = make(day_capacity=1)
    registration = driver.run(lambda: client.registrations.create(event, attendees=[person()]))
    with pytest.raises(errors.DayFullError) as caught:
        driver.run(lambda: client.registrations.add_attendee(event, registration["id"], **person("Bob")))
    assert caught.value.status == 409


def test_a_plan_that_does_not_include_it(driver: Driver) -> None:
    client = driver.client(base_url=URL, key=os.environ["TURNOUT_SMALL_KEY"])
    with pytest.raises(errors.EntitlementRequiredError) as caught:
        driver.run(lambda: client.groups.create(name="Rowing"))
    assert (caught.value.key, caught.value.upgrade_plan) == ("api_write", "scale")


def test_the_limit_of_the_server(driver: Driver) -> None:
    client = driver.client(base_url=URL, key=os.environ["TURNOUT_SLOW_KEY"], max_retries=0)
    with pytest.raises(errors.RateLimitedError) as caught:
        for _ in range(3):
            driver.run(lambda: client.me.get())
    assert caught.value.retry_after is not None
    assert 0 < caught.value.retry_after <= 60


def test_a_code_of_tomorrow_is_a_refusal(driver: Driver, proxied: Any, proxy: Proxy) -> None:
    proxy.plays(refuses(403, "brand_new", details=[{"path": "x", "message": "is odd"}], hint="see the manual"))
    with pytest.raises(ApiError) as caught:
        driver.run(lambda: proxied.me.get())
    error = caught.value
    assert type(error) is ApiError
    assert (error.code, error.status, error.error["hint"]) == ("brand_new", 403, "see the manual")
    assert "x: is odd" in str(error)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"[]",
        b"null",
        b"\xff",
        b"{}",
        b'{"error": 1}',
        b'{"error": {"code": 5, "details": 7, "message": null}}',
    ],
)
def test_an_answer_that_is_not_turnouts_is_a_refusal_too(
    driver: Driver, proxied: Any, proxy: Proxy, body: bytes
) -> None:
    proxy.plays(says(418, body, {"X-Request-Id": "of-the-proxy"}))
    with pytest.raises(ApiError) as caught:
        driver.run(lambda: proxied.me.get())
    assert (caught.value.status, caught.value.code, caught.value.details) == (418, "http_418", [])
    assert caught.value.request_id == "of-the-proxy"


def test_a_page_in_place_of_an_answer(driver: Driver, proxied: Any, proxy: Proxy) -> None:
    proxy.plays(says(200, b"<html>Welcome</html>"))
    with pytest.raises(TurnoutError, match="not JSON"):
        driver.run(lambda: proxied.me.get())


@pytest.mark.parametrize("text", ["Wed, 21 Oct 2015 07:28:00 GMT", "soon", "-1", "9" * 400])
def test_any_retry_after_can_be_read(driver: Driver, proxied: Any, proxy: Proxy, text: str) -> None:
    proxy.plays(refuses(503, "unavailable", {"Retry-After": text}))
    driver.run(lambda: proxied.me.get())
    assert len(proxy.seen) == 2


def test_errors_survive_a_task_queue(organizer: Turnout) -> None:
    with pytest.raises(errors.NotFoundError) as caught:
        organizer.events.get("nowhere")
    for error in (caught.value, turnout.TimeoutError("late", "me.get"), turnout.webhooks.SignatureError("too_old")):
        copy = pickle.loads(pickle.dumps(error))
        assert (type(copy), str(copy), copy.__dict__) == (type(error), str(error), error.__dict__)


def test_every_refusal_has_a_class_that_can_be_imported() -> None:
    for code, kind in errors.ERRORS.items():
        assert getattr(errors, kind.__name__) is kind
        assert issubclass(kind, ApiError)
        assert kind(400, {"code": code}, operation="x").code == code
    assert len(errors.ERRORS) > 40
