from variant import InsideGains


def read(value: InsideGains) -> list[str]:
    return value.states or []
