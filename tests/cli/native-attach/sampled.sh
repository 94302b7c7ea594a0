# memspy run --attach with --sample, --error and --sample-sets simulates the requested part of the program and extrapolates;
# code and blocks that disappear between windows are forgotten.
. "$SRC/tests/cli/run/lib.bash"
export GLIBC_TUNABLES=
machine=(--machine memspy-1992-matmul --l1 '32K,1,64')
gcc -std=gnu17 -O1 -g -pthread -Wall -Wextra -o attached "$SRC/tests/cli/native-attach/attach.c" || fail "gcc attach.c"
mkfifo in

# attach NAME [OPTION...]: to two threads; the program is unharmed
attach() {
	local name=$1 program
	shift
	./attached <in >attached.out &
	program=$!
	exec 9>in
	until grep -q ready attached.out; do sleep 0.01; done
	timeout -s KILL 60 "$MEMSPY" run -q --attach $program --duration $duration --db "$name.db" "${machine[@]}" "$@" --json -o "$name.json" 2>"$name.err" ||
		fail "$name: exit status $?: $(cat "$name.err")"
	kill -0 $program || fail "$name: it has ended"
	exec 9>&-
	wait $program
	[ $? = 7 ] || fail "$name: it ends otherwise"
	[ "$(tail -n 1 attached.out)" = 'many rounds, wrong 0' ] || fail "$name: it prints $(cat attached.out)"
}

duration=2 # on a busy machine little of it is the program's
attach windows --sample 1/100 --window 20K --trace trace
expect windows <<'END'
report['run']['sampling']['windows'] >= 10
report['run']['sampling']['references'] < report['run']['sampling']['total'] / 20
report['run']['sampling']['total_high'] < 1.5 * report['run']['sampling']['total']
END
"$MEMSPY" replay -q --db windows.db trace || fail "replay: exit status $?"
replayed=$(sqlite3 windows.db 'select count(distinct instructions), count(distinct total), count(distinct windows) from run join sampling on run = id')
[ "$replayed" = '1|1|1' ] || fail "replayed: $(sqlite3 windows.db 'select instructions, total, windows from run join sampling on run = id')"
attach auto --sample auto
duration=0.6
attach error --sample 1/10 --error 10%
attach sets --sample-sets 1/16
attach both --sample 1/10 --window 20K --sample-sets 1/16
for name in auto error sets both; do
	expect $name <<-'END'
		report['run']['sampling']['total'] > 1000000
		report['run']['sampling']['references'] <= report['run']['sampling']['total']
	END
done
# Each reference of fill() comes with as many cycles, whatever part of them is seen; of sets they are known.
python3 - <<'END' || failures=$((failures + 1))
import json

def cycles_per_reference(name):
    fill = next(row for row in json.load(open(name + '.json'))['code'] if row['name'] == 'fill')
    return fill['compute_cycles'] / sum(fill['references'].values())

known = cycles_per_reference('sets')
wrong = {n: c for n in ('windows', 'auto', 'error', 'both') if not 0.75 * known < (c := cycles_per_reference(n)) < 1.33 * known}
if wrong:
    raise SystemExit(f'cycles for each reference: {wrong}, expected {known}')
END
"$MEMSPY" report --db auto.db | tr -s '\n ' ' ' | grep -q 'it is so short' && fail "auto: $("$MEMSPY" report --db auto.db)"

# Libraries that come where others were, with blocks of their own.
setarch -R "$PROGRAMS/reload" library 10000 "$PROGRAMS/reload-a" "$PROGRAMS/reload-b" >reload.out &
program=$!
sleep 0.1
timeout -s KILL 60 "$MEMSPY" run -q --attach $program --duration 0.6 --db library.db --sample 1/10 --window 2K "${machine[@]}" 2>reload.err ||
	fail "library: exit status $?: $(cat reload.err)"
wait $program || fail "library: it ends with $?"
grep -q ', wrong 0 times$' reload.out || fail "library: it prints $(cat reload.out)"
used=$(sqlite3 library.db "select distinct code, data from bin where code glob '*_fill' and data glob '*_block' order by 1")
[ "$used" = "first_fill|long int.first_block"$'\n'"second_fill|long int.second_block" ] || fail "library: $used"

# Windows are opened by a signal: a program that has a use for it is left alone, and can be attached to otherwise.
gcc -o keeps -x c - <<<'#include <signal.h>
#include <unistd.h>
int main(void) { char c; signal(61, SIG_IGN); return read(0, &c, 1) == 0 ? 5 : 6; }' || fail "gcc keeps"
./keeps <in &
program=$!
exec 9>in
until grep -q '^SigIgn:.*1[0-9a-f]\{15\}$' /proc/$program/status; do sleep 0.01; done
timeout -s KILL 60 "$MEMSPY" run -q --attach $program --duration 1 --sample 1/10 --db none.db 2>keeps.err
[ $? != 0 ] && grep -q 'uses signal 61 itself' keeps.err || fail "keeps: says $(cat keeps.err)"
exec 9>&-
wait $program
[ $? = 5 ] || fail "keeps: it ends otherwise"
finish
