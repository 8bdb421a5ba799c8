from variant import BecomesNullable


def read(value: BecomesNullable) -> str:
    return value["name"]
