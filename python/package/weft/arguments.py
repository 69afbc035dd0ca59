"""From what a caller gives to what a kernel takes: each argument is checked against its parameter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _native
from .device import Device, DeviceArray


@dataclass(frozen=True)
class local:
    """Bytes of a CTA's local memory, for a parameter that points to ``__local`` memory."""

    bytes: int

    def __post_init__(self) -> None:
        if isinstance(self.bytes, bool) or not isinstance(self.bytes, (int, np.integer)):
            raise TypeError(f"weft.local({self.bytes!r}): a number of bytes")
        if not 0 < self.bytes < 1 << 32:
            raise ValueError(f"weft.local({self.bytes}): 1 byte at least, less than 4 GiB")


class Parameter:
    """What a kernel takes in one place."""

    def __init__(self, native: _native.Parameter) -> None:
        #: Its name in the source.
        self.name = native.name
        #: Its type, as the source has it.
        self.type_name = native.type_name
        #: ``value``, ``pointer`` (an array), or ``local`` (``weft.local``).
        self.kind = native.kind
        #: Type of the scalars in it; ``None``: bytes, or a pointer to anything.
        self.dtype: Optional[np.dtype] = _dtype(native.scalar)
        #: Sides of an array of values, or the elements of a vector.
        self.shape = tuple(native.shape)
        #: Of a pointer: the kernel does not write there.
        self.is_const = native.is_const
        #: Bytes of the value.
        self.size = native.size

    def __repr__(self) -> str:
        sides = "".join(f"[{side}]" for side in self.shape)
        if self.type_name.endswith("[]"):
            return f"{self.type_name[:-2]} {self.name}{sides}"
        plain = self.type_name.rstrip("*")
        stars = self.type_name[len(plain) :]
        return f"{plain.rstrip()} {stars}{self.name}"


def _dtype(scalar: Optional[str]) -> Optional[np.dtype]:
    return np.dtype({"b1": "bool"}.get(scalar, scalar)) if scalar else None


class Given:
    """The arguments of one launch: what the device is given, and what comes back behind it."""

    def __init__(self, device: Device, kernel: str) -> None:
        self._device = device
        self._kernel = kernel
        self.values: list[Union[bytes, int]] = []
        #: Numpy arrays by who they are, and their copies in the device.
        self._copies: list[tuple[NDArray[Any], DeviceArray]] = []
        self._back: list[tuple[NDArray[Any], DeviceArray, str]] = []

    def add(self, number: int, parameter: Parameter, value: Any) -> None:
        """The next argument. TypeError, ValueError: it does not fit, with number and name."""
        place = f"{self._kernel}: argument {number}, `{parameter!r}`"
        if parameter.kind == "local":
            if not isinstance(value, local):
                raise TypeError(f"{place}: weft.local(bytes) is wanted, not {_what(value)}")
            self.values.append(int(value.bytes))
        elif isinstance(value, local):
            raise TypeError(f"{place}: weft.local is for pointers to __local memory")
        elif parameter.kind == "pointer":
            self.values.append(self._pointer(place, parameter, value))
        elif parameter.dtype is None:
            self.values.append(_bytes(place, parameter, value))
        elif parameter.shape:
            self.values.append(_several(place, parameter, value))
        else:
            self.values.append(_scalar(place, parameter.dtype, value).tobytes())

    def take_back(self) -> None:
        """Copies what the kernel may have written into the caller's numpy arrays."""
        for array, copy, _ in self._back:
            array[...] = copy.to_numpy()

    def _pointer(self, place: str, parameter: Parameter, value: Any) -> int:
        if value is None:
            return 0
        if not isinstance(value, (np.ndarray, DeviceArray)):
            raise TypeError(f"{place}: an array is wanted (numpy's, or the device's), or None, not {_what(value)}")
        wanted = parameter.dtype
        if wanted is not None and value.dtype.newbyteorder("=") == wanted != value.dtype:
            raise TypeError(f"{place}: the elements' bytes stand in the other order; .astype(numpy.{wanted}) turns them")
        if wanted is not None and value.dtype != wanted:
            is_near = value.dtype.kind == wanted.kind and value.dtype.itemsize == wanted.itemsize
            way = "convert with .astype" if isinstance(value, np.ndarray) else f"make it with dtype=numpy.{wanted}"
            hint = "" if is_near else f"; {way}"
            raise TypeError(f"{place}: elements of {wanted} are wanted, not {value.dtype}{hint}")
        if value.dtype.hasobject:
            raise TypeError(f"{place}: an array of Python's objects")
        if isinstance(value, DeviceArray):
            if value.device is not self._device:
                raise ValueError(
                    f"{place}: the array is on another device, {value.device!r}; the kernel is on {self._device!r}. "
                    ".to_numpy() gives an array that any device takes"
                )
            return value.address
        return self._copied(place, parameter, value)

    def _copied(self, place: str, parameter: Parameter, value: NDArray[Any]) -> int:
        if not parameter.is_const and not value.flags.writeable:
            raise ValueError(f"{place}: the kernel may write there, and the numpy array is read-only")
        copy = next((copy for array, copy in self._copies if _is_same(array, value)), None)
        if copy is None:
            for array, _ in self._copies:
                if np.may_share_memory(array, value):
                    raise ValueError(f"{place}: shares memory with another argument; use an array of the device and its parts")
            if value.nbytes >= 1 << 32:
                raise MemoryError(f"{place}: {value.nbytes} bytes, and the device has addresses of 32 bits")
            # Of any type: what is only pointed to as bytes may be a struct.
            memory = self._device.native.allocate(value.nbytes)
            copy = DeviceArray(self._device, memory, 0, value.shape, value.dtype)
            memory.write(0, value.tobytes())
            self._copies.append((value, copy))
        if not parameter.is_const and not any(copy is other for _, other, _ in self._back):
            self._back.append((value, copy, place))
        return copy.address


