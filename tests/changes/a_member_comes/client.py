from variant import MemberComes

value = MemberComes(name="x")
text: str = value.name
