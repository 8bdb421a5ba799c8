from variant import ClassGoes

print(ClassGoes)
