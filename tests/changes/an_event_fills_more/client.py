from variant.streams import FillsMoreStream

print(FillsMoreStream())
