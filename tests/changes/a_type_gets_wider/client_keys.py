from variant import TypeWider


def read(value: TypeWider) -> int:
    return value["size"]
