from variant import IsDeprecated


def read(value: IsDeprecated) -> str | None:
    return value.name
