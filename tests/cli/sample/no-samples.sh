# The report of a program that sleeps has no samples and no shares.
. "$SRC/tests/cli/run/lib.bash"
"$MEMSPY" sample --event timer --db runs.db sleep 0.1 2>first.txt || fail "exit status $?"
"$MEMSPY" report --db runs.db >report.txt || fail "report: exit status $?"
grep -q '^Sampled:.*no samples' report.txt || exit 0 # a slow machine: there was one
for text in first report; do
	grep -qi 'nan' $text.txt && fail "$text: $(grep -i nan $text.txt)"
	grep -q '^Processor time that was sampled: 0 ns$' $text.txt || fail "$text: $(cat $text.txt)"
done
finish
