"""Devices, and arrays in their memory."""

from __future__ import annotations

import itertools
import os
import threading
from types import TracebackType
from typing import Any, Optional, SupportsIndex, Union

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _native

#: What an element of a device's array may be.
DTYPES = tuple(np.dtype(f"{letter}{size}") for letter in "iu" for size in (1, 2, 4, 8)) + (np.dtype("f4"), np.dtype("f8"))
#: What a device's size is counted in.
LIMITS = ("sms", "warps", "threads", "scratchpad", "memory", "stack", "limit")

Shape = Union[int, tuple[int, ...]]

_numbers = itertools.count(1)


def checked_dtype(dtype: DTypeLike, what: str) -> np.dtype:
    """The type of elements if a device has it; else TypeError."""
    found = np.dtype(dtype)
    if found in DTYPES and found.isnative:
        return found
    if found.newbyteorder("=") in DTYPES:
        raise TypeError(f"{what}: {found}: the bytes stand in the other order; .astype(numpy.{found.newbyteorder('=').name}) turns them")
    names = ", ".join(str(known) for known in DTYPES)
    raise TypeError(f"{what}: {found}: a device's array has elements of {names}")


class Device:
    """A GPU with its memory.

    ``Device("golden")`` is the golden model, which counts instructions;
    ``Device("verilated")`` is the hardware ``weft_gpu`` in simulation, which counts cycles; its model is made when it is
    first opened in a size, which takes minutes, and needs the checkout that the package was built in.

    Sizes, of which each has its usual value (golden; verilated):

    * ``sms``: streaming multiprocessors (1; 1);
    * ``warps`` of an SM (16; 4), ``threads`` of a warp (32; 4): a CTA has at most ``warps * threads`` threads;
    * ``scratchpad``: bytes of an SM's local memory (32 KiB; 16 KiB);
    * ``memory``: bytes for arrays (256 MiB; 32 MiB);
    * ``stack``: bytes of stack of each thread (16 KiB; 4 KiB);
    * ``limit``: warp instructions of a launch, after which it is given up (1,000,000,000; 40,000,000).

    Used as a context manager it is closed at the end: its memory is given back, and nothing runs on it any more.
    Any thread may call at any time; launches and copies are done one after the other.
    """

    def __init__(self, name: str = "golden", **sizes: SupportsIndex) -> None:
        for option, value in sizes.items():
            if option not in LIMITS:
                raise TypeError(f"Device(…, {option}=…): there are {', '.join(sorted(LIMITS))}")
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
                raise TypeError(f"Device(…, {option}={value!r}): a whole number")
            if not -(1 << 63) <= int(value) < 1 << 63:
                raise ValueError(f"Device(…, {option}={value}): that is no size")
        #: Among all of this process: devices of the same sizes look alike.
        self._number = next(_numbers)
        self._native: Optional[_native.Device] = None
        self._native = _native.Device(name, **{option: int(value) for option, value in sizes.items()})

    @property
    def native(self) -> _native.Device:
        """The native device; RuntimeError when this one is closed."""
        if self._native is None:
            raise RuntimeError("the device is closed")
        return self._native

    @property
    def sizes(self) -> dict[str, Any]:
        """Name and sizes."""
        return self.native.sizes

    @property
    def name(self) -> str:
        """``golden`` or ``verilated``."""
        return str(self.sizes["name"])

    def array(self, values: ArrayLike, dtype: Optional[DTypeLike] = None) -> "DeviceArray":
        """Copies a numpy array, or what numpy makes one of, into the device's memory."""
        if isinstance(values, (str, bytes, bytearray)):
            raise TypeError("Device.array: numpy.frombuffer(…, numpy.uint8) makes elements of bytes")
        has_type = dtype is not None or isinstance(values, (np.ndarray, np.generic, DeviceArray))
        values = np.asarray(values, dtype)
        if values.dtype == np.float64 and not has_type:
            raise TypeError("Device.array: Python's numbers are float64: dtype=numpy.float32, or float64 if the kernel takes `double`")
        checked_dtype(values.dtype, "Device.array")
        array = self.empty(values.shape, values.dtype)
        array.copy_from(values)
        return array

    def empty(self, shape: Shape, dtype: DTypeLike = np.float32) -> "DeviceArray":
        """An array whose elements are anything."""
        found = checked_dtype(dtype, "Device.empty")
        sides = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
        sides = tuple(int(side) for side in sides)
        if any(side < 0 for side in sides):
            raise ValueError(f"Device.empty: shape {sides}: a negative side")
        size = found.itemsize
        for side in sides:
            size *= side
        if size >= 1 << 32:
            raise MemoryError(f"Device.empty: shape {sides}: {size} bytes, and the device has addresses of 32 bits")
        return DeviceArray(self, self.native.allocate(size), 0, sides, found)

    def zeros(self, shape: Shape, dtype: DTypeLike = np.float32) -> "DeviceArray":
        """An array of zeros."""
        array = self.empty(shape, dtype)
        array.copy_from(np.zeros(array.shape, array.dtype))
        return array

    def close(self) -> None:
        """Ends the device. Arrays that are left can be given up, and not used any more."""
        if self._native is not None:
            self._native.close()
            self._native = None

    def __enter__(self) -> "Device":
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._native is None:
            return f"<weft.Device {self._number}, closed>"
        sizes = self.sizes
        return f"<weft.Device {self._number}: {sizes['name']}, {sizes['sms']} x {sizes['warps']} warps x {sizes['threads']} threads>"


