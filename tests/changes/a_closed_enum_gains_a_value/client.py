from variant import ClosedGains

value = ClosedGains(state="up")
