# A tag that could mean another run is refused before anything is simulated; valid tags find their run.
printf '2 400\n0 1000\n' >trace.din
for tag in latest 12 '' @x; do
	"$MEMSPY" replay --db runs.db --tag "$tag" trace.din 2>&1 | head -n 1
done
[ -e runs.db ] && echo "a run was kept"
"$MEMSPY" replay -q --db runs.db --tag din2 trace.din
"$MEMSPY" report --db runs.db --json @din2 | grep '"tag"'
