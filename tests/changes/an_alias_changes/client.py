from variant import AliasChanges

value: AliasChanges = 1
