"""A call is tried again until it is answered, and its work is done once."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import person
from driver import Driver
from proxy import Behaviour, Proxy, cuts_after, cuts_before, cuts_within, is_silent, refuses, says

import turnout
from turnout import ApiError, Retry, Turnout
from turnout.errors import InternalError, NotFoundError, QuotaExceededError, RateLimitedError, UnavailableError


def registered(organizer: Turnout, event: str) -> int:
    return len(list(organizer.registrations.list(event)))


@pytest.mark.parametrize("cut", [cuts_before, cuts_after, cuts_within])
def test_a_cut_connection_registers_once(
    driver: Driver, proxied: Any, proxy: Proxy, organizer: Turnout, event: str, cut: Behaviour
) -> None:
    proxy.plays(cut, cut)
    made = driver.run(lambda: proxied.registrations.create(event, attendees=[person()]))
    assert made["status"] == "confirmed"
    assert registered(organizer, event) == 1
    keys = [one.headers["idempotency-key"] for one in proxy.seen]
    assert (len(keys), len(set(keys))) == (3, 1)
    assert len({one.body for one in proxy.seen}) == 1


def test_an_answer_that_never_comes_registers_once(
    driver: Driver, proxied: Any, proxy: Proxy, organizer: Turnout, event: str
) -> None:
    proxy.plays(is_silent)
    driver.run(lambda: proxied.registrations.create(event, attendees=[person()], timeout=1))
    assert (registered(organizer, event), len(proxy.seen)) == (1, 2)


def test_each_call_has_a_key_of_its_own(
    driver: Driver, proxied: Any, proxy: Proxy, organizer: Turnout, event: str
) -> None:
    for _ in range(2):
        driver.run(lambda: proxied.registrations.create(event, attendees=[person()]))
    assert len({one.headers["idempotency-key"] for one in proxy.seen}) == 2
    assert registered(organizer, event) == 2


def test_a_key_of_your_own_registers_once_however_often_it_is_called(
    driver: Driver, client: Any, organizer: Turnout, event: str
) -> None:
    ids = {
        driver.run(lambda: client.registrations.create(event, attendees=[person()], idempotency_key=f"order-{event}"))[
            "id"
        ]
        for _ in range(2)
    }
    assert (len(ids), registered(organizer, event)) == (1, 1)


@pytest.mark.parametrize("wrong", ["", "two words", "line\nbreak", "é", "x" * 256])
def test_a_key_that_cannot_be_sent_is_refused_before_anything_is_sent(
    driver: Driver, proxied: Any, proxy: Proxy, event: str, wrong: str
) -> None:
    with pytest.raises(ValueError, match="idempotency_key"):
        driver.run(lambda: proxied.registrations.create(event, attendees=[person()], idempotency_key=wrong))
    assert proxy.seen == []


@pytest.mark.parametrize(
    "failure",
    [
        refuses(500, "internal_error"),
        says(502, b"<html>Bad gateway</html>", {"content-type": "text/html"}),
        refuses(503, "unavailable", {"Retry-After": "0"}),
        refuses(504, "brand_new"),
        refuses(408, "request_timeout"),
        refuses(429, "rate_limited", {"Retry-After": "0"}),
        refuses(409, "idempotency_in_progress", {"Retry-After": "0"}),
    ],
)
def test_failures_that_may_pass(
    driver: Driver, proxied: Any, proxy: Proxy, organizer: Turnout, event: str, failure: Behaviour
) -> None:
    proxy.plays(failure)
    driver.run(lambda: proxied.registrations.create(event, attendees=[person()]))
    assert (registered(organizer, event), len(proxy.seen)) == (1, 2)


@pytest.mark.parametrize(
    "refusal",
    [
        refuses(429, "quota_exceeded"),
        refuses(429, "rate_limited", {"Retry-After": "3600"}),
        refuses(409, "day_full"),
        refuses(422, "brand_new"),
        refuses(400, "validation_failed"),
    ],
)
def test_refusals_that_do_not_pass_are_raised_at_once(
    driver: Driver, proxied: Any, proxy: Proxy, refusal: Behaviour
) -> None:
    proxy.plays(refusal)
    with pytest.raises(ApiError):
        driver.run(lambda: proxied.me.get())
    assert len(proxy.seen) == 1


def test_retry_after_is_waited_for(driver: Driver, proxied: Any, proxy: Proxy, retries: list[Retry]) -> None:
    proxy.plays(refuses(429, "rate_limited", {"Retry-After": "1"}))
    driver.run(lambda: proxied.me.get())
    (retry,) = retries
    assert (retry.operation, retry.retry, type(retry.error)) == ("me.get", 1, RateLimitedError)
    assert 1 <= retry.delay <= 2


def test_waits_grow_and_have_an_end(driver: Driver, proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnout._retries._FIRST", 0.02)
    monkeypatch.setattr("turnout._retries._LONGEST", 0.1)
    retries: list[Retry] = []
    client = driver.client(base_url=proxy.url, key="svc_live_x", max_retries=5, on_retry=retries.append)
    proxy.plays(*[refuses(503, "unavailable")] * 6)
    with pytest.raises(UnavailableError) as caught:
        driver.run(lambda: client.me.get())
    assert caught.value.status == 503
    assert len(proxy.seen) == 6
    longest = [0.02, 0.04, 0.08, 0.1, 0.1]
    assert all(most / 2 <= retry.delay <= most for retry, most in zip(retries, longest, strict=True))


def test_a_call_can_have_its_own_number_of_retries(driver: Driver, proxied: Any, proxy: Proxy) -> None:
    proxy.plays(refuses(500, "internal_error"), refuses(500, "internal_error"))
    with pytest.raises(InternalError):
        driver.run(lambda: proxied.me.get(max_retries=0))
    with pytest.raises(InternalError):
        driver.run(lambda: proxied.events.list(max_retries=0))
    assert len(proxy.seen) == 2


def test_a_server_that_is_down_is_a_connection_error(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnout._retries._FIRST", 0.01)
    retries: list[Retry] = []
    client = driver.client(base_url="http://127.0.0.1:9", key="svc_live_x", on_retry=retries.append)
    with pytest.raises(turnout.ConnectionError, match=r"me\.get was not answered") as caught:
        driver.run(lambda: client.me.get())
    assert isinstance(caught.value, ConnectionError)
    assert caught.value.__cause__ is not None
    assert len(retries) == 4


def test_what_an_earlier_try_has_deleted_is_deleted(
    driver: Driver, proxied: Any, proxy: Proxy, organizer: Turnout, event: str
) -> None:
    organizer.attendee_types.create(event, code="child", name="Child")
    proxy.plays(cuts_after)
    assert driver.run(lambda: proxied.attendee_types.delete(event, "child")) is None
    assert [one["code"] for one in organizer.attendee_types.list(event)] == ["adult"]
    # What was not there from the beginning is not found, also if the answer had to be asked for twice.
    proxy.plays(refuses(429, "rate_limited", {"Retry-After": "0"}))
    with pytest.raises(NotFoundError):
        driver.run(lambda: proxied.attendee_types.delete(event, "child"))


def test_a_change_is_repeated(driver: Driver, proxied: Any, proxy: Proxy, organizer: Turnout, event: str) -> None:
    proxy.plays(cuts_after)
    assert driver.run(lambda: proxied.events.update(event, name="Renamed"))["name"] == "Renamed"
    assert organizer.events.get(event)["name"] == "Renamed"


def test_the_quota_of_a_month_has_its_class(driver: Driver, proxied: Any, proxy: Proxy) -> None:
    proxy.plays(refuses(429, "quota_exceeded"))
    with pytest.raises(QuotaExceededError):
        driver.run(lambda: proxied.me.get())
