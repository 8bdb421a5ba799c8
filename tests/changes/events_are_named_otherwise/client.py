from variant.streams import NamedByStream

print(NamedByStream())
