"""What the program remembers, in files that are right whenever it is killed."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import TypedDict

from turnout import Batch, types, webhooks


class Endpoint(TypedDict):
    id: str
    secret: str


class _Copy(TypedDict):
    since: str | None
    people: dict[str, types.Attendee]


def read_lines(file: str) -> list[types.AttendeeInput]:
    return [json.loads(line) for line in Path(file).read_text().split("\n") if line]


def _write(file: Path, content: object) -> None:
    """Writes a file so that it is there completely or as it was before."""
    new = file.with_name(f"{file.name}.new")
    with new.open("w") as handle:
        json.dump(content, handle)
        handle.flush()
        os.fsync(handle.fileno())
    new.replace(file)


def read_endpoint(folder: str) -> Endpoint | None:
    file = Path(folder, "endpoint.json")
    found: Endpoint | None = json.loads(file.read_text()) if file.exists() else None
    return found


def store_endpoint(folder: str, endpoint: Endpoint) -> None:
    _write(Path(folder, "endpoint.json"), endpoint)


class People:
    """The copy of all attendees, and how far it goes. Both are in one file, so that they always belong together."""

    def __init__(self, folder: str) -> None:
        self._file = Path(folder, "people.json")
        self._content: _Copy = {"since": None, "people": {}}
        if self._file.exists():
            self._content = json.loads(self._file.read_text())

    @property
    def since(self) -> str | None:
        return self._content["since"]

    def take(self, batch: Batch[types.Attendee]) -> None:
        self._content["people"].update({attendee["id"]: attendee for attendee in batch.items})
        self._content["since"] = batch.since
        _write(self._file, self._content)


class Envelopes:
    """The envelopes that were handled. Here, handling one is to write its line."""

    def __init__(self, folder: str) -> None:
        file = Path(folder, "envelopes.jsonl")
        content = file.read_bytes() if file.exists() else b""
        # A line without its end was cut off by a kill; its envelope comes again.
        whole = content[: content.rfind(b"\n") + 1]
        self._handled = {json.loads(line)["id"] for line in whole.splitlines()}
        self._file = file.open("ab")
        self._file.truncate(len(whole))
        # Deliveries arrive in several threads.
        self._lock = threading.Lock()

    def handle(self, envelope: webhooks.Envelope) -> None:
        with self._lock:
            if envelope["id"] in self._handled:
                return
            line = {"id": envelope["id"], "type": envelope["type"], "created_at": envelope["created_at"]}
            self._file.write(json.dumps(line).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
            self._handled.add(envelope["id"])
