from variant import UnionLoses, UnionLosesB

variant: UnionLosesB = {"kind": "b"}
value: UnionLoses = {"it": variant}
