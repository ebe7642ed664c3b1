"""The archive: where results go that are too long for the window. Written once, by a safe name, read back whole.

The name comes from a recorded session, so it is hostile input for a file system: only letters, digits, `_` and `-`
stay, and a name that had to change carries a hash of the one it was.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from pathlib import Path
from typing import Protocol

FOLDER = "tool-results"
LONGEST_NAME = 80


class Archive(Protocol):
    """Keeps texts by name. `put` answers with a path to show the model; `get` takes the name or that path."""

    def put(self, name: str, text: str) -> str: ...

    def get(self, name: str) -> str: ...


def safe_name(name: str) -> str:
    """A file name that stays in its folder, whatever it is made from.

    >>> safe_name("toolu_01A"), safe_name("../etc/passwd").startswith("___etc_passwd-")
    ('toolu_01A', True)
    """
    safe = re.sub(r"[^A-Za-z0-9_-]", "_", name)[:LONGEST_NAME]
    if safe == name and safe:
        return safe
    return f"{safe}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def file_path(name: str) -> str:
    """The relative path under which a name is kept."""
    return f"{FOLDER}/{safe_name(name)}.txt"


def asked_path(name: str) -> str:
    """The same for a name or for a path that the archive has given out."""
    inside = name.removeprefix(f"{FOLDER}/").removesuffix(".txt")
    return name if name == f"{FOLDER}/{inside}.txt" and re.fullmatch(r"[A-Za-z0-9_-]+", inside) else file_path(name)


class MemoryArchive:
    """Keeps the texts in this process: the default of a replay."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}

    def put(self, name: str, text: str) -> str:
        """Keep a text; raises FileExistsError where another text has that name already."""
        path = file_path(name)
        if self.files.setdefault(path, text) != text:
            raise FileExistsError(f"{path} holds another text already; results are written once")
        return path

    def get(self, name: str) -> str:
        """Give a text back; raises FileNotFoundError with the name that was asked for."""
        path = asked_path(name)
        if path not in self.files:
            raise FileNotFoundError(f"{path} is not in the archive; it holds {len(self.files)} results")
        return self.files[path]


class DiskArchive:
    """Keeps the texts in a folder. A file is there whole or not at all, whenever the process is killed."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def put(self, name: str, text: str) -> str:
        """Write a text to a new file beside its place, then move it there; raises FileExistsError and OSError."""
        path = file_path(name)
        place = self.folder / path
        data = text.encode("utf-8", "surrogatepass")
        if place.exists():
            if place.read_bytes() != data:
                raise FileExistsError(f"{place} holds another text already; results are written once")
            return path
        place.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=place.parent, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).replace(place)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise
        return path

    def get(self, name: str) -> str:
        """Read a text back; raises FileNotFoundError with the path that was looked at."""
        place = self.folder / asked_path(name)
        if not place.is_file():
            raise FileNotFoundError(f"{place} is gone; the whole text is still in the History")
        return place.read_bytes().decode("utf-8", "surrogatepass")
