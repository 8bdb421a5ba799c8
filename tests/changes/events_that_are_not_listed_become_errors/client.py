from variant.streams import OnlyListedStream

print(OnlyListedStream())
