# tests/soak/run passes equal runs, and reports a memspy that changes output, exit status or messages, hangs, leaves a process
# or stores nothing; a seed repeats a mode.
. "$SRC/tests/cli/run/lib.bash"
export TMPDIR=$PWD
soak() { "$SRC/tests/soak/run" "$@" --seconds 0 --only '^process-calls-fork$' --keep kept >soak.out 2>&1; }

soak "$BUILD" --mode 'run --frontend native' || fail "the real one: $(cat soak.out)"
[ "$(tail -n 1 soak.out)" = "1 passed, 0 failed" ] || fail "the real one: $(cat soak.out)"
[ ! -e kept ] || fail "it keeps what did not fail"
for ms in 1 60 5000; do
	soak "$BUILD" --mode "killed:$ms run --frontend native" || fail "memspy is killed after $ms ms: $(cat soak.out)"
done

mkdir -p odd/frontends odd/tests
touch odd/frontends/memspy-native.so
ln -s "$PROGRAMS" odd/tests/programs
# odd_memspy SCRIPT [STATUS]: a memspy that does this with the program's words; its command `runs` ends with that status
odd_memspy() {
	printf '#!/bin/bash\n[ "$1" != runs ] || exit %s\ndb=$4\necho "$*" >%s/words\nwhile [ "$1" != -- ]; do shift; done\nshift\n%s\n' "${2-0}" "$PWD" "$1" >odd/memspy
	chmod +x odd/memspy
}
# odd WANTED SCRIPT: what is reported of it
odd() {
	local wanted=$1
	odd_memspy "$2"
	rm -rf kept
	soak odd --limit 5 --seed 7 && fail "$wanted: passes"
	grep -q "^FAILED process-calls-fork (.*; --seed 7): $wanted" soak.out || fail "not '$wanted': $(cat soak.out)"
	[ "$(tail -n 1 soak.out)" = "0 passed, 1 failed" ] || fail "$wanted: $(cat soak.out)"
	[ -e kept/process-calls-fork.7/traced.out ] || fail "$wanted: nothing is kept"
}
odd 'another stdout: > more' 'echo run >$db; "$@"; s=$?; echo more; exit $s'
odd 'another stderr: > more' 'echo run >$db; "$@"; s=$?; echo more >&2; exit $s'
odd 'exit status 6 instead of 5' 'echo run >$db; "$@"; exit 6'
odd 'hangs: ' 'echo run >$db; "$@"; while :; do :; done'
odd 'hangs: ' 'echo run >$db; "$@"; sleep 1000'
grep -q '^process .*(sleep)' kept/process-calls-fork.7/traced.hang || fail "what hangs is not shown: $(cat kept/process-calls-fork.7/traced.hang)"
odd 'left running: process .* (sleep)' 'echo run >$db; (setsid sleep 998 >/dev/null 2>&1 &) ; "$@"'
! pgrep -f '^sleep 998$' >/dev/null || fail "a process that was left is not killed"
odd 'nothing was traced' '"$@"'

# Killed, and the database cannot be read.
odd_memspy 'echo run >$db; "$@"' 1
soak odd --limit 5 --mode 'killed:5000 run' && fail "a damaged database passes"
grep -q '^FAILED process-calls-fork (killed:5000 run; .*): memspy runs: ' soak.out || fail "a damaged database: $(cat soak.out)"

# Five seeds: the same mode twice each, and not one mode for all of them.
odd_memspy 'echo run >$db; "$@"'
for seed in 1 2 3 4 5 1 2 3 4 5; do
	soak odd --seed $seed || fail "seed $seed: $(cat soak.out)"
	sed 's/--db [^ ]*//' words >>modes
done
cmp <(head -n 5 modes) <(tail -n 5 modes) || fail "a seed does not repeat the mode"
[ "$(sort -u modes | wc -l)" -gt 2 ] || fail "all seeds give the same mode: $(head -n 1 modes)"
finish
