# A library is unloaded between windows and another one is loaded at its address: no stale translation is executed, and code,
# variables and blocks have the new names.
. "$SRC/tests/cli/run/lib.bash"
export GLIBC_TUNABLES=
# Natively between windows, from the start.
export MEMSPY_NATIVE_COUNTED=0
a="$PROGRAMS/reload-a" b="$PROGRAMS/reload-b"

# run HOW [OPTION...]: as natively, where each came to lie where the other was
run() {
	local how=$1
	shift
	timeout -s KILL 60 "$PROGRAMS/reload" $how 400 "$a" "$b" >alone.out || fail "$how: status $? natively"
	grep -q '\( moved 0 times\|3 threads\), wrong 0 times$' alone.out || fail "$how: natively: $(cat alone.out)"
	rm -f runs.db
	timeout -s KILL 120 "$MEMSPY" run -q --frontend native --db runs.db --trace trace "$@" -- "$PROGRAMS/reload" $how 400 "$a" "$b" >run.out 2>run.err ||
		fail "$how $*: status $?, $(cat run.err)"
	cmp run.out alone.out || fail "$how $*: $(cat run.out)"
	"$MEMSPY" check trace >checked || fail "$how $*: $(cat checked)"
}

# named WHAT LIBRARY FUNCTION TABLE BLOCK: the function has used its own library's data and nothing else
named() {
	local used
	used=$(sqlite3 runs.db "select distinct data from bin where code = '$3' and data != '<stack>' and data not like '$2[%' order by data = '$5'")
	[ "$used" = "$4"$'\n'"$5" ] || fail "$1: $3 uses $used"
	used=$(sqlite3 runs.db "select distinct code from bin where data in ('$4', '$5') and code not in ('$3', 'memset') and code not like '%alloc%'
		and code not like '%free%'")
	[ -z "$used" ] || fail "$1: $4 or $5 is used by $used"
	[ "$(sqlite3 runs.db "select objects from data where name = '$5'")" = 200 ] ||
		fail "$1: blocks: $(sqlite3 runs.db "select objects, full_name from data where objects > 0")"
}

# both HOW [OPTION...]
both() {
	run "$@"
	named "$*" reload-a first_fill first_table 'long int.first_block'
	named "$*" reload-b second_fill second_table 'long int.second_block'
}

both library
both library --sample 1/10 --window 2K
both library --sample 1/10 --window 10K
both renamed --sample 1/10 --window 2K
run file --sample 1/10 --window 2K
run threads --sample 1/10 --window 2K
finish
