from variant import UnionGains


def read(value: UnionGains) -> str | None:
    if value["it"]["kind"] == "a":
        return "a"
    return None
