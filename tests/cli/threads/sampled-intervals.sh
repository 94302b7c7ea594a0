# Compute time, stall time and references of a sampled run have intervals, and the report says which figures have none; with one
# processor these two are all of the time.
db=$("$DBS/make" windows)
"$MEMSPY" threads --db "$db" --width 120 | sed -n '/^TIME/,$p'
"$MEMSPY" threads --db "$db" --by code --top 1 --width 100 | sed -n '/^FUNC/,/^$/p'
"$MEMSPY" threads --db "$db" --by code --processor 0 --csv | cut -d, -f 5-10,18-
"$MEMSPY" threads --db "$db" --json >threads.json
python3 - <<'END'
import json
threads = json.load(open("threads.json"))
def rounded(intervals):
    return {key: b and [round(b["low"]), round(b["high"])] for key, b in intervals.items()}
print(rounded(threads["totals"]["intervals"]))
for kind in ("processors", "threads", "code"):
    print(kind, rounded(threads[kind][0]["intervals"]))
END
sqlite3 "$db" 'update run set processors = 1, nodes = 1; delete from thread; delete from wait; delete from thread_miss; delete from line_time;
	delete from sharing; update cell set processor = 0; update miss set peer = 0, remote = 0'
"$MEMSPY" threads --db "$db" --width 120 | sed -n '/^TIME/,$p'
