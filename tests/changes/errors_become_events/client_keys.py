from variant.streams import FailsNoMoreStream

print(FailsNoMoreStream())
