from variant import MemberGoes


def read(value: MemberGoes) -> int | None:
    return value.size
