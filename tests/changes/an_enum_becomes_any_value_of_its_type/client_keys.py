from typing import Literal

from variant import EnumGoes


def read(value: EnumGoes) -> Literal["a", "b"]:
    return value["text"]
