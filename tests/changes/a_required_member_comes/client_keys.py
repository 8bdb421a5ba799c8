from variant import RequiredComes

value: RequiredComes = {"name": "x"}
