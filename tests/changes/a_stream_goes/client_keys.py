from variant.streams import StreamGoesStream

print(StreamGoesStream())
