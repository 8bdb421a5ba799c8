from variant import ObjectOpens


def read(value: ObjectOpens) -> str | None:
    return value.get("name")
