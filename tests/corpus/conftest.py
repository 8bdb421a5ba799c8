"""`made` is the package of each document in turn: all tests of one document run in one worker, one
after the other, so that it is made once.
"""

from collections.abc import Iterator

import pytest

from codegen.diagnostics import Diagnostics
from codegen.source.document import read_document
from tests.corpus.documents import REFUSED, Made, find_documents
from tests.corpus.test_examples import Judged, judge_all

GOOD = [spec for spec in find_documents() if spec.name not in REFUSED]


@pytest.fixture(
    scope="session",
    params=[
        pytest.param(spec, id=spec.name, marks=pytest.mark.xdist_group(spec.name)) for spec in GOOD
    ],
)
def made(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Made]:
    package = Made(request.param, tmp_path_factory.mktemp("corpus"))
    package.open()
    yield package
    package.close()


@pytest.fixture(scope="session")
def judged(made: Made) -> Judged:
    return judge_all(read_document(made.spec, Diagnostics()))
