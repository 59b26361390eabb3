"""Files that are sent. They are read at once, because a call that fails sends its file again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, Union

from ._operation import File

PictureFile = Union[bytes, "os.PathLike[str]", IO[bytes]]
CsvFile = Union[str, bytes, "os.PathLike[str]", IO[bytes], IO[str]]


def picture(file: PictureFile) -> File:
    content = _read(file)
    if content.startswith(b"\x89PNG"):
        return File(content, "image/png")
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return File(content, "image/webp")
    # Whatever else it is, the server looks at the pixels and says what is wrong.
    return File(content, "image/jpeg")


def csv(file: CsvFile) -> File:
    """`file` as text is the file itself, not its path."""
    return File(file.encode() if isinstance(file, str) else _read(file), "text/csv; charset=utf-8")


def _read(file: bytes | os.PathLike[str] | IO[bytes] | IO[str]) -> bytes:
    if isinstance(file, bytes):
        return file
    if isinstance(file, os.PathLike):
        return Path(file).read_bytes()
    content = file.read()
    return content.encode() if isinstance(content, str) else content
