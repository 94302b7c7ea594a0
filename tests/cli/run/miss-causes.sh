# Replacement misses are divided into conflict and capacity misses: estimated and exactly, by any number of workers.
. "$SRC/tests/cli/run/lib.bash"
printf '%s\n' '[machine]' 'text = a machine of a test' '[level L1]' 'size = 16K' 'ways = 4' 'line = 64' 'latency = 0' \
	'[level L2]' 'size = 64K' 'ways = 8' 'line = 64' 'latency = 10' '[memory]' 'latency = 100' >two-levels.ini
profile_quiet bounds --conflicts --machine ./two-levels.ini -- "$PROGRAMS/three-causes"
profile_quiet exact --machine ./two-levels.ini --exact-3c -- "$PROGRAMS/three-causes"
for name in bounds exact; do
	expect $name <<'END'
bin('walk_column', 'matrix').levels[0].replaced == 4000 * 32 - 32
bin('walk_column', 'matrix').levels[0].row['replacement']['conflict'] >= 0.95 * (4000 * 32 - 32)
bin('walk_column', 'matrix').levels[0].row['replacement']['capacity'] == 0
bin('walk_column', 'matrix').levels[1].replaced == 4000 * 32 - 32
bin('walk_column', 'matrix').levels[1].row['replacement']['conflict'] == 4000 * 32 - 32
bin('sweep', 'large').levels[0].replaced == 5 * 16384
bin('sweep', 'large').levels[0].row['replacement']['capacity'] >= 0.8 * 5 * 16384
bin('sweep', 'large').levels[0].row['replacement']['conflict'] == 0
bin('sweep', 'large').levels[1].row['replacement']['capacity'] == 5 * 16384
bin('use_small', 'small').levels[0].replaced <= 64
bin('use_small', 'small').levels[1].replaced <= 64
END
done
expect exact <<'END'
report['run']['division'] == 'exact'
bin('walk_column', 'matrix').levels[0].row['replacement']['conflict'] == 4000 * 32 - 32
bin('walk_column', 'matrix').levels[0].row['replacement']['ambiguous'] == 0
bin('sweep', 'large').levels[0].row['replacement']['capacity'] == 5 * 16384
END

# A longer run: parts are observed.
profile_quiet long --conflicts --machine ./two-levels.ini --trace causes.trace -- "$PROGRAMS/three-causes" 20
expect long <<'END'
report['run']['division'] == 'bounds'
0.05 < report['run']['observed_part'] < 0.5
bin('walk_column', 'matrix').levels[0].row['replacement']['conflict'] >= 0.95 * 20 * 4000 * 32
bin('walk_column', 'matrix').levels[1].row['replacement']['conflict'] >= 0.95 * 20 * 4000 * 32
bin('sweep', 'large').levels[0].row['replacement']['capacity'] >= 0.9 * 20 * 6 * 16384
bin('sweep', 'large').levels[0].row['replacement']['conflict'] <= 0.02 * 20 * 6 * 16384
bin('sweep', 'large').levels[1].row['replacement']['capacity'] >= 0.9 * 20 * 6 * 16384
END

# By any number of workers, and in a replay.
for workers in 1 2 5; do
	"$MEMSPY" replay -q --db replay.db --conflicts --machine ./two-levels.ini --workers $workers --json -o workers-$workers.json causes.trace
	python3 - long.json workers-$workers.json <<'END' || fail "$workers workers: other causes"
import json, sys
a, b = ({(r["code"], r["data"]): r["levels"] for r in json.load(open(n))["bins"]} for n in sys.argv[1:])
sys.exit(a != b)
END
	sqlite3 replay.db "select level, sets, misses, replaced, name from set_miss s, data d on d.run = s.run and d.data = s.data
		where s.run = (select max(id) from run) order by name, level, sets" >sets-$workers
	cmp sets-1 sets-$workers || fail "$workers workers: other sets"
done
[ -s sets-1 ] || fail 'no sets'
"$MEMSPY" show --db bounds.db --data matrix --code walk_column | grep -A 2 'First reference' | head -n 3
# All rows of the matrix have one set of 64, those of the other data use all.
for data in matrix large; do
	"$MEMSPY" show --db bounds.db --data $data | grep 'by set'
	"$MEMSPY" show --db bounds.db --data $data --json >sets.json
	python3 - <<'END'
import json
for level in json.load(open("sets.json"))["selected"]["cache_sets"]:
    print(level["name"], level["group_sets"], len(level["misses"]), sum(n > 0 for n in level["replacement"]),
          sum(level["misses"]), sum(level["replacement"]))
END
done
# By default it is estimated, with intervals, which contain the exact counts; the same by any number of workers.
"$MEMSPY" replay -q --db replay.db --exact-3c --machine ./two-levels.ini --json -o all.json causes.trace
for workers in 1 2 5; do
	"$MEMSPY" replay -q --db replay.db --machine ./two-levels.ini --workers $workers --json -o default-$workers.json causes.trace
	python3 - default-1.json default-$workers.json <<'END' || fail "$workers workers: other estimates"
import json, sys
a, b = ({(r["code"], r["data"]): r["levels"] for r in json.load(open(n))["bins"]} for n in sys.argv[1:])
sys.exit(a != b)
END
done
cp default-1.json default.json
expect default <<'END'
report['run']['division'] == 'estimated'
0 < report['run']['observed_part'] < 0.05
bin('walk_column', 'matrix').levels[0].row['replacement']['conflict'] >= 0.95 * 20 * 4000 * 32
bin('walk_column', 'matrix').levels[1].row['replacement']['conflict'] >= 0.95 * 20 * 4000 * 32
bin('sweep', 'large').levels[0].row['replacement']['capacity'] >= 0.9 * 20 * 6 * 16384
bin('sweep', 'large').levels[1].row['replacement']['capacity'] >= 0.9 * 20 * 6 * 16384
END
python3 - all.json default.json <<'END' || fail 'an interval without the exact count'
import json, sys
exact, default = ({(r["code"], r["data"]): r["levels"] for r in json.load(open(n))["bins"]} for n in sys.argv[1:])
parts = 0
for key in [("walk_column", "matrix"), ("sweep", "large")]:
    for e, d in zip(exact[key], default[key]):
        for part in ("conflict", "capacity"):
            bounds = d["replacement"]["intervals"][part]
            assert bounds["low"] <= e["replacement"][part] <= bounds["high"], (key, part, bounds)
            parts += 1
assert parts == 8
END
# Not without observed lines.
profile_quiet none --observed-lines none --machine ./two-levels.ini -- "$PROGRAMS/three-causes"
expect none <<'END'
'division' not in report['run']
'replacement' not in bin('walk_column', 'matrix').levels[0].row
END
# Not with several processors, which have another engine; the bins must not show an undivided rest as ambiguous.
profile_quiet threads --conflicts --machine host -- "$PROGRAMS/turns"
expect threads <<'END'
report['run']['processors'] > 1
'division' not in report['run']
'replacement' not in bin('take_turns', 'counter').levels[0].row
END
finish
