from variant import TypeChanges


def read(value: TypeChanges) -> int:
    return value.size
