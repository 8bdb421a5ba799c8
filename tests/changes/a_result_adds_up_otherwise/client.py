from variant.streams import AddsUpStream

print(AddsUpStream().result().text)
