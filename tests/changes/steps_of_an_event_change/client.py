from variant.streams import TalesStream

print(TalesStream())
