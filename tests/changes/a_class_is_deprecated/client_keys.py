from variant import ClassDeprecated


def read(value: ClassDeprecated) -> str | None:
    return value.get("name")
