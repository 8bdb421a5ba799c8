from variant import TypeNarrower

value: TypeNarrower = {"size": 1.5}
