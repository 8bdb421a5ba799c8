from variant import HasAnotherName


def read(value: HasAnotherName) -> str | None:
    return value.user_id
