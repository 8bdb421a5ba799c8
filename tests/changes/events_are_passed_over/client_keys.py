from variant.streams import PassedOverStream

print(PassedOverStream())
