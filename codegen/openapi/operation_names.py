"""What operations are called: by their `operationId` (OpenAPI 3.1 section 4.8.10), else after their
place.

In: where the operations of a document stand. Out: a name for each, all different, which depends on
what the document holds and not on its order. Rules: an `operationId` that several have names none
of them; an operation without one is called after its method and path, in a callback after that and
its owner; those that would be called the same say more of their place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from codegen.diagnostics import Diagnostics
from codegen.openapi.path_item import Site

_Names = Mapping[Site, str]


def name_operations(sites: Sequence[Site], diagnostics: Diagnostics) -> dict[Site, str]:
    """Name every operation; SB208 tells of each whose `operationId` another one has."""
    stated = Counter(site.node.text("operationId") for site in sites)
    names: dict[Site, str] = {}
    for site in sites:
        id_ = site.node.text("operationId")
        if id_ and stated[id_] == 1:
            names[site] = id_
        elif id_:
            message = f"another operation is called {id_!r} too"
            diagnostics.add("SB208", message, origin=site.node.child("operationId").origin)
    rest = [site for site in sites if site not in names]
    for spell in _WAYS:
        wanted = {site: spell(site, names) for site in rest}
        counts, used = Counter(wanted.values()), {*names.values()}
        names |= {it: name for it, name in wanted.items() if counts[name] == 1 and name not in used}
        rest = [site for site in rest if site not in names]
    used = {*names.values()}
    for site in rest:
        name = _by_place(site, names)
        while name in used:  # someone wrote it as an `operationId`
            name += "_"
        names[site] = name
    return names


def _by_method(site: Site, names: _Names) -> str:
    callback = site.callback
    if callback is None:
        return f"{site.method} {site.path}"
    if callback.owner is None or callback.is_component:
        return f"{callback.name} {site.method}"
    owner = names.get(callback.owner) or _by_method(callback.owner, names)
    return f"{owner} {callback.name} {site.method}"


def _by_path(site: Site, names: _Names) -> str:
    return f"{_by_method(site, names)} {site.path}"


def _by_place(site: Site, names: _Names) -> str:
    """No two have the same method, and path items at the same place in the same owners."""
    pointers: list[str] = []
    outer: Site | None = site
    while outer is not None:
        pointers.append(outer.items[0].pointer)
        outer = None if outer.callback is None else outer.callback.owner
    return f"{_by_path(site, names)} {' '.join(reversed(pointers))}"


_WAYS: tuple[Callable[[Site, _Names], str], ...] = (_by_method, _by_path)
