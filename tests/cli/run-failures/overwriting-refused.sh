# Outputs that would overwrite the database, the program or the trace that is read are refused before anything starts.
. "$SRC/tests/cli/run/lib.bash"
"$MEMSPY" run -q --machine dash --db runs.db --trace good.trace "$PROGRAMS/walk"
cp "$PROGRAMS/talk" talk
ln -s runs.db link
ln good.trace hard.trace
cp runs.db before.db
cp good.trace before.trace

# refuses WORDS MEMSPY-ARGUMENTS: with status 125 where a program would have been run
refuses() {
	local words=$1
	shift
	"$MEMSPY" "$@" <<<hello >out 2>err
	local got=$? want=2
	[ "$1" != run ] && [ "$1" != sample ] || want=125
	[ $got = $want ] || fail "$*: exit status $got"
	[ "$(head -n 1 err)" = "memspy: $words; name another file" ] || fail "$*: says $(cat err)"
	[ ! -s out ] || fail "$*: it prints $(cat out)"
	cmp -s runs.db before.db || fail "$*: the database was changed"
	cmp -s good.trace before.trace || fail "$*: the trace was changed"
	cmp -s talk "$PROGRAMS/talk" || fail "$*: the program was changed"
}
refuses '--trace runs.db would be written over the run database' run --db runs.db --trace runs.db ./talk
refuses '--trace link would be written over the run database' run --db runs.db --trace link ./talk
refuses '-o ./runs.db would be written over the run database' run --db runs.db -o ./runs.db ./talk
refuses '--trace talk would be written over the program' run --db runs.db --trace talk ./talk
refuses '--trace new would be written over the report' run --db runs.db -o new --trace new ./talk
refuses '-o runs.db would be written over the run database' sample --db runs.db -o runs.db ./talk
refuses '-o runs.db would be written over the run database' replay --db runs.db --machine dash -o runs.db good.trace
refuses '-o hard.trace would be written over the trace' replay --db runs.db --machine dash -o hard.trace good.trace
for command in report 'lines' 'runs' 'show --data aligned' 'export callgrind' html 'diff @1 @1'; do
	# shellcheck disable=SC2086 # words
	refuses '-o runs.db would be written over the run database' $command --db runs.db -o runs.db
done
# What is no file can be had more than once, and a name is not what it is called elsewhere.
"$MEMSPY" run --machine dash --db other.db --trace /dev/null -o /dev/null ./talk <<<hello >out 2>err
[ $? = 3 ] || fail "/dev/null: says $(cat err)"
"$MEMSPY" run -q --machine dash --db other.db --trace true true || fail "true: exit status $?"
"$MEMSPY" check true >out || fail "true: $(cat out)"
finish
