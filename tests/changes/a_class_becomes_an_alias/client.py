from variant import ClassBecomes


def read(value: ClassBecomes) -> int | None:
    return value.size
