from variant.streams import StepsStream

print(StepsStream())