class DeviceArray:
    """An array in a device's memory; made by :meth:`Device.array`, ``empty`` and ``zeros``.

    Its memory is given back when neither it nor a part of it is left. It is C-contiguous.
    """

    def __init__(
        self,
        device: Device,
        memory: _native.Memory,
        offset: int,
        shape: tuple[int, ...],
        dtype: np.dtype,
    ) -> None:
        self._device = device
        self._memory = memory
        self._offset = offset
        self._shape = shape
        self._dtype = dtype

    @property
    def device(self) -> Device:
        """Where it is."""
        return self._device

    @property
    def shape(self) -> tuple[int, ...]:
        """Sides."""
        return self._shape

    @property
    def dtype(self) -> np.dtype:
        """Type of the elements."""
        return self._dtype

    @property
    def ndim(self) -> int:
        """Number of sides."""
        return len(self._shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return int(np.prod(self._shape, dtype=np.int64))

    @property
    def nbytes(self) -> int:
        """Bytes of the elements."""
        return self.size * self._dtype.itemsize

    @property
    def address(self) -> int:
        """Where the device has it: what a kernel sees."""
        self._device.native
        return self._memory.address + self._offset

    def __len__(self) -> int:
        if not self._shape:
            raise TypeError("len() of an array without sides")
        return self._shape[0]

    def to_numpy(self) -> NDArray[Any]:
        """A copy of the elements, in a numpy array of the same shape and type."""
        self._device.native
        found = self._memory.read(self._offset, self.nbytes)
        return np.frombuffer(found, self._dtype).reshape(self._shape)

    def __array__(self, dtype: Optional[DTypeLike] = None, copy: Optional[bool] = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("an array in a device's memory is copied: copy=False cannot be")
        values = self.to_numpy()
        return values if dtype is None else values.astype(dtype, copy=False)

    def copy_from(self, values: ArrayLike) -> None:
        """Copies from a numpy array of the same shape and type, or from what numpy makes one of without loss; into
        elements of a byte also from ``bytes`` of the same number."""
        if isinstance(values, str):
            raise TypeError("copy_from: a text; .encode() makes the bytes of it")
        if isinstance(values, (bytes, bytearray, memoryview)):
            values = self._of_bytes(bytes(values))
        given = np.asarray(values)
        if given.shape != self._shape:
            raise ValueError(f"copy_from: shape {given.shape} into {self._shape}")
        has_type = isinstance(values, (np.ndarray, np.generic, DeviceArray))
        # Numbers of Python have no size: numpy itself refuses integers that are too large.
        fits = given.dtype.kind in "iu" or given.dtype.kind == self._dtype.kind
        if not (np.can_cast(given.dtype, self._dtype, "safe") if has_type else fits):
            raise TypeError(f"copy_from: {given.dtype} into {self._dtype}; convert with .astype")
        try:
            made = np.asarray(values if not has_type else given, self._dtype)
        except OverflowError as error:
            raise ValueError(f"copy_from: {error}") from None
        self._device.native
        self._memory.write(self._offset, made.tobytes())

    def _of_bytes(self, given: bytes) -> NDArray[Any]:
        if self._dtype.itemsize != 1:
            raise TypeError(f"copy_from: bytes are for elements of one byte; numpy.frombuffer(…, numpy.{self._dtype}) makes elements")
        if len(given) != self.nbytes:
            raise ValueError(f"copy_from: {len(given)} bytes into {self.nbytes}")
        return np.frombuffer(given, self._dtype).reshape(self._shape)

    def __getitem__(self, part: Any) -> "DeviceArray":
        """A part along the first side, ``array[a:b]``, which is the same memory."""
        if not isinstance(part, slice) or not self._shape:
            raise TypeError("a part of a device's array is array[a:b]; .to_numpy() gives a copy with all of numpy's ways")
        first, last, step = part.indices(self._shape[0])
        if step != 1:
            raise TypeError(f"array[{first}:{last}:{step}]: a part of a device's array has no steps")
        count = max(0, last - first)
        row = self.nbytes // self._shape[0] if self._shape[0] else 0
        shape = (count, *self._shape[1:])
        return DeviceArray(self._device, self._memory, self._offset + first * row, shape, self._dtype)

    def __repr__(self) -> str:
        return f"<weft.DeviceArray {self._shape} of {self._dtype} on {self._device!r}>"


_usual: Optional[Device] = None
_usual_lock = threading.Lock()


def default_device() -> Device:
    """The device of what names none: made when it is first asked for, as ``WEFT_DEVICE`` says, or else golden."""
    global _usual
    with _usual_lock:
        if _usual is None or _usual._native is None:
            _usual = Device(os.environ.get("WEFT_DEVICE") or "golden")
        return _usual
