# Under Valgrind, the order of threads on several simulated processors does not contradict how they wait for each other, also where they spin
# on a flag: threads that take turns invalidate each other's line with each turn.
for processors in 2 4; do
	for how in cond sem spin table rare; do
		"$MEMSPY" run -q --frontend valgrind --processors $processors --l1 64K,8,64 --ll 1M,16,64 --db runs.db --json -o report.json -- "$PROGRAMS/turns" $how >/dev/null || exit
		python3 - $processors $how <<'END'
import json, sys
bins = json.load(open("report.json"))["bins"]
for data in "counter", "table", "sums", "lines":
    found = [b["levels"][0] for b in bins if b["data"] == data and b["code"] in ("take_turns", "post_turns", "spin_turns", "read_table", "use_lines", "write_lines")]
    if found:
        lost = sum(f["causes"]["invalidation"] for f in found)
        if data == "lines":  # all 16, as in native/threads-in-order-of-synchronisation.sh
            lost = "of tables" if 0 < lost <= 50 * 16 * 3 and lost % 16 == 0 else lost
        print(*sys.argv[1:], data, "invalidations", lost, "false", sum(f["false_sharing"] for f in found))
END
	done
done
