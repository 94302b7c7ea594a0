# Natively, the order of threads on several simulated processors does not contradict the program's synchronisation, run after
# run: threads that take turns invalidate each other's line with each turn, and readers of a table have no sharing misses; if
# its lines are written now and then, as a whole, none by false sharing.
for run in 1 2 3; do
	for how in cond sem spin table rare; do
		"$MEMSPY" run -q --frontend native --processors 4 --l1 64K,8,64 --ll 1M,16,64 --db runs.db --json -o report.json -- "$PROGRAMS/turns" $how >/dev/null
		python3 - $how <<'END'
import json, sys
how = sys.argv[1]
bins = json.load(open("report.json"))["bins"]
for data in "counter", "table", "sums", "lines":
    found = [b["levels"][0] for b in bins if b["data"] == data and b["code"] in ("take_turns", "post_turns", "spin_turns", "read_table", "use_lines", "write_lines")]
    if not found:
        continue
    lost = sum(f["causes"]["invalidation"] for f in found)
    if data == "lines":  # all 16 are read by those of the other three threads that come between two of 50 writes
        lost = "of tables" if 0 < lost <= 50 * 16 * 3 and lost % 16 == 0 else lost
    print(how, data, "invalidations", lost, "false", sum(f["false_sharing"] for f in found))
END
	done
done
