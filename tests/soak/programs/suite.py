"""suite.py MODULE: one module of python's test suite; how many tests were run, and which did not pass."""
import io
import sys
import unittest
import warnings

warnings.simplefilter("ignore")
from test import support  # noqa: E402 (as regrtest does: no network, nothing large)

# A test that fails when the machine is slow: it compares seconds with a constant.
BY_CLOCK = {"test.test_re.ReTests.test_search_anchor_at_beginning"}

support.use_resources = []
support.verbose = 0  # or test_sort says what it has drawn by chance
tests = unittest.defaultTestLoader.loadTestsFromName(sys.argv[1])
for test in (t for group in tests for t in getattr(group, "_tests", [])):
    if test.id() in BY_CLOCK:
        setattr(test, test.id().rpartition(".")[2], lambda: None)
result = unittest.TextTestRunner(stream=io.StringIO(), verbosity=0).run(tests)
print(sys.argv[1], result.testsRun, "tests", len(result.skipped), "skipped")
for test, _ in sorted(result.failures + result.errors, key=lambda pair: pair[0].id()):
    print("did not pass:", test.id())
