"""The verifier, with the vectors that are published for all languages."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path
from typing import Any

import pytest

from turnout.webhooks import SignatureError, sign, verify

VECTORS = json.loads((Path(__file__).parents[2] / "sdk" / "webhook-vectors.json").read_text())["vectors"]
SECRET = VECTORS[0]["secret"]


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_a_published_vector(vector: dict[str, Any]) -> None:
    body = base64.b64decode(vector["body_base64"])
    if vector["valid"]:
        assert verify(body, vector["header"], vector["secret"], now=vector["now"]) == json.loads(body)
    else:
        with pytest.raises(SignatureError) as caught:
            verify(body, vector["header"], vector["secret"], now=vector["now"])
        assert caught.value.code == vector["error"]


def test_there_are_vectors_of_both_kinds() -> None:
    assert {vector["valid"] for vector in VECTORS} == {True, False}
    assert len(VECTORS) > 20


@pytest.mark.parametrize("vector", [one for one in VECTORS if one["valid"]], ids=lambda one: one["name"])
def test_one_byte_more_is_refused(vector: dict[str, Any]) -> None:
    with pytest.raises(SignatureError) as caught:
        verify(base64.b64decode(vector["body_base64"]) + b" ", vector["header"], vector["secret"], now=vector["now"])
    assert caught.value.code == "no_match"


def test_what_is_signed_is_verified_by_the_clock_of_this_machine() -> None:
    body = '{"id":"evt_1","type":"checkin.recorded","name":"Zoë"}'
    header = sign(body, SECRET)
    assert verify(body.encode(), header, SECRET)["id"] == "evt_1"
    for t, code in ((time.time() - 400, "too_old"), (time.time() + 400, "too_new")):
        with pytest.raises(SignatureError) as caught:
            verify(body, sign(body, SECRET, int(t)), SECRET)
        assert caught.value.code == code


def test_a_rotation() -> None:
    new, old, other = "whsec_new", "whsec_old", "whsec_other"
    header = sign("{}", [new, old])
    assert header.count("v1=") == 2
    for secret in (new, old, [other, old]):
        assert not verify("{}", header, secret)
    with pytest.raises(SignatureError):
        verify("{}", header, other)


@pytest.mark.parametrize("secret", ["", "abc", None, [], ["whsec_a", "b"], "whsec_"])
def test_a_secret_that_is_none_is_a_mistake_of_the_program(secret: Any) -> None:
    with pytest.raises(TypeError, match="whole"):
        verify("{}", "t=1,v1=" + "0" * 64, secret)


def test_a_parsed_body_is_a_mistake_of_the_program() -> None:
    parsed: Any = {"id": "evt_1"}
    with pytest.raises(TypeError, match="raw"):
        verify(parsed, "t=1,v1=" + "0" * 64, SECRET)


def test_a_clock_that_is_not_a_number_refuses() -> None:
    with pytest.raises(SignatureError) as caught:
        verify("{}", sign("{}", SECRET), SECRET, now=float("nan"))
    assert caught.value.code == "too_old"


@pytest.mark.parametrize("body", ["[]", "1", "null", "{", '"text"', b"\xff", "[" * 100_000])
def test_a_signed_body_that_is_no_envelope(body: str | bytes) -> None:
    with pytest.raises(SignatureError) as caught:
        verify(body, sign(body, SECRET), SECRET)
    assert caught.value.code == "malformed_body"


@pytest.mark.parametrize("header", ["", "t=1", "v1=0", "t=١,v1=" + "0" * 64, "t=1,v1=" + "0" * 64 + "\n", 5, b"t=1"])
def test_a_malformed_header(header: Any) -> None:
    with pytest.raises(SignatureError) as caught:
        verify("{}", header, SECRET)
    assert caught.value.code == "malformed_header"
