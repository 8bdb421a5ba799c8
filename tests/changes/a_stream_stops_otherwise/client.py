from variant.streams import StopsOtherwiseStream

print(StopsOtherwiseStream())
