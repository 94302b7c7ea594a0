# Children of a sampled program, forked or executed, are sampled and stored as complete runs of their own.
export MEMSPY_FRONTEND=native
. "$SRC/tests/cli/run/lib.bash"

# follow NAME HOW REFERENCES OPTIONS: NAME.db has the runs
follow() {
	local name=$1 how=$2 n=$3 expected=0
	shift 3
	[ "$how" != exec ] || expected=3
	rm -f "$name.db"
	profile "$name" --follow-forks --machine memspy-1992-matmul "$@" -- "$PROGRAMS/generations" "$how" "$n"
	[ "$status" = $expected ] || fail "$name: $how: exit status $status: $(cat "$name.err")"
	# How many windows open in a time depends on how busy the machine is; that too few did is said rightly.
	! grep -v '^memspy: only [0-9]* windows: ' "$name.err" >"$name.says" || fail "$name: $how: says $(cat "$name.says")"
}

# one NAME HOW RELATION: there is one run of a child, and it has come to its end
one() {
	local found
	found=$(sqlite3 "$1.db" "select relation, ended, exit_status, exists (select 1 from run as from_run where from_run.id = run.parent)
		from run where parent is not null")
	[ "$found" = "$3|exited|3|1" ] || fail "$1: $2: runs of children: $found"
}

# Windows, all references counted; windows between which it runs natively; some sets; some sets in windows.
for how in fork underscore fork-exec vfork spawn exec; do
	relation=fork
	[ $how != exec ] || relation=exec
	follow counted $how 3000000 --sample 1/10 --window 20K
	one counted $how $relation
	sqlite3 counted.db "select '$how', windows > 10, total between 3000000 and 3100000 from sampling join run on run.id = run where parent is not null"
	# How many references it has is estimated: that it had windows to the end says that its timer runs.
	MEMSPY_NATIVE_COUNTED=0 follow natively $how 40000000 --sample 1/10 --window 20K
	one natively $how $relation
	sqlite3 natively.db "select '$how', windows > 20, total > 4000000 from sampling join run on run.id = run where parent is not null"
	follow sets $how 3000000 --l1 32K,4,64 --sample-sets 1/16
	one sets $how $relation
	sqlite3 sets.db "select '$how', refs between 3000000 and 3100000 from (select sum(cell.refs) as refs from cell join run on run.id = cell.run where parent is not null)"
	follow both $how 40000000 --l1 32K,4,64 --sample-sets 1/16 --sample 1/10 --window 20K
	one both $how $relation
	sqlite3 both.db "select '$how', windows > 20, total > 4000000 from sampling join run on run.id = run where parent is not null"
done

# What was written before it became another program is known, too.
sqlite3 counted.db "select total between 4000000 and 4100000 from sampling join run on run.id = run where parent is null"

# Windows and sprints of a program with several threads end at any moment of its fork(): all its children are followed.
for counted in 0 1; do
	rm -f forks.db
	MEMSPY_NATIVE_COUNTED=$counted "$MEMSPY" run -q --follow-forks --db forks.db -o forks.txt --sample 1/2 --window 5K -- "$PROGRAMS/forks" 20 >forks.out 2>forks.err ||
		fail "forks: exit status $?: $(cat forks.err)"
	[ "$(cat forks.out)" = '20 children, 0 wrong' ] || fail "forks: prints $(cat forks.out)"
	[ "$(sqlite3 forks.db "select count(*) from run where parent is not null and exit_status = 3")" = 20 ] ||
		fail "forks: $(sqlite3 forks.db "select count(*) from run where parent is not null") of 20 children"
done

# A child without a window is a run, too; that nothing is known of it is said.
"$MEMSPY" run --follow-forks --db few.db -o few.txt --sample 1/1000 -- "$PROGRAMS/generations" vfork 1000 2>few.err
grep -qx "memspy: 1 of the program's children was over before a window opened; without --sample all are simulated whole" few.err || fail "few: says $(cat few.err)"
"$MEMSPY" report --db few.db @1 | tr '\n' ' ' | grep -q 'Sampled:  none of [^ ]* *[^ ]* references: the program was over before a window opened' || fail "few: reports $("$MEMSPY" report --db few.db @1)"
# It has not 0 references: they are not known.
for command in report lines evictions threads matrix data code; do
	"$MEMSPY" $command --db few.db @1 | tr -s '\n ' ' ' >few.page
	grep -q 'No window opened, so nothing is known' few.page || fail "few: $command says $(cat few.page)"
	! grep -q 'nothing stalls\|References: 0\|no references\|never missed\|never used\|has its data' few.page || fail "few: $command says $(cat few.page)"
done
"$MEMSPY" runs --db few.db --width 200 >few.runs
[ "$(grep -cE '[0-9]\.[0-9] +- +- +- .*generations' few.runs)" = 2 ] || fail "few: lists $(cat few.runs)"
"$MEMSPY" runs --db few.db --json | python3 -c 'import json, sys; assert not any("references" in run for run in json.load(sys.stdin)["runs"])' ||
	fail "few: lists $("$MEMSPY" runs --db few.db --json)"
[ "$(sqlite3 few.db 'select ended, exit_status from run where parent is not null')" = 'exited|3' ] || fail "few: $(sqlite3 few.db 'select * from run')"
finish
