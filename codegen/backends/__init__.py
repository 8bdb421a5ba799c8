"""`ir.Api` -> views: what templates lay out, every decision taken. One file per variant.

A new variant is a module here that ends in a `Variant`, a template folder of the same name, and a
line below.
"""

from codegen.backends.dataclasses import DATACLASSES
from codegen.backends.pydantic import PYDANTIC
from codegen.backends.typeddicts import TYPEDDICTS

VARIANTS = {variant.name: variant for variant in (DATACLASSES, TYPEDDICTS, PYDANTIC)}
