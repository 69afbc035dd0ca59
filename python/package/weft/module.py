"""Compiled kernels, and how they are launched."""

from __future__ import annotations

import os
import shlex
import sys
import warnings
import weakref
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Optional, Union

import numpy as np

from . import _native
from .arguments import Given, Parameter
from .device import Device, DeviceArray, default_device
from .errors import CompileError, of_launch

Extent = Union[int, Sequence[int]]
#: What a file's name says of its language.
LANGUAGES = {".cl": "opencl", ".c": "c", ".cc": "c", ".cpp": "c", ".cxx": "c"}


def compile(
    path_or_source: Union[str, os.PathLike[str]],
    language: Optional[str] = None,
    device: Optional[Device] = None,
    options: Union[str, Sequence[str]] = (),
    *,
    float: str = "hard",
    compiler: Optional[str] = None,
    console: Optional[int] = None,
) -> "Module":
    """Compiles a file, or a source text, for a device.

    A path, or a text of one line that ends like a file's name (``.cl``, ``.c``, ``.cpp``), is a file, and its ending says
    the language. Anything else is a source, and ``language`` says ``"opencl"`` or ``"c"``; messages call it ``<source>``.

    * ``device``: where the kernels run; else :func:`default_device`;
    * ``options``: of the compiler, as a text or a list: ``"-DN=64 -O3"``;
    * ``float``: who computes it: ``"hard"``, the device, or ``"soft"``, the compiler's library;
    * ``compiler``: its name or path; else the first that is there, for OpenCL C Zig's Clang, which is installed if need be;
    * ``console``: bytes of the buffer for ``printf``, of all threads together; 1 MiB if nothing is said.

    Raises :class:`CompileError` with the compiler's text, ValueError for options that there are none of.
    """
    device = default_device() if device is None else device
    device.native
    text: Optional[str] = None
    name = os.fspath(path_or_source)
    ending = os.path.splitext(name)[1]
    if isinstance(path_or_source, os.PathLike) or ("\n" not in name and ending in LANGUAGES):
        if not os.path.isfile(name):
            raise FileNotFoundError(f"weft.compile: there is no file {name}")
        language = language or LANGUAGES.get(ending)
        if language is None:
            raise ValueError(f"weft.compile: {name}: language=\"opencl\" or \"c\" is wanted beside this ending")
    else:
        text, name = name, "<source>"
        if language is None:
            raise ValueError("weft.compile: of a source text, language=\"opencl\" or \"c\" is wanted")
    flags = shlex.split(options) if isinstance(options, str) else [str(option) for option in options]
    if language == "opencl" and text is None:
        # Headers beside the file are found, as those of C are.
        flags.append("-I" + (os.path.dirname(name) or "."))
    made = _native.compile(language, name, text, float, flags, compiler, console)
    if isinstance(made, str):
        raise CompileError(made)
    return Module(made, device, name)


class Compiled:
    """What the kernels of a module share. When nobody has it any more the device forgets it."""

    def __init__(self, code: _native.Code, device: Device, name: str) -> None:
        self.code = code
        self.device = device
        self.name = name
        end = weakref.finalize(self, device.native.forget, code)
        end.atexit = False


class Module:
    """Compiled kernels: ``module.saxpy``, or ``module["saxpy"]`` where a property of the module has the name.

    Iterated it gives the kernels' names.
    """

    def __init__(self, code: _native.Code, device: Device, name: str) -> None:
        self._compiled = Compiled(code, device, name)
        self._kernels = {}
        for number, (kernel, parameters) in enumerate(code.kernels):
            self._kernels[kernel] = Kernel(self._compiled, number, kernel, parameters)

    @property
    def device(self) -> Device:
        """Where its kernels run."""
        return self._compiled.device

    @property
    def log(self) -> str:
        """What the compiler said though it was content."""
        return self._compiled.code.log

    @property
    def variables(self) -> Mapping[str, DeviceArray]:
        """Variables of a module in C that are not static, as arrays: the same memory."""
        return Variables(self._compiled)

    def __getitem__(self, name: str) -> "Kernel":
        try:
            return self._kernels[name]
        except KeyError:
            raise KeyError(self._none(name)) from None

    def __getattr__(self, name: str) -> "Kernel":
        kernels: dict[str, Kernel] = self.__dict__.get("_kernels", {})
        if name in kernels:
            return kernels[name]
        raise AttributeError(self._none(name) if kernels else name)

    def _none(self, name: str) -> str:
        return f"{self._compiled.name} has no kernel {name!r}; there are {', '.join(self._kernels) or 'none'}"

    def __contains__(self, name: object) -> bool:
        return name in self._kernels

    def __iter__(self) -> Iterator[str]:
        return iter(self._kernels)

    def __len__(self) -> int:
        return len(self._kernels)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._kernels]

    def __repr__(self) -> str:
        kernels = "; ".join(repr(kernel) for kernel in self._kernels.values())
        return f"<weft.Module {self._compiled.name} on {self.device!r}: {kernels}>"


