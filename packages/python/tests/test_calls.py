"""What calls send, and what they give back."""

from __future__ import annotations

import base64
import datetime
import io
import json
import os
import uuid
from pathlib import Path
from typing import Any

import httpx
import pytest
from conftest import KEY, URL, person
from driver import Driver
from proxy import Proxy, adds, says

import turnout
from turnout import AsyncTurnout, Turnout
from turnout.errors import ApiKeyRequiredError, NotFoundError, NotModifiedError, TurnoutError

DOCUMENT = Path(__file__).parents[3] / "docs" / "reference" / "openapi.json"
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)


def test_a_person_is_registered_scanned_and_found(driver: Driver, client: Any, event: str) -> None:
    driver.run(lambda: client.check_in_points.create(event, code="gate", name="Gate", kind="entry"))
    registration = driver.run(lambda: client.registrations.create(event, attendees=[person(email="ada@example.org")]))
    assert registration["status"] == "confirmed"
    code = registration["attendees"][0]["tickets"][0]["code"]
    scan = driver.run(
        lambda: client.scanning.scan(
            event,
            code=code,
            check_in_point="gate",
            client_uuid=uuid.uuid4(),
            scanned_at=datetime.datetime(2031, 6, 6, 10, tzinfo=datetime.timezone(datetime.timedelta(hours=2))),
        )
    )
    assert scan["result"] == "accepted"
    # The hour of a clock two hours ahead, in UTC.
    rows = driver.all(lambda: client.check_ins.list(event))
    assert [row["scanned_at"][:19] for row in rows] == ["2031-06-06T08:00:00"]
    found = driver.all(lambda: client.registrations.list(event, email="ada@example.org"))
    assert [one["id"] for one in found] == [registration["id"]]


def test_what_is_left_out_stays_and_none_clears(driver: Driver, client: Any, event: str) -> None:
    made = driver.run(
        lambda: client.registrations.create(event, attendees=[person(phone="+49 30 1", external_id="x-1")])
    )
    attendee = made["attendees"][0]["id"]
    changed = driver.run(lambda: client.attendees.update(event, attendee, phone=None))
    assert (changed["phone"], changed["external_id"]) == (None, "x-1")


def test_unknown_fields_and_words_are_kept(driver: Driver, proxied: Any, proxy: Proxy, event: str) -> None:
    proxy.plays(adds(brand_new={"deep": 1}, status="brand_new_word"))
    found = driver.run(lambda: proxied.events.get(event))
    assert (found["brand_new"], found["status"], found["code"]) == ({"deep": 1}, "brand_new_word", event)


def test_query_values(driver: Driver, proxied: Any, proxy: Proxy, event: str) -> None:
    since = datetime.datetime(2031, 1, 2, 3, 4, 5, 678901, tzinfo=datetime.timezone.utc)
    proxy.plays(says(200, {"data": [], "page": {"next_cursor": None, "has_more": False}}))
    driver.run(
        lambda: proxied.attendees.list(
            event, updated_since=since, checked_in=False, answers=["diet:vegan", "photo:true"], day=None
        )
    )
    _, _, query = proxy.seen[0].path.partition("?")
    assert query == (
        "updated_since=2031-01-02T03%3A04%3A05.678901Z&checked_in=false&answers=diet%3Avegan&answers=photo%3Atrue"
    )


def test_a_datetime_without_a_zone_is_refused_before_anything_is_sent(
    driver: Driver, proxied: Any, proxy: Proxy
) -> None:
    with pytest.raises(ValueError, match="time zone"):
        driver.all(lambda: proxied.events.list(updated_since=datetime.datetime(2031, 1, 1)))
    assert proxy.seen == []


@pytest.mark.parametrize("hole", ["", ".", ".."])
def test_an_id_that_would_lead_elsewhere_is_refused(driver: Driver, proxied: Any, proxy: Proxy, hole: str) -> None:
    with pytest.raises(ValueError, match="missing"):
        driver.run(lambda: proxied.events.delete(hole))
    assert proxy.seen == []


def test_an_id_stays_one_part_of_the_address(driver: Driver, proxied: Any, proxy: Proxy) -> None:
    with pytest.raises(NotFoundError):
        driver.run(lambda: proxied.events.get("a/b?c#d é"))
    assert proxy.seen[0].path == "/v1/events/a%2Fb%3Fc%23d%20%C3%A9"


