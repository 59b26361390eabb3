"""The objects of API v1, as typed dicts. They are plain dicts at run time, and new fields may be added at any time."""

from ._generated import types as _generated
from ._generated.types import *  # noqa: F403

__all__: list[str] = []
__all__ += _generated.__all__
