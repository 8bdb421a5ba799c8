from variant import NullNoMore

value = NullNoMore(name=None)
