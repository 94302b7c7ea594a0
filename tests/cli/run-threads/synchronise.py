"""synchronise.py MODE PRINTED REPORT: the misses of tests/programs/synchronise.c that are known in advance."""
import json
import sys

mode = sys.argv[1]
misses, repeated = map(int, open(sys.argv[2]).read().split())
bins = json.load(open(sys.argv[3]))["bins"]
LINES = 16


def count(data, codes=None):
    """Invalidations in the first level, and those by false sharing."""
    found = [b for b in bins if b["data"] == data and (codes is None or b["code"] in codes)]
    levels = [b["levels"][0] for b in found]
    return len(found), sum(l["causes"]["invalidation"] for l in levels), sum(l["false_sharing"] for l in levels)


for data, codes in ("counter", ["take_turn"]), ("shared", ["inside"]), ("lines", None), ("versions", None), ("sums", None):
    bins_found, lost, false = count(data, codes)
    if bins_found == 0:
        continue
    if data == "lines" and mode == "seqlock":
        print(mode, data, "of readers that repeat" if false <= repeated * LINES else "false %d of %d repeated" % (false, repeated))
    elif data == "lines":
        print(mode, data, "as printed" if lost == misses else "%d, not %d" % (lost, misses), "false", false)
    else:
        print(mode, *(codes or []), data, "invalidations", lost, "false", false)
