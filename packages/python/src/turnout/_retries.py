"""When a call is tried again.

Every call may be repeated: reading changes nothing, a POST has its `Idempotency-Key`, PUT and PATCH set values that are the
same the second time, and what DELETE has removed stays removed.
"""

from __future__ import annotations

import random

from ._errors import ApiError, ConnectionError, TurnoutError

_FIRST = 0.5
_LONGEST = 10.0
# A longer `Retry-After` is not waited for; the program gets the error and decides. The limit of calls has windows of a minute.
_PATIENCE = 120.0


def delay_of(failure: TurnoutError, retries: int) -> float | None:
    """In how many seconds to try again; None if trying again does not help."""
    if isinstance(failure, ConnectionError):
        return _back_off(retries)
    if not isinstance(failure, ApiError) or not _passes(failure):
        return None
    wait = failure.retry_after
    if wait is None:
        return _back_off(retries)
    # Somewhat later than asked, so that many programs that were refused together do not come back together.
    return None if wait > _PATIENCE else wait + random.random() * min(1.0, 0.1 + wait / 10)


def is_unsure(failure: TurnoutError) -> bool:
    """Whether the server may have done the work although the answer failed."""
    return isinstance(failure, ConnectionError) or (isinstance(failure, ApiError) and failure.status >= 500)


def _back_off(retries: int) -> float:
    # Doubles each time, from between a half and all of it. The exponent has a limit so that it never overflows.
    longest: float = min(_LONGEST, _FIRST * 2 ** min(retries, 10))
    return longest * random.uniform(0.5, 1.0)


def _passes(failure: ApiError) -> bool:
    # The month's calls are used up; the 1st of the next month is too far to wait for.
    if failure.code == "quota_exceeded":
        return False
    return failure.status in (408, 429) or failure.status >= 500 or failure.code == "idempotency_in_progress"
