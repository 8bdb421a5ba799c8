from variant import KeyedByStreamSnapshotEntry
from variant.streams import KeyedByStream


def read(stream: KeyedByStream) -> list[KeyedByStreamSnapshotEntry]:
    return stream.result()["entries"]
