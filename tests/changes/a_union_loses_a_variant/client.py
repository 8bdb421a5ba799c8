from variant import UnionLoses, UnionLosesB

value = UnionLoses(it=UnionLosesB(kind="b"))
