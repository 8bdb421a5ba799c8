from variant import LimitOfAMap

print(LimitOfAMap(sizes={"a": 1}))
