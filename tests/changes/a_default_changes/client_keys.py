from variant import DefaultChanges


def read(value: DefaultChanges) -> int | None:
    return value.get("size")
