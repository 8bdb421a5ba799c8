from variant import MoreMembers

print(MoreMembers(size=1))
