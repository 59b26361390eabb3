"""`jobs` with `wait`."""

from __future__ import annotations

import time
from collections.abc import Callable

import anyio

from ._errors import TimeoutError
from ._generated import types
from ._generated.resources import jobs

_FIRST = 0.25
_LONGEST = 5.0
_AN_HOUR = 3600.0


class _Patience:
    """How long to wait for a job, and how often to look: seldom after a while."""

    def __init__(self, job: str, timeout: float) -> None:
        self._job = job
        self._timeout = timeout
        self._until = time.monotonic() + timeout
        self._pause = _FIRST

    def pause(self) -> float:
        pause = self._pause
        if time.monotonic() + pause > self._until:
            raise TimeoutError(f"Job {self._job} had not ended after {self._timeout:g} s.", "jobs.wait")
        self._pause = min(_LONGEST, pause * 1.5)
        return pause


def _has_ended(job: types.Job, on_progress: Callable[[types.Job], object] | None) -> bool:
    if on_progress is not None:
        on_progress(job)
    # Not by the status: words may be added to it.
    return job["finished_at"] is not None


class Jobs(jobs.Jobs):
    __doc__ = jobs.Jobs.__doc__

    def wait(
        self,
        job: str | types.Job,
        /,
        *,
        timeout: float = _AN_HOUR,
        on_progress: Callable[[types.Job], object] | None = None,
    ) -> types.Job:
        """Wait until a job has ended. Look at `status` then: it may also have `failed` or been `cancelled`.

        Args:
            job: The job or its id.
            timeout: Seconds to wait at most; then `TimeoutError` is raised. By default an hour.
            on_progress: Called with the job each time that it was looked at.
        """
        found = self.get(job) if isinstance(job, str) else job
        patience = _Patience(found["id"], timeout)
        while not _has_ended(found, on_progress):
            time.sleep(patience.pause())
            found = self.get(found["id"])
        return found


class AsyncJobs(jobs.AsyncJobs):
    __doc__ = jobs.AsyncJobs.__doc__

    async def wait(
        self,
        job: str | types.Job,
        /,
        *,
        timeout: float = _AN_HOUR,
        on_progress: Callable[[types.Job], object] | None = None,
    ) -> types.Job:
        """Wait until a job has ended. Look at `status` then: it may also have `failed` or been `cancelled`.

        Args:
            job: The job or its id.
            timeout: Seconds to wait at most; then `TimeoutError` is raised. By default an hour.
            on_progress: Called with the job each time that it was looked at.
        """
        found = await self.get(job) if isinstance(job, str) else job
        patience = _Patience(found["id"], timeout)
        while not _has_ended(found, on_progress):
            await anyio.sleep(patience.pause())
            found = await self.get(found["id"])
        return found
