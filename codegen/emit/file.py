"""Single files, each written in one step: whoever looks finds the old content or the new one."""

import os
from collections.abc import Mapping
from pathlib import Path

from codegen.diagnostics import Diagnostics, Refused

_MARK = ".streambind-"


def write_files(contents: Mapping[Path, bytes], diagnostics: Diagnostics) -> None:
    """Make files hold these bytes, in order, once all of them have found room.

    Folders are made where there are none; what a link leads to is written. Raises `Refused` after
    reporting SB505 (the file system refuses).
    """
    ready: dict[str, str] = {}
    at = Path()
    try:
        for at, content in contents.items():
            place = os.path.realpath(at)
            folder, name = os.path.split(place)
            os.makedirs(folder, exist_ok=True)
            ready[place] = os.path.join(folder, f".{name}{_MARK}{os.urandom(6).hex()}")
            with open(ready[place], "xb") as file:
                file.write(content)
            if os.path.exists(place):
                os.chmod(ready[place], os.stat(place).st_mode)
        for place, beside in ready.items():
            os.replace(beside, place)
    except OSError as error:
        diagnostics.add("SB505", f"cannot write: {error.strerror}", document=str(at))
        raise Refused(diagnostics) from error
    finally:
        for beside in ready.values():
            Path(beside).unlink(missing_ok=True)
