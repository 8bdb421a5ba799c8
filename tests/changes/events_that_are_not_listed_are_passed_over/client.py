from variant import NotListedPiece
from variant.streams import NotListedStream, UnknownEvent

print(NotListedStream.encode(NotListedPiece(type="piece", text="a")))
print(NotListedStream.encode(UnknownEvent("other", None)))
