"""The client library of Turnout: `Turnout` for programs that wait, `AsyncTurnout` for asyncio and trio."""

from . import errors, types, webhooks
from ._changes import Batch
from ._client import AsyncTurnout, Turnout
from ._errors import ApiError, ConnectionError, NotModifiedError, TimeoutError, TurnoutError
from ._operation import OMIT, Omit
from ._pages import AsyncPage, AsyncPages, Page
from ._request import Answer
from ._settings import Retry
from ._version import VERSION as __version__

__all__ = [
    "OMIT",
    "Answer",
    "ApiError",
    "AsyncPage",
    "AsyncPages",
    "AsyncTurnout",
    "Batch",
    "ConnectionError",
    "NotModifiedError",
    "Omit",
    "Page",
    "Retry",
    "TimeoutError",
    "Turnout",
    "TurnoutError",
    "__version__",
    "errors",
    "types",
    "webhooks",
]
