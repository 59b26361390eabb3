"""Registers people, scans their tickets, receives webhooks and keeps a copy of all attendees. See ../README.md."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from store import Endpoint, Envelopes, People, read_endpoint, read_lines, store_endpoint

from turnout import AsyncTurnout, Retry, webhooks

EVENT = os.environ["EVENT"]
FOLDER = os.environ["STORE_DIR"]


def log(retry: Retry) -> None:
    print(f"{retry.error} Again in {retry.delay:.1f} s.", file=sys.stderr, flush=True)


async def endpoint_of(turnout: AsyncTurnout) -> Endpoint:
    stored = read_endpoint(FOLDER)
    if stored is not None:
        return stored
    # The same idempotency_key gives the same answer, so a program that is killed before it has stored the secret still gets it.
    url = os.environ["WEBHOOK_URL"]
    made = await turnout.webhooks.create(url=url, events=["*"], event=EVENT, idempotency_key=f"endpoint-{url}")
    endpoint: Endpoint = {"id": made["id"], "secret": made["secret"]}
    store_endpoint(FOLDER, endpoint)
    return endpoint


def receive(endpoint: Endpoint, envelopes: Envelopes, woken: asyncio.Event) -> ThreadingHTTPServer:
    """Receives webhooks in threads of its own, and wakes the follower."""
    loop = asyncio.get_running_loop()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            try:
                envelope = webhooks.verify(body, self.headers.get("Service-Signature"), endpoint["secret"])
            except webhooks.SignatureError:
                self.answer(400)
                return
            envelopes.handle(envelope)  # once for each id, and on the disk before the answer
            self.answer(204)
            with contextlib.suppress(RuntimeError):  # the program is ending
                loop.call_soon_threadsafe(woken.set)

        def answer(self, status: int) -> None:
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["WEBHOOK_PORT"])), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


async def follow(turnout: AsyncTurnout, people: People, woken: asyncio.Event) -> None:
    while True:
        woken.clear()
        async for batch in turnout.attendees.changes(EVENT, since=people.since):
            people.take(batch)
        # Looks again when a webhook arrives, and every two seconds.
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(woken.wait(), 2)


async def register_and_scan(turnout: AsyncTurnout) -> None:
    admitted = 0
    for person in read_lines(os.environ["PEOPLE_FILE"]):
        registration = await turnout.registrations.create(
            EVENT, attendees=[person], send_emails=False, idempotency_key=f"register-{person.get('external_id')}"
        )
        for ticket in (ticket for attendee in registration["attendees"] for ticket in attendee["tickets"]):
            scan = await turnout.scanning.scan(
                EVENT,
                code=ticket["code"] or "",
                check_in_point=os.environ["CHECK_IN_POINT"],
                client_uuid=uuid.uuid5(uuid.NAMESPACE_OID, ticket["id"]),
            )
            admitted += scan["admitted"]
    print(f"scanned {admitted}", flush=True)


async def work() -> None:
    # At most ten seconds between two tries, so this waits for more than five minutes.
    async with AsyncTurnout(
        base_url=os.environ["TURNOUT_URL"], key=os.environ["TURNOUT_KEY"], max_retries=40, on_retry=log
    ) as turnout:
        endpoint = await endpoint_of(turnout)
        woken = asyncio.Event()
        server = receive(endpoint, Envelopes(FOLDER), woken)
        print("ready", flush=True)
        try:
            await asyncio.gather(follow(turnout, People(FOLDER), woken), register_and_scan(turnout))
        finally:
            server.shutdown()
            server.server_close()


async def main() -> None:
    task = asyncio.create_task(work())
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, task.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await task


asyncio.run(main())
