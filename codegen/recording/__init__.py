"""A recorded body held beside the document: what each event is, changes, and deviates in.

Nothing here parses a body, checks a value or joins events: the package that the document gives is
made, imported, and fed. What it does not tell (where in the document a value is declared, and what
open types take without being asked) is read from the IR.
"""