class Variables(Mapping[str, DeviceArray]):
    """Variables of a module in C by name, as arrays in the device's memory."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        everything = [Parameter(of) for of in compiled.code.variables]
        self._known = {of.name: of for of in everything if of.kind == "value"}
        self._pointers = {of.name: of for of in everything if of.kind != "value"}

    def __getitem__(self, name: str) -> DeviceArray:
        if name in self._pointers:
            raise KeyError(f"`{self._pointers[name]!r}` is a pointer of the device; a kernel can copy what it points to")
        if name not in self._known:
            there = ", ".join(self._known) or "none"
            raise KeyError(f"no variable {name!r}; there are {there}; static ones, and those that no kernel uses, are not")
        of = self._known[name]
        dtype = np.dtype(np.uint8) if of.dtype is None else of.dtype
        shape = (of.size,) if of.dtype is None else of.shape
        device = self._compiled.device
        memory = device.native.variable(self._compiled.code, name)
        return DeviceArray(device, memory, 0, shape, dtype)

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


class Kernel:
    """A kernel: ``kernel[grid, cta](arguments…)`` launches ``grid`` CTAs of ``cta`` threads and waits for them.

    ``grid`` and ``cta`` are numbers, or up to three of them, along x, y and z. See :meth:`Launch.__call__`.
    """

    def __init__(
        self, compiled: Compiled, number: int, name: str, parameters: Union[list[_native.Parameter], str]
    ) -> None:
        self._compiled = compiled
        self._number = number
        #: Its name in the source.
        self.name = name
        self._why_not = parameters if isinstance(parameters, str) else None
        #: What it takes.
        self.parameters = [] if isinstance(parameters, str) else [Parameter(of) for of in parameters]

    @property
    def device(self) -> Device:
        """Where it runs."""
        return self._compiled.device

    def __getitem__(self, extents: tuple[Extent, Extent]) -> "Launch":
        if not isinstance(extents, tuple) or len(extents) != 2:
            raise TypeError(f"{self.name}[grid, cta](…): two are wanted: CTAs of the grid, threads of a CTA")
        grid, cta = (_extent(self.name, what, sides) for what, sides in zip(("grid", "cta"), extents))
        most = self.device.sizes
        threads = cta[0] * cta[1] * cta[2]
        room = most["warps"] * most["threads"]
        if threads > room:
            raise ValueError(f"{self.name}: cta: {threads} threads, and an SM of {most['name']} has room for {room}")
        dimensions = max(_dimensions(extents[0]), _dimensions(extents[1]))
        return Launch(self, dimensions, grid, cta)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        raise TypeError(f"{self.name}: how many threads? {self.name}[grid, cta](…)")

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(repr(parameter) for parameter in self.parameters)})"


class Launch:
    """A kernel and over how many threads it runs."""

    def __init__(self, kernel: Kernel, dimensions: int, grid: tuple[int, int, int], cta: tuple[int, int, int]) -> None:
        self._kernel = kernel
        self._dimensions = dimensions
        self._grid = grid
        self._cta = cta

    def __call__(self, *arguments: Any, **named: Any) -> dict[str, Any]:
        """Launches the kernel, waits, and gives the counters of the launch.

        Arguments stand in the order of the parameters, or are named. A pointer takes a device's array, which stays where
        it is, or a numpy array, which is copied in and, unless the parameter is const, out again; the types of the
        elements must be the same. A value takes a number of Python or numpy in the range of its type. A pointer to
        ``__local`` memory takes ``weft.local(bytes)``.

        The counters: ``cycles`` (``None`` on golden, which has no clock), ``instructions`` of warps,
        ``thread_instructions`` and ``simd_efficiency``, the part of the lanes that worked (``None`` on verilated, which
        does not count them), ``ctas``, ``launches``, and ``seconds`` of the host.

        What the kernel prints goes to ``sys.stdout`` when it is over. TypeError and ValueError say which argument is
        wrong; :class:`LaunchError` and :class:`LimitError`, what has happened. Behind each of them the next kernel runs.
        """
        kernel = self._kernel
        if kernel._why_not is not None:
            raise TypeError(f"{kernel.name} cannot be launched from Python: {kernel._why_not}")
        device = kernel.device
        given = Given(device, kernel.name)
        for number, (parameter, value) in enumerate(zip(kernel.parameters, self._all(arguments, named)), 1):
            given.add(number, parameter, value)
        outcome = device.native.launch(
            kernel._compiled.code, kernel._number, self._dimensions, self._grid, self._cta, given.values
        )
        _show(outcome, kernel.name)
        failure = outcome["failure"]
        if failure is None:
            given.take_back()
            counters: dict[str, Any] = outcome["counters"]
            return counters
        if failure["kind"] == "interrupted":
            raise KeyboardInterrupt
        if failure["kind"] == "grid":
            raise ValueError(failure["text"])
        raise of_launch(failure, outcome["stops"])

    def _all(self, arguments: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
        kernel = self._kernel
        names = [parameter.name for parameter in kernel.parameters]
        if len(arguments) > len(names):
            raise TypeError(f"{kernel!r} takes {len(names)} arguments, and {len(arguments)} were given")
        values = dict(zip(names, arguments))
        for name, value in named.items():
            if name not in names:
                raise TypeError(f"{kernel!r} has no parameter {name!r}")
            if name in values:
                raise TypeError(f"{kernel!r}: `{name}` was given twice")
            values[name] = value
        missing = [f"{number}, `{name}`" for number, name in enumerate(names, 1) if name not in values]
        if missing:
            raise TypeError(f"{kernel!r}: argument {missing[0]}, is missing")
        return [values[name] for name in names]


def _show(outcome: Mapping[str, Any], kernel: str) -> None:
    """What the threads have printed, and what of it is missing."""
    if outcome["text"]:
        sys.stdout.write(outcome["text"].decode("utf-8", "replace"))
    if outcome["lost"]:
        whose = "for all work-items" if outcome["shared"] else "a thread"
        warnings.warn(
            f"{kernel}: {outcome['lost']} calls of printf found no room, {outcome['room']} bytes {whose}: "
            "weft.compile(…, console=N) gives more",
            stacklevel=3,
        )
    if outcome["damaged"]:
        warnings.warn(f"{kernel}: the kernel has written over the buffer of printf", stacklevel=3)


def _dimensions(sides: Extent) -> int:
    return 1 if isinstance(sides, (int, np.integer)) else len(sides)


def _extent(kernel: str, what: str, sides: Extent) -> tuple[int, int, int]:
    """Three sides of one to three."""
    given = (sides,) if isinstance(sides, (int, np.integer)) else sides
    if not isinstance(given, (tuple, list)) or not 1 <= len(given) <= 3:
        raise TypeError(f"{kernel}: {what}: a number, or one to three of them, not {sides!r}")
    for side in given:
        if isinstance(side, bool) or not isinstance(side, (int, np.integer)):
            raise TypeError(f"{kernel}: {what}: {side!r} is no number")
        if not 1 <= side <= 0xFFFF_FFFF:
            raise ValueError(f"{kernel}: {what}: {side}: 1 at least, less than 2^32")
    x, y, z = [*(int(side) for side in given), 1, 1][:3]
    return x, y, z
