from variant.streams import AskedForStream

print(AskedForStream.REQUEST)
