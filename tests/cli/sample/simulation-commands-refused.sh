# Commands that need a simulation refuse runs of memspy sample with a message.
db=$("$DBS/make" hardware)
for command in evictions sharing threads pmu 'accuracy timer'; do
	"$MEMSPY" $command --db "$db" pebs 2>&1
	echo "status $?"
done
"$MEMSPY" report --db "$db" pebs --sort references 2>&1
"$MEMSPY" report --db "$db" pebs --latency memory=300 2>&1 | head -1
