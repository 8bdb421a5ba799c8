from variant import Multiple

print(Multiple(size=6))
