"""What can go wrong."""

from __future__ import annotations

import re
from typing import Any, Mapping, Optional


class Error(Exception):
    """Anything that Weft says of a kernel."""


class CompileError(Error):
    """The kernel does not compile. Its text is the compiler's, with file and line."""


class LaunchError(Error):
    """A launch has not come to a good end; the next one runs on the same device.

    What is known of the place is in the attributes, ``None`` where the device does not say:

    * ``kind``: ``"fault"``; ``"hang"``, all threads of a CTA wait for each other; ``"device"``, anything else;
    * ``kernel``: its name;
    * ``cause``: what has gone wrong, without the place;
    * ``cta``: number of the CTA in the grid; ``warp``, ``thread``: numbers in the CTA;
    * ``pc``: byte address of the instruction;
    * ``function``, ``file``, ``line``: the innermost place in the source;
    * ``frames``: all places, innermost first, of functions that were inlined into one another.
    """

    kind: str
    kernel: str
    cause: Optional[str]
    cta: Optional[int]
    warp: Optional[int]
    thread: Optional[int]
    pc: Optional[int]
    frames: list[tuple[Optional[str], Optional[str], Optional[int]]]
    function: Optional[str]
    file: Optional[str]
    line: Optional[int]

    def __init__(self, text: str, **known: Any) -> None:
        super().__init__(text)
        for name in ("kind", "kernel", "cause", "cta", "warp", "thread", "pc"):
            setattr(self, name, known.get(name))
        self.frames = list(known.get("frames") or [])
        self.function, self.file, self.line = self.frames[0] if self.frames else (None, None, None)


class LimitError(LaunchError):
    """A launch has run as many instructions as the device allows (``Device(…, limit=N)``): an endless loop, it seems.

    Arrays keep what they hold; variables of modules in C begin anew.
    """


#: Threads that have stopped themselves, in the text: often all of a grid do, for one reason.
MOST_STOPS = 16


def of_launch(failure: Mapping[str, Any], stops: list[str]) -> LaunchError:
    """The error that a device's answer describes; ``stops``: what threads said that have stopped themselves."""
    known = dict(failure)
    shown = stops[:MOST_STOPS]
    if len(stops) > MOST_STOPS:
        shown.append(f"{len(stops) - MOST_STOPS} more threads have stopped themselves")
    text = "\n".join([*shown, known.pop("text")])
    own = re.match(r"(.*):(\d+): (.*): thread \d+: (assertion failed: .*)", stops[0]) if stops else None
    if own is not None and known["kind"] == "fault":
        # Where the library has ended the thread is of no use.
        text = "\n".join(shown)
        known["cause"] = own[4]
        known["frames"] = [(own[3], own[1], int(own[2]))]
    kind = LimitError if known["kind"] == "limit" else LaunchError
    return kind(text, **known)
