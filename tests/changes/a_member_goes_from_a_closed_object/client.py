from variant import MemberGoesClosed


def read(value: MemberGoesClosed) -> int | None:
    return value.size
