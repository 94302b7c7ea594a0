# A program that uses the signals that open and close windows (61, 62) all the time keeps its handlers and masks, and receives
# its signals.
export MEMSPY_FRONTEND=native
. "$SRC/tests/cli/run/lib.bash"

ours() {
	MEMSPY_NATIVE_COUNTED=0 timeout -s KILL 100 "$MEMSPY" run -q --db ours.db -o ours.txt --sample 1/2 --window 2K --sample-seed $seed -- "$PROGRAMS/window-signals" $signal 20000 >out 2>err ||
		fail "$signal: exit status $?: $(cat err)"
	grep -qx 'wrong: 0 actions, 0 signals, 0 masks' out || fail "$signal, seed $seed: $(cat out)"
}
for signal in 61 62; do
	for seed in 1 2 3; do
		ours
	done
done

# The C library's functions take their time before they make the system call: windows open there, too.
cat >slow.c <<'END'
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigprocmask(int how, const sigset_t *wanted, sigset_t *old)
{
	for (volatile int i = 0; i < 300; i++)
		;
	return (int)syscall(SYS_rt_sigprocmask, how, wanted, old, 8);
}
END
gcc -shared -fPIC -O1 -o slow.so slow.c || fail "slow.c"
export LD_PRELOAD=$PWD/slow.so
signal=61 seed=4 && ours
unset LD_PRELOAD
[ "$(sqlite3 ours.db 'select min(windows) > 5 from sampling')" = 1 ] || fail "windows: $(sqlite3 ours.db 'select windows from sampling')"

# It has them blocked, and takes them when it likes: windows end and begin with some waiting.
cat >waits.c <<'END'
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { CELLS = 4096, TIMES = 2000, AT_ONCE = 3 };
static volatile long cells[CELLS];

int main(void)
{
	sigset_t set;
	siginfo_t info;
	int wrong = 0;

	sigemptyset(&set);
	sigaddset(&set, 61);
	sigaddset(&set, 62);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (int i = 0; i < TIMES; i++) {
		int signal = 61 + i % 2;

		for (int k = 0; k < AT_ONCE; k++)
			sigqueue(getpid(), signal, (union sigval){ .sival_int = AT_ONCE * i + k });
		for (int k = 0; k < 30000; k++)
			cells[k % CELLS]++;
		for (int k = 0; k < AT_ONCE; k++)
			wrong += sigwaitinfo(&set, &info) != signal || info.si_value.sival_int != AT_ONCE * i + k;
	}
	printf("%d wrong\n", wrong);
	return 0;
}
END
gcc -O1 -o waits waits.c || fail "waits.c"
for options in '' '--sample 1/4 --window 2K' '--sample 1/10' '--sample 1/2 --window 1K'; do
	for counted in 0 1; do
		got=$(MEMSPY_NATIVE_COUNTED=$counted timeout -s KILL 100 "$MEMSPY" run -q --db ours.db -o ours.txt $options -- ./waits 2>err) || fail "waits $options: exit status $?: $(cat err)"
		[ "$got" = '0 wrong' ] || fail "waits $options: $got"
	done
done
finish
