from variant import InsideGains


def read(value: InsideGains) -> list[str]:
    return value.get("states") or []
