"""Words of the names that declarations get from the place they stand at."""


class EntryName(str):
    """What one entry of an array is called, in the singular; `whole` says the array first."""

    whole: str


def item_name(plural: str) -> EntryName:
    """What one entry of an array is called: `choices` -> `choice`, `data` -> `data_item`; in whole,
    `choices_item`.
    """
    name = EntryName(_singular(plural))
    name.whole = f"{whole_name(plural)}_item"
    return name


def whole_name(part: str) -> str:
    """A part of a name that tells the entries of an array from a member called as they are."""
    return part.whole if isinstance(part, EntryName) else part


def _singular(plural: str) -> str:
    lower = plural.lower()
    if lower.endswith("ies") and len(plural) > 4:
        return plural[:-3] + "y"
    if lower.endswith(("sses", "xes", "ches", "shes", "uses")):
        return plural[:-2]
    if lower.endswith("s") and not lower.endswith(("ss", "us", "is", "news", "series")):
        return plural[:-1]
    return plural + "_item"
