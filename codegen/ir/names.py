"""Words of the names that declarations get from the place they stand at."""


def item_name(plural: str) -> str:
    """What one entry of an array is called: `choices` -> `choice`; `data` -> `data_item`."""
    lower = plural.lower()
    if lower.endswith("ies") and len(plural) > 4:
        return plural[:-3] + "y"
    if lower.endswith(("sses", "xes", "ches", "shes", "uses")):
        return plural[:-2]
    if lower.endswith("s") and not lower.endswith(("ss", "us", "is", "news", "series")):
        return plural[:-1]
    return plural + "_item"