def _is_same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    def of(array: NDArray[Any]) -> tuple[Any, ...]:
        return array.__array_interface__["data"][0], array.shape, array.strides, array.dtype

    return of(one) == of(other)


def _what(value: Any) -> str:
    return f"an array of {value.dtype}" if isinstance(value, (np.ndarray, DeviceArray)) else type(value).__name__


def _scalar(place: str, dtype: np.dtype, value: Any) -> Any:
    """A number of this type, if the value is one without loss but rounding."""
    if isinstance(value, np.ndarray) and value.shape == ():
        value = value[()]
    if isinstance(value, (bool, np.bool_)):
        if dtype.kind == "b":
            return np.bool_(value)
        raise TypeError(f"{place}: a number is wanted, not {type(value).__name__}")
    is_int = isinstance(value, (int, np.integer))
    if dtype.kind == "f":
        if not is_int and not isinstance(value, (float, np.floating)):
            raise TypeError(f"{place}: a number is wanted, not {_what(value)}")
        try:
            with np.errstate(over="ignore"):
                made = dtype.type(value)
        except OverflowError:
            raise ValueError(f"{place}: {value} is out of range for {dtype}") from None
        if np.isinf(made) and not np.isinf(float(value)):
            raise ValueError(f"{place}: {value} is out of range for {dtype}")
        return made
    if not is_int:
        raise TypeError(f"{place}: an integer is wanted, not {_what(value)}")
    if dtype.kind == "b":
        least, most = 0, 1
    else:
        least, most = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    if not least <= int(value) <= most:
        raise ValueError(f"{place}: {value} is out of range: {least} to {most}")
    return dtype.type(int(value))


def _several(place: str, parameter: Parameter, value: Any) -> bytes:
    """An array of values or a vector: its elements, each checked; three take the room of four in a vector."""
    assert parameter.dtype is not None
    if isinstance(value, (bytes, bytearray, memoryview)) and parameter.dtype.itemsize == 1:
        row = bytes(value)
        if len(row) != parameter.size:
            raise ValueError(f"{place}: {parameter.size} bytes are wanted, not {len(row)}")
        return row
    try:
        given = np.asarray(value, dtype=object) if not isinstance(value, np.ndarray) else value
    except ValueError as error:
        raise TypeError(f"{place}: {error}") from None
    if given.shape != parameter.shape:
        sides = " x ".join(str(side) for side in parameter.shape)
        raise ValueError(f"{place}: {sides} elements are wanted, not those of shape {given.shape}")
    elements = [_scalar(f"{place}, element {n}", parameter.dtype, of) for n, of in enumerate(given.ravel())]
    return b"".join(element.tobytes() for element in elements).ljust(parameter.size, b"\0")


def _bytes(place: str, parameter: Parameter, value: Any) -> bytes:
    """A struct: bytes, or a structured scalar of numpy, of its size."""
    if not isinstance(value, (bytes, bytearray, np.void)):
        raise TypeError(f"{place}: bytes or a numpy.void of {parameter.size} bytes are wanted, not {_what(value)}")
    given = value.tobytes() if isinstance(value, np.void) else bytes(value)
    if len(given) != parameter.size:
        raise ValueError(f"{place}: {parameter.size} bytes are wanted, not {len(given)}")
    return given


