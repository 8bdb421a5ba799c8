from variant.streams import ResultComesStream

print(ResultComesStream())
