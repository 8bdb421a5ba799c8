from variant import UnionGains, UnionGainsA


def read(value: UnionGains) -> str | None:
    if isinstance(value.it, UnionGainsA):
        return value.it.of_a
    return None
