# Every sum of a run gives its totals: by bin, code, data structure, line, processor, cause and evictor, in the report and in
# the database.
. "$SRC/tests/cli/run/lib.bash"
machine=(--machine host --l1 4K,2,32 --l2 32K,4,64 --l3 256K,8,128)
profile_quiet cpp "${machine[@]}" -- "$PROGRAMS/cpp"
profile_quiet threads "${machine[@]}" -- "$PROGRAMS/threads"
profile_quiet freed "${machine[@]}" -- "$PROGRAMS/freed"
profile shell "${machine[@]}" -- /bin/sh -c 'for i in 1 2 3; do echo $i; done'
profile_quiet several "${machine[@]}" --processors 4 -- "$PROGRAMS/threads"
profile_quiet fight --machine dash --processors 8 -- "$PROGRAMS/sharing" near 8
for name in cpp threads freed shell several fight; do
	"$MEMSPY" report --db $name.db --json --by line >$name.lines.json
	python3 "$SRC/tests/cli/run/totals-add-up.py" $name || fail "$name does not add up"
done
finish
