"""JSON to typed values and back: what the variants have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, overload

from . import jsontext
from .decoding import Decoder, Mismatch
from .errors import DecodeError, IncompleteResult, Problem

if TYPE_CHECKING:
    from .explain import Describe

T = TypeVar("T")

TOO_DEEP = Problem("", "fewer objects inside each other", "more than Python can follow")


class Codec:
    """Reads and writes the types of one variant.

    `decoder` finds how a type is decoded, `encode` turns any value into JSON data,
    and `describe` loads what tells what an object may hold. That and the modules that
    ask for it are loaded when data does not fit.
    """

    def __init__(
        self,
        decoder: Callable[[Any], Decoder[Any]],
        encode: Callable[[Any], Any],
        describe: Callable[[], Describe],
    ) -> None:
        self._decoder = decoder
        self._encode = encode
        self._describe = describe

    def prepare(self, tp: Any) -> None:
        """Make what decodes a type, which otherwise happens when it is first used."""
        self._decoder(tp)
        self._describe()

    @overload
    def from_json(self, tp: type[T], obj: Any) -> T: ...
    @overload
    def from_json(self, tp: Any, obj: Any) -> Any: ...
    def from_json(self, tp: Any, obj: Any) -> Any:
        """Decode parsed JSON as a type of this package; raises DecodeError.

        The value keeps parts of `obj`, which should not be changed afterwards.
        """
        decode = self._decoder(tp)
        try:
            return decode(obj)
        except (Mismatch, RecursionError):
            raise DecodeError(self._explain(tp, obj)) from None

    def _explain(self, tp: Any, obj: Any) -> tuple[Problem, ...]:
        from .explain import explain

        try:
            return explain(tp, obj, self._describe())
        except RecursionError:
            return (TOO_DEEP,)

    @overload
    def loads(self, tp: type[T], data: bytes | str) -> T: ...
    @overload
    def loads(self, tp: Any, data: bytes | str) -> Any: ...
    def loads(self, tp: Any, data: bytes | str) -> Any:
        """Decode JSON text as a type of this package; raises DecodeError."""
        try:
            obj = jsontext.parse(data)
        except ValueError as error:
            raise DecodeError((Problem("", "JSON text", str(error)),)) from None
        return self.from_json(tp, obj)

    @overload
    def complete(self, tp: type[T], obj: Any) -> T: ...
    @overload
    def complete(self, tp: Any, obj: Any) -> Any: ...
    def complete(self, tp: Any, obj: Any) -> Any:
        """Decode all that came of an object; raises IncompleteResult if not all did."""
        from .complete import complete

        try:
            return self.from_json(tp, complete(tp, obj, self._describe()))
        except DecodeError as error:
            raise IncompleteResult(error.errors) from None

    @overload
    def fit(self, tp: type[T], obj: Any) -> T: ...
    @overload
    def fit(self, tp: Any, obj: Any) -> Any: ...
    def fit(self, tp: Any, obj: Any) -> Any:
        """Decode what has come of an object, all of whose members may be absent.

        An entry of an array, or a member, that is not yet what its type says, even
        with what goes without saying, is left out.
        """
        decode = self._decoder(tp)
        try:
            return decode(obj)
        except (Mismatch, RecursionError):
            return self._fit_part(tp, obj)

    def _fit_part(self, tp: Any, obj: Any) -> Any:
        from .complete import complete, leave_out

        obj = complete(tp, obj, self._describe())
        while True:
            try:
                return self.from_json(tp, obj)
            except DecodeError as error:
                pointer = error.errors[-1].pointer
                if not pointer:
                    raise
                leave_out(obj, pointer)

    def to_json(self, value: Any, tp: Any = None) -> Any:
        """Encode a value as JSON data; raises DecodeError if it does not fit `tp`.

        Raises ValueError for a value that nests too deeply.
        """
        try:
            obj = self._encode(value)
        except RecursionError:
            raise ValueError("nested too deeply") from None
        if tp is not None:
            self.from_json(tp, obj)
        return obj

    def dumps(self, value: Any, tp: Any = None) -> bytes:
        """Encode a value as JSON text; raises DecodeError if it does not fit `tp`."""
        return jsontext.format_bytes(self.to_json(value, tp))
