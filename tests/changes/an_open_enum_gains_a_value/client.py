from variant import OpenGains


def read(value: OpenGains) -> str:
    return value.state
