from variant.streams import ResultGoesStream

print(ResultGoesStream().result())
