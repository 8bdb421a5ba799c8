from variant import HasAnotherName


def read(value: HasAnotherName) -> str | None:
    return value.get("userId")