def test_a_body_that_may_be_empty_is_left_out(driver: Driver, proxied: Any, proxy: Proxy, event: str) -> None:
    made = driver.run(lambda: proxied.registrations.create(event, attendees=[person()]))
    driver.run(lambda: proxied.registrations.cancel(event, made["id"]))
    assert (proxy.seen[1].body, "content-type" in proxy.seen[1].headers) == (b"", False)


def test_files(driver: Driver, client: Any, event: str, tmp_path: Path) -> None:
    pdf = driver.run(lambda: client.registrations.create(event, attendees=[person()]))["attendees"][0]["tickets"][0][
        "id"
    ]
    assert driver.run(lambda: client.tickets.pdf(pdf)).startswith(b"%PDF")
    for picture in (PICTURE, io.BytesIO(PICTURE)):
        assert driver.run(lambda picture=picture: client.events.set_image(event, picture))["code"] == event
    path = tmp_path / "people.csv"
    text = "Vorname,Nachname,Type\nGrace,Hopper,adult\n"
    path.write_text(text)
    for file in (text, text.encode(), path, io.StringIO(text), io.BytesIO(text.encode())):
        job = driver.run(
            lambda file=file: client.imports.create(
                event, file, preview=True, mapping={"Vorname": "first_name", "Nachname": "last_name"}
            )
        )
        assert (job["status"], job["preview"], job["counts"]["created"]) == ("succeeded", True, 1)


