from variant.streams import JoinsStream

print(JoinsStream())
