"""What type checkers must see. Each ignored line is a mistake that they have to find: an ignore without a mistake is one, too."""

from __future__ import annotations

import datetime
from collections.abc import AsyncIterator, Iterator

from typing_extensions import assert_type

from turnout import AsyncPage, AsyncPages, AsyncTurnout, Batch, Page, Turnout, errors, types, webhooks


def waits(client: Turnout) -> None:
    assert_type(client.events.list(), Page[types.Event])
    for event in client.events.list(status="published", updated_since=datetime.datetime.now(datetime.timezone.utc)):
        assert_type(event, types.Event)
        assert_type(event["code"], str)
        event["cod"]  # type: ignore[typeddict-item]
    made = client.registrations.create(
        "fair", attendees=[{"attendee_type": "adult", "first_name": "A", "last_name": "B"}]
    )
    assert_type(made, types.Registration)
    assert_type(client.attendees.changes("fair", since=None), Iterator[Batch[types.Attendee]])
    assert_type(client.tickets.pdf("T1"), bytes)
    client.days.delete("fair", "fri")
    client.registrations.create("fair")  # type: ignore[call-arg]
    client.registrations.create("fair", attendees=[{"first_name": "A"}])  # type: ignore[typeddict-item]
    client.registrations.create("fair", attendees=[], sendemails=True)  # type: ignore[call-arg]
    client.events.list(status="publishd")  # type: ignore[arg-type]
    client.events.get()  # type: ignore[call-arg]
    client.events.update("fair", name=None)  # type: ignore[arg-type]
    client.attendees.update("fair", "A1", phone=None)
    client.attendees.get("fair", "A1", idempotency_key="x")  # type: ignore[call-arg]


async def awaits(client: AsyncTurnout) -> None:
    assert_type(client.events.list(), AsyncPages[types.Event])
    assert_type(await client.events.list(), AsyncPage[types.Event])
    async for event in client.events.list():
        assert_type(event, types.Event)
    assert_type(await client.me.get(), types.Profile)
    assert_type(client.attendees.changes("fair"), AsyncIterator[Batch[types.Attendee]])
    assert_type(await client.jobs.wait("J1"), types.Job)


def receives(body: bytes, header: str | None, secret: str) -> str:
    envelope = webhooks.verify(body, header, secret)
    if envelope["type"] == "checkin.recorded":
        assert_type(envelope["data"], types.CheckIn)
        return envelope["data"]["result"]
    if envelope["type"] == "ticket.reissued":
        return envelope["data"]["replaces"]
    return envelope["id"]


def refused(error: errors.EntitlementRequiredError) -> str | None:
    assert_type(error.code, str)
    return error.upgrade_plan
