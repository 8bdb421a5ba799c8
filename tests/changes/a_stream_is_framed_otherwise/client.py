from variant.streams import FramedOtherwiseStream

print(FramedOtherwiseStream())
