"""same.py DB RUN RUN [TABLE...]: fails where two runs of a database differ in anything that was counted or named, but for these tables.

Every table with a column `run` is compared row by row, run itself but for when and how fast it was.
"""
import sqlite3
import sys
from collections import Counter
from itertools import islice

# And where a live run comes from, which a trace does not hold: neither whether the program was started or attached to, so only live
# runs have the estimate of the dynamic loader's references.
ORIGIN_TABLES = {"environment"}
ORIGIN = {"uid", "build_id", "git_commit", "git_dirty", "host", "bytes"}
ORIGIN_ROWS = {"untraced": " and who <> 'loader'"}
VOLATILE = {"id", "tag", "started", "wall_seconds", "workers"} | ORIGIN


def rows(db, table, run):
    columns = [r[1] for r in db.execute(f"pragma table_info({table})")]
    if table == "run":
        wanted, key = [c for c in columns if c not in VOLATILE], "id"
    elif "run" in columns:
        wanted, key = [c for c in columns if c != "run"], "run"
    else:
        return None
    names = ", ".join(wanted)
    return Counter(db.execute(f"select {names} from {table} where {key} = ?{ORIGIN_ROWS.get(table, '')}", (run,)))


def slice_totals(db, run):
    """Where slices begin depends on how the stream is divided into batches; what all of them have does not."""
    query = "select processor, level, sum(misses) from slice_sum where run = ? group by 1, 2 order by 1, 2"
    return db.execute(query, (run,)).fetchall()


def main():
    db = sqlite3.connect(sys.argv[1])
    tables = {r[0] for r in db.execute("select name from sqlite_master where type = 'table'")}
    different = counted = 0
    for table in sorted(tables - ORIGIN_TABLES - set(sys.argv[4:])):
        one, two = (rows(db, table, run) for run in sys.argv[2:4])
        if one is None:
            continue
        counted += one.total()
        if one != two:
            different += 1
            only = [list(islice(a - b, 2)) for a, b in ((one, two), (two, one))]
            print(f"{table}: {one.total()} and {two.total()} rows; only in one: {only[0]}, {only[1]}")
    if slice_totals(db, sys.argv[2]) != slice_totals(db, sys.argv[3]):
        different += 1
        print("slice_sum: other totals")
    if counted < 10:
        print(f"{counted} rows to compare: too few to believe")
    sys.exit(different > 0 or counted < 10)


main()