@pytest.mark.parametrize(
    ("file", "media_type"),
    [(PICTURE, "image/png"), (b"\xff\xd8\xff\xe0", "image/jpeg"), (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp")],
)
def test_a_picture_says_what_it_is(driver: Driver, proxied: Any, proxy: Proxy, file: bytes, media_type: str) -> None:
    proxy.plays(says(200, {}))
    driver.run(lambda: proxied.organization.set_logo(file))
    assert (proxy.seen[0].headers["content-type"], proxy.seen[0].body) == (media_type, file)


def test_a_job_is_waited_for(driver: Driver, proxied: Any, proxy: Proxy, event: str) -> None:
    job = driver.run(lambda: proxied.exports.create(what="people", format="csv", event=event))
    running = {**job, "status": "running", "finished_at": None}
    proxy.plays(says(200, running), says(200, running))
    statuses: list[str] = []
    ended = driver.run(lambda: proxied.jobs.wait(job["id"], on_progress=lambda one: statuses.append(one["status"])))
    assert (ended["id"], statuses) == (job["id"], ["running", "running", "succeeded"])
    proxy.plays(says(200, running))
    with pytest.raises(TimeoutError, match=job["id"]):
        driver.run(lambda: proxied.jobs.wait(job["id"], timeout=0))


def test_any_path_can_be_called_and_gives_headers(driver: Driver, client: Any, event: str) -> None:
    path = f"/events/{event}/scan/manifest"
    answer = driver.run(lambda: client.request("GET", path))
    assert (answer.status, answer.data["event"]["code"], bool(answer.request_id)) == (200, event, True)
    with pytest.raises(NotModifiedError):
        driver.run(lambda: client.request("GET", path, headers={"If-None-Match": answer.headers["etag"]}))
    made = driver.run(lambda: client.request("POST", "/groups", body={"name": "Rowing"}))
    assert (made.status, made.data["name"]) == (201, "Rowing")


def test_public_events_need_no_key(driver: Driver, event: str) -> None:
    visitor = driver.client(base_url=URL)
    found = driver.run(lambda: visitor.public_events.get(os.environ["TURNOUT_ORG"], event))
    assert found["code"] == event
    with pytest.raises(TurnoutError, match=r"events\.list needs a key"):
        driver.all(lambda: visitor.events.list())


@pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/"])
def test_base_url_with_and_without_the_version(driver: Driver, ending: str) -> None:
    client = driver.client(base_url=URL + ending, key=KEY)
    assert driver.run(lambda: client.me.get())["organization"]["code"] == os.environ["TURNOUT_ORG"]


@pytest.mark.parametrize(
    "wrong", ["", "tickets.example.org", "ftp://a.example", "https://", "https://u:p@a.example", "https://a.example/?x"]
)
def test_base_url_has_to_be_an_address(driver: Driver, wrong: str) -> None:
    with pytest.raises(ValueError, match="base_url has to be"):
        driver.client(base_url=wrong, key=KEY)


def test_scanner_operations_go_to_the_scanner_host(driver: Driver, proxy: Proxy, event: str) -> None:
    for suffix in ("", "/api/v1"):
        client = driver.client(base_url=URL, key=KEY, scanner_url=proxy.url + suffix)
        driver.run(lambda client=client: client.scanning.manifest(event))
        driver.run(lambda client=client: client.events.get(event))
    assert [one.path for one in proxy.seen] == [f"/api/v1/events/{event}/scan/manifest"] * 2


def test_headers(driver: Driver, proxy: Proxy) -> None:
    integration = driver.client(base_url=proxy.url, key=KEY)
    platform = driver.client(base_url=proxy.url, key=KEY, client="zapier")
    driver.run(lambda: integration.me.get())
    driver.run(lambda: platform.me.get())
    own, app = (one.headers for one in proxy.seen)
    assert own["user-agent"] == f"turnout-python/{turnout.__version__}"
    assert ("x-service-client" in own, app["x-service-client"]) == (False, "zapier")
    assert own["authorization"] == f"Bearer {KEY}"


def test_the_key_is_shown_nowhere(driver: Driver, proxied: Any, proxy: Proxy, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    with pytest.raises(NotFoundError) as caught:
        driver.run(lambda: proxied.events.get("nowhere"))
    frames = []
    trace = caught.value.__traceback__
    while trace is not None:
        frames.append(repr(trace.tb_frame.f_locals))
        trace = trace.tb_next
    settings = repr(proxied._transport.settings)
    for text in (repr(proxied), settings, str(caught.value), repr(caught.value), caplog.text, *frames):
        assert KEY not in text
    for wrong in ("", f"{KEY}\n", "svc live"):
        with pytest.raises(ValueError, match="key is empty or has characters") as refused:
            driver.client(base_url=URL, key=wrong)
        assert KEY not in str(refused.value)


def test_the_key_does_not_follow_a_redirect(driver: Driver, proxied: Any, proxy: Proxy) -> None:
    proxy.plays(says(302, b"", {"location": f"{URL}/v1/me"}))
    with pytest.raises(turnout.ApiError) as caught:
        driver.run(lambda: proxied.me.get())
    assert (caught.value.code, len(proxy.seen)) == ("http_302", 1)


def test_clients_close_what_is_theirs(driver: Driver) -> None:
    if driver.asynchronous:

        async def asynchronous() -> bool:
            async with httpx.AsyncClient() as http:
                async with AsyncTurnout(base_url=URL, key=KEY, http_client=http) as client:
                    await client.me.get()
                still_open = not http.is_closed
            async with AsyncTurnout(base_url=URL, key=KEY) as client:
                pass
            return still_open and client._transport._http.is_closed

        assert driver.run(asynchronous)
    else:
        with httpx.Client() as http:
            with Turnout(base_url=URL, key=KEY, http_client=http) as client:
                client.me.get()
            assert not http.is_closed
        with Turnout(base_url=URL, key=KEY) as client:
            pass
        assert client._transport._http.is_closed


def test_every_operation_of_the_document_has_a_method(driver: Driver, client: Any) -> None:
    document = json.loads(DOCUMENT.read_text())
    names = [
        operation["x-client-name"]
        for item in document["paths"].values()
        for operation in item.values()
        if isinstance(operation, dict)
    ]
    assert len(names) > 120
    assert len(set(names)) == len(names)
    spelled = {"import": "import_"}
    for name in names:
        resource, method = ("".join(f"_{c.lower()}" if c.isupper() else c for c in part) for part in name.split("."))
        assert callable(getattr(getattr(client, resource), spelled.get(method, method))), name


def test_a_key_that_is_wrong_is_refused_by_its_class(driver: Driver) -> None:
    client = driver.client(base_url=URL, key="svc_live_wrong")
    with pytest.raises(turnout.errors.ApiKeyUnknownError) as caught:
        driver.run(lambda: client.me.get())
    assert not isinstance(caught.value, ApiKeyRequiredError)
