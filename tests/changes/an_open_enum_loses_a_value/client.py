from variant import OpenLoses


def read(value: OpenLoses) -> str:
    return value.state
