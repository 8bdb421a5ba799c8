from variant import OtherClass


def read(value: OtherClass) -> str | None:
    return value.held.name
