from variant.streams import FailsNowStream

print(FailsNowStream())
