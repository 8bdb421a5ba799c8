from variant import OtherEventsOne
from variant.streams import OtherEventsStream


def read(stream: OtherEventsStream) -> list[OtherEventsOne]:
    return list(stream.iter([b""]))
