"""All errors: those that every program may want to catch, and one for each code with which the API refuses."""

from ._errors import ApiError, ConnectionError, NotModifiedError, TimeoutError, TurnoutError
from ._generated import errors as _generated
from ._generated.errors import *  # noqa: F403
from .webhooks import SignatureError

__all__ = [
    "ApiError",
    "ConnectionError",
    "NotModifiedError",
    "SignatureError",
    "TimeoutError",
    "TurnoutError",
]
__all__ += _generated.__all__

# A traceback shows them where programs import them from.
for _kind in (ApiError, ConnectionError, NotModifiedError, TimeoutError, TurnoutError, *_generated.ERRORS.values()):
    _kind.__module__ = __name__
