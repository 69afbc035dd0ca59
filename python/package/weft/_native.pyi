"""The native half: python/src/."""

from typing import Any, Optional, Union

__version__: str

class Parameter:
    name: str
    type_name: str
    kind: str
    scalar: Optional[str]
    shape: list[int]
    is_const: bool
    size: int

class Code:
    @property
    def kernels(self) -> list[tuple[str, Union[list[Parameter], str]]]: ...
    @property
    def variables(self) -> list[Parameter]: ...
    @property
    def log(self) -> str: ...

class Memory:
    @property
    def size(self) -> int: ...
    @property
    def address(self) -> int: ...
    def read(self, offset: int, size: int) -> bytearray: ...
    def write(self, offset: int, bytes: bytes) -> None: ...

class Device:
    def __init__(
        self,
        engine: str,
        *,
        sms: Optional[int] = None,
        warps: Optional[int] = None,
        threads: Optional[int] = None,
        scratchpad: Optional[int] = None,
        memory: Optional[int] = None,
        stack: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> None: ...
    @property
    def sizes(self) -> dict[str, Any]: ...
    def allocate(self, size: int) -> Memory: ...
    def variable(self, code: Code, name: str) -> Memory: ...
    def launch(
        self,
        code: Code,
        kernel: int,
        dimensions: int,
        grid: tuple[int, int, int],
        cta: tuple[int, int, int],
        values: list[Union[bytes, int]],
    ) -> dict[str, Any]: ...
    def forget(self, code: Code) -> None: ...
    def close(self) -> None: ...

def compile(
    language: str,
    name: str,
    text: Optional[str],
    float: str,
    flags: list[str],
    compiler: Optional[str],
    console: Optional[int],
) -> Union[Code, str]: ...
