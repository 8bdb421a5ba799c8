from variant import FewerMembers

print(FewerMembers(size=1))
