from variant import LimitStricter


def read(value: LimitStricter) -> int:
    return value.size
