"""What the tests compile is not kept among what the user has compiled."""

import pytest


@pytest.fixture(autouse=True, scope="module")
def own_cache(tmp_path_factory):
    """A cache folder of the tests' own for machine code; what Numba compiles has been placed before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FLEXURA_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
