from variant.streams import OthersKeptStream

print(OthersKeptStream())
