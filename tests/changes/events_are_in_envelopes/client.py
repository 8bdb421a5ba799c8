from variant.streams import EnvelopedStream

print(EnvelopedStream())
