from variant import ClassComesBefore

print(ClassComesBefore())
