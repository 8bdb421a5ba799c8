from variant import LimitLooser


def read(value: LimitLooser) -> int:
    return value["size"]
