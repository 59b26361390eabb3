"""Loaded by schemathesis: every POST is a new one, unless its headers are what is being tested."""

import json
import os
import re
import uuid

import schemathesis

VALID = re.compile(r"[\x21-\x7e]{1,255}\Z")
CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}\Z")
REAL = set(json.loads(os.environ["FUZZ_REAL_IDS"]))


@schemathesis.hook
def filter_path_parameters(context, path_parameters):
    """What is to lead nowhere is no code: an earlier request may have made something with that code."""
    return all(
        value in REAL or not CODE.match(value)
        for value in (path_parameters or {}).values()
        if isinstance(value, str)
    )


@schemathesis.hook
def before_call(context, case, kwargs):
    tested = str(getattr(case.meta.phase.data, "parameter_location", "")) if case.meta else ""
    key = (case.headers or {}).get("Idempotency-Key")
    # Generated keys repeat, and a key that was used with another body is refused before anything else is checked.
    if "header" not in tested.lower() and isinstance(key, str) and VALID.match(key):
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
