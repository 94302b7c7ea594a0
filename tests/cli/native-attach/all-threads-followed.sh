# memspy run --attach follows all threads of a running program for a while, and leaves it running unharmed.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -g -pthread -Wall -Wextra -o attached "$SRC/tests/cli/native-attach/attach.c" || fail "gcc attach.c"

mkfifo in
./attached <in >attached.out &
program=$!
exec 9>in
until grep -q ready attached.out; do sleep 0.01; done

timeout -s KILL 60 "$MEMSPY" run -q --attach $program --duration 1.5 --db runs.db --json -o attach.json 2>attach.err ||
	fail "exit status $?: $(cat attach.err)"
expect attach <<'END'
bin('fill', 'char.first').writes > 8000
bin('fill', 'short int.second').writes > 4000
bin('use_early', '<heap, allocated before attach>').writes >= 200
data('char.first').objects >= 1
data('char.first').allocated_by[0]['function'] == 'main'
report['run']['end'] == 'lost'
END
[ "$(sqlite3 runs.db 'select frontend from run')" = native ] || fail "another front-end"

# It runs on, and will not be attached to again.
kill -0 $program || fail "it has ended"
timeout -s KILL 60 "$MEMSPY" run -q --attach $program --duration 1 --db runs.db 2>again.err && fail "twice"
grep -q '^memspy: process [0-9]*: memspy has been there before' again.err || fail "twice: says $(cat again.err)"
sleep 0.3
exec 9>&-
wait $program
[ $? = 7 ] || fail "it ends otherwise"
[ "$(tail -n 1 attached.out)" = 'many rounds, wrong 0' ] || fail "it prints $(cat attached.out)"

# A program that memspy starts is not left.
timeout -s KILL 60 "$MEMSPY" run -q --duration 1 --db none.db -- true 2>started.err && fail "a program that is started"
grep -q '^memspy: --duration 1 is for a program that runs already' started.err || fail "started: says $(cat started.err)"

# refused STATUS WHAT OPTIONS...: clearly, and before anything is done to the program
refused() {
	local expected=$1 what=$2
	shift 2
	timeout -s KILL 60 "$MEMSPY" run -q --attach $$ --db none.db "$@" 2>refused.err
	[ $? = $expected ] || fail "$*: is not refused"
	grep -q "$what" refused.err || fail "$*: says $(cat refused.err)"
	! grep -q 'Use --frontend valgrind' refused.err || fail "$*: advises $(cat refused.err)"
}
refused 125 '^memspy: --frontend valgrind: ' --frontend valgrind
refused 125 '^memspy: --start-stopped: ' --start-stopped
refused 126 'simulates one processor. Start it with memspy run' --processors 4

# What cannot be attached to is left alone, with the reason.
timeout -s KILL 60 "$MEMSPY" run -q --attach $program --db none.db 2>gone.err && fail "a process that is gone"
grep -q "^memspy: --attach $program: there is no such process" gone.err || fail "gone: says $(cat gone.err)"
gcc -static -o static -x c - <<<'#include <unistd.h>
int main(void) { char c; return read(0, &c, 1) == 0 ? 5 : 6; }' || fail "gcc -static"
./static <in &
program=$!
exec 9>in
timeout -s KILL 60 "$MEMSPY" run -q --attach $program --duration 1 --db none.db 2>static.err && fail "a static program"
grep -q 'cannot follow it: it is statically linked' static.err || fail "static: says $(cat static.err)"
exec 9>&-
wait $program
[ $? = 5 ] || fail "static: it ends otherwise"
# Another user's, which only root gets so far with: nothing was loaded, so that its user still may.
if [ "$(id -u)" = 0 ]; then
	setpriv --reuid 65534 --clear-groups sleep 60 &
	program=$!
	until grep -q '^Uid:[[:blank:]]*65534' /proc/$program/status && grep -q sleep /proc/$program/comm; do sleep 0.01; done
	timeout -s KILL 60 "$MEMSPY" run -q --attach $program --duration 1 --db none.db 2>user.err
	[ $? = 126 ] || fail "another user: exit status"
	grep -q "^memspy: process $program is another user's, who may not open memspy's memory. Attach as that user: sudo -u '#65534' " user.err ||
		fail "another user: says $(cat user.err)"
	grep -q memspy /proc/$program/maps && fail "another user: memspy is in it"
	kill $program
	wait $program
fi
finish
