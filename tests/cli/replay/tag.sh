# A tag that means a run already is refused, before anything is simulated; others find the run.
printf '2 400\n0 1000\n' >trace.din
for tag in latest 12 '' @x; do
	"$MEMSPY" replay --db runs.db --tag "$tag" trace.din 2>&1 | head -n 1
done
[ -e runs.db ] && echo "a run was kept"
"$MEMSPY" replay -q --db runs.db --tag din2 trace.din
"$MEMSPY" report --db runs.db --json @din2 | grep '"tag"'
