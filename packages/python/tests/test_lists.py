"""Pages, and changes since a bookmark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from conftest import person
from driver import Driver
from proxy import Proxy, cuts_after

from turnout import Batch, Turnout


def register(organizer: Turnout, event: str, *names: str) -> list[str]:
    """One registration, so that all its attendees have the same `updated_at`."""
    made = organizer.registrations.create(event, attendees=[person(name) for name in names])
    return sorted(one["id"] for one in made["attendees"])


def names_of(batches: list[Batch[Any]]) -> list[str]:
    return [item["first_name"] for batch in batches for item in batch.items]


def test_a_loop_goes_through_all_pages(
    driver: Driver, proxied: Any, proxy: Proxy, organizer: Turnout, event: str
) -> None:
    register(organizer, event, *"ABCDE")
    everybody = driver.all(lambda: proxied.attendees.list(event, limit=2))
    assert sorted(one["first_name"] for one in everybody) == list("ABCDE")
    assert [("limit=2" in one.path, "cursor=" in one.path) for one in proxy.seen] == [
        (True, False),
        (True, True),
        (True, True),
    ]


def test_a_page_is_asked_for_only_when_it_is_needed(
    driver: Driver, proxied: Any, proxy: Proxy, organizer: Turnout, event: str
) -> None:
    register(organizer, event, *"ABCDE")
    assert len(driver.first(2, lambda: proxied.attendees.list(event, limit=2))) == 2
    assert len(proxy.seen) == 1


def test_pages_one_by_one(driver: Driver, client: Any, organizer: Turnout, event: str) -> None:
    register(organizer, event, *"ABC")
    page = driver.run(lambda: client.attendees.list(event, limit=2))
    assert (len(page.data), page.page["has_more"]) == (2, True)
    following = driver.run(page.next_page)
    assert (len(following.data), following.page["has_more"]) == (1, False)
    assert driver.run(following.next_page) is None
    assert [len(one.data) for one in driver.all(page.pages)] == [2, 1]


def test_an_empty_list(driver: Driver, client: Any, event: str) -> None:
    assert driver.all(lambda: client.attendees.list(event)) == []
    assert driver.all(lambda: client.attendees.changes(event)) == []


def test_changes_since_a_bookmark(driver: Driver, client: Any, organizer: Turnout, event: str) -> None:
    ids = register(organizer, event, "Ada", "Bob")
    first = driver.all(lambda: client.attendees.changes(event))
    assert sorted(names_of(first)) == ["Ada", "Bob"]
    since = first[-1].since
    assert driver.all(lambda: client.attendees.changes(event, since=since)) == []
    organizer.attendees.update(event, ids[0], first_name="Changed")
    register(organizer, event, "New")
    assert names_of(driver.all(lambda: client.attendees.changes(event, since=since))) == ["Changed", "New"]


def test_a_program_that_dies_after_any_batch_loses_nothing_and_gets_nothing_twice(
    driver: Driver, client: Any, organizer: Turnout, event: str
) -> None:
    # Five at the same instant, so that a bookmark is within them.
    register(organizer, event, *"ABCDE")
    register(organizer, event, "F")
    since: str | None = None
    seen: list[str] = []
    for _ in range(10):
        batches = driver.first(1, lambda since=since: client.attendees.changes(event, since=since, limit=2))
        if not batches:
            break
        since = batches[0].since
        seen += names_of(batches)
    assert sorted(seen) == list("ABCDEF")


def test_a_time_is_a_bookmark_too_and_includes_its_own_instant(
    driver: Driver, client: Any, organizer: Turnout, event: str
) -> None:
    register(organizer, event, "Ada")
    register(organizer, event, "Bob")
    last = list(organizer.attendees.list(event))[-1]
    assert names_of(driver.all(lambda: client.attendees.changes(event, since=last["updated_at"]))) == ["Bob"]


def test_what_was_deleted_comes_as_an_id(driver: Driver, client: Any, organizer: Turnout, event: str) -> None:
    since = driver.all(lambda: client.days.changes(event))[-1].since
    day = organizer.days.create(event, name="Rain date", date="2027-07-01")
    organizer.days.delete(event, day["id"])
    [batch] = driver.all(lambda: client.days.changes(event, since=since))
    assert (batch.items, batch.removed) == ([], [day["id"]])
    assert driver.all(lambda: client.days.changes(event, since=batch.since)) == []


def test_changes_are_followed_until_the_loop_is_left(
    driver: Driver, client: Any, organizer: Turnout, event: str
) -> None:
    register(organizer, event, "Ada")
    names: list[str] = []

    def take(batch: Batch[Any]) -> bool:
        names.extend(item["first_name"] for item in batch.items)
        if len(names) < 3:
            # Made after the walk had caught up, and found by it all the same.
            register(organizer, event, f"Later {len(names)}")
        return len(names) == 3

    if driver.asynchronous:

        async def following() -> None:
            async for batch in client.attendees.changes(event, every=0.01):
                if take(batch):
                    break

        driver.run(following)
    else:
        for batch in client.attendees.changes(event, every=0.01):
            if take(batch):
                break
    assert names == ["Ada", "Later 1", "Later 2"]


def test_a_page_whose_answer_is_lost_is_asked_for_again(
    driver: Driver, proxied: Any, proxy: Proxy, organizer: Turnout, event: str
) -> None:
    register(organizer, event, *"ABC")
    proxy.plays(cuts_after)
    assert sorted(names_of(driver.all(lambda: proxied.attendees.changes(event, limit=2)))) == list("ABC")


@pytest.mark.parametrize(
    "walk",
    [
        lambda client, event: client.days.changes(event),
        lambda client, event: client.tickets.changes(event),
        lambda client, event: client.registrations.changes(event, status="confirmed"),
        lambda client, event: client.payments.changes_of_event(event),
        lambda client, event: client.events.changes(),
    ],
)
def test_every_list_of_changes_can_be_walked(
    driver: Driver, client: Any, organizer: Turnout, event: str, walk: Callable[[Any, str], Any]
) -> None:
    register(organizer, event, "Ada")
    batches = driver.all(lambda: walk(client, event))
    assert all(batch.items and "/" in batch.since for batch in batches)
