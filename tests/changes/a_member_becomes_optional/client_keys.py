from variant import BecomesOptional


def read(value: BecomesOptional) -> str:
    return value.get("name")
