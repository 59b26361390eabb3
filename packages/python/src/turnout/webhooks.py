"""Webhooks: verify what arrives. `verify` checks the signature of a request and gives the envelope in it."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from collections.abc import Sequence
from typing import Literal, cast

from ._errors import TurnoutError
from ._generated.envelopes import Envelope, EventType

__all__ = ["TOLERANCE_SECONDS", "Envelope", "EventType", "SignatureError", "SignatureFault", "sign", "verify"]

TOLERANCE_SECONDS = 300
"""How far `t` may be before or after the receiver's clock."""

SignatureFault = Literal["missing_header", "malformed_header", "no_match", "too_old", "too_new", "malformed_body"]

_MESSAGES: dict[SignatureFault, str] = {
    "missing_header": "There is no Service-Signature header.",
    "malformed_header": "The Service-Signature header does not have the form t=<unix seconds>,v1=<hex>.",
    "no_match": "No v1 in the Service-Signature header matches this body and this secret.",
    "too_old": "The signature is too old for the clock of this machine.",
    "too_new": "The signature is ahead of the clock of this machine.",
    "malformed_body": "The body is signed, but it is not a JSON object.",
}

# One `t` first, then one to nine versions. Versions other than `v1` belong to later schemes and are ignored.
_HEADER = re.compile(r"t=([0-9]{1,15})((?:,v[0-9]+=[^,]+){1,9})", re.ASCII)
_V1 = re.compile(r",v1=([0-9a-f]{64})(?=,|\Z)", re.ASCII)


class SignatureError(TurnoutError):
    """The request is at fault, so answer 400. If `verify` raises anything else, your own call is at fault."""

    code: SignatureFault

    def __init__(self, code: SignatureFault) -> None:
        super().__init__(_MESSAGES[code])
        self.code = code

    def __reduce__(self) -> tuple[type[SignatureError], tuple[SignatureFault]]:
        return (type(self), (self.code,))


def verify(
    body: bytes | str,
    header: str | None,
    secret: str | Sequence[str],
    *,
    tolerance: float = TOLERANCE_SECONDS,
    now: float | None = None,
) -> Envelope:
    """The envelope, if the signature fits this body and one of the secrets, and is recent.

    Args:
        body: The body exactly as it came, because a body that was parsed and written again has other bytes.
        header: The value of `Service-Signature`.
        secret: The whole secret, which begins with `whsec_`, or several.
        tolerance: How many seconds the signature may be away from the clock.
        now: The time in Unix seconds. By default the clock of this machine.

    Raises:
        SignatureError: The request is not genuine or too old. Answer 400.
    """
    raw, secrets = _bytes(body), _secrets(secret)
    t, signatures = _parse(header)
    # One HMAC is computed for each secret, however many signatures the header has. Otherwise a header with many entries could
    # make us hash a long body many times.
    expected = [_signature(raw, one, t) for one in secrets]
    # Every pair is compared, each in constant time.
    if not any([hmac.compare_digest(ours, theirs) for ours in expected for theirs in signatures]):
        raise SignatureError("no_match")
    # The age is checked after the signature. So `too_old` and `too_new` are only said of genuine signatures and point to a clock.
    age = (time.time() if now is None else now) - int(t)
    # The conditions are negated so that a tolerance or a clock that is not a number leads to a refusal.
    if not age <= tolerance:
        raise SignatureError("too_old")
    if not age >= -tolerance:
        raise SignatureError("too_new")
    return _envelope(raw)


def sign(body: bytes | str, secret: str | Sequence[str], t: int | None = None) -> str:
    """A `Service-Signature` header as Turnout makes it, for tests of your receiver.

    With several secrets, the new one first, it is signed as during a rotation.
    """
    stamp = str(int(time.time()) if t is None else t)
    raw = _bytes(body)
    return ",".join([f"t={stamp}", *(f"v1={_signature(raw, one, stamp)}" for one in _secrets(secret))])


def _signature(body: bytes, secret: str, t: str) -> str:
    # The key is the whole text of the secret, `whsec_` included.
    return hmac.new(secret.encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()


def _bytes(body: object) -> bytes:
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(cast("bytes", body))
    raise TypeError("The body must be passed raw, as bytes or text exactly as it came, and not parsed.")


def _secrets(secret: object) -> list[str]:
    found = [secret] if isinstance(secret, str) else list(cast("Sequence[object]", secret or []))
    secrets = [one for one in found if isinstance(one, str) and re.match(r"whsec_.", one)]
    if not secrets or len(secrets) != len(found):
        raise TypeError("A secret must be passed whole, as it was shown; it begins with whsec_.")
    return secrets


def _parse(header: object) -> tuple[str, list[str]]:
    if header is None:
        raise SignatureError("missing_header")
    match = _HEADER.fullmatch(header) if isinstance(header, str) else None
    signatures = _V1.findall(match[2]) if match else []
    if match is None or not signatures:
        raise SignatureError("malformed_header")
    return match[1], signatures


def _envelope(body: bytes) -> Envelope:
    try:
        value: object = json.loads(body.decode())
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise SignatureError("malformed_body")
    return cast("Envelope", value)
