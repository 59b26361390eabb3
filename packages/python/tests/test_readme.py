"""The programs in the README run as they are printed, with another address and key."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from conftest import KEY, URL, person

from turnout import Turnout, webhooks

README = (Path(__file__).parents[1] / "README.md").read_text()
PROGRAMS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def run(program: str, event: str) -> dict[str, Any]:
    text = program.replace("https://tickets.example.org", URL).replace("svc_live_…", KEY)
    names: dict[str, Any] = {"__name__": "readme"}
    exec(text.replace("lakeside-fair", event), names)
    return names


def test_all_of_them_are_found() -> None:
    assert len(PROGRAMS) == README.count("```python") == 5


def test_registering_and_listing(event: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(PROGRAMS[0], event)
    assert capsys.readouterr().out == "confirmed\nAda Lovelace\n"
    run(PROGRAMS[1], event)
    assert capsys.readouterr().out == "Ada\n"


def test_changes(event: str, organizer: Turnout) -> None:
    organizer.registrations.create(event, attendees=[person("Ada"), person("Bob")])
    names = run(PROGRAMS[2], event)
    assert len(names["people"]) == 2
    assert list(organizer.attendees.changes(event, since=names["since"])) == []


def test_errors(event: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(PROGRAMS[3], event)
    assert capsys.readouterr().out != ""


def test_webhooks(capsys: pytest.CaptureFixture[str]) -> None:
    receive = run(PROGRAMS[4], "")["receive"]
    body = b'{"id":"evt_1","type":"checkin.recorded","data":{"result":"accepted"}}'
    assert receive(body, webhooks.sign(body, "whsec_a"), "whsec_a") == 204
    assert capsys.readouterr().out == "accepted\n"
    assert (receive(body, None, "whsec_a"), receive(body + b" ", webhooks.sign(body, "whsec_a"), "whsec_a")) == (
        400,
        400,
    )
