from variant import ClosedLoses

value: ClosedLoses = {"state": "down"}
