# A program that exits by a raw system call is not reported as having executed another program; one that has executed another of
# its own name is. Both exit statuses are passed on.
. "$SRC/tests/cli/run/lib.bash"
cat >ends.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
enum { BYTES = 1 << 20, ROUNDS = 20, STATUS = 5 };
static void end(void)
{
#ifdef __aarch64__
	register long number __asm__("x8") = SYS_exit_group;
	register long status __asm__("x0") = STATUS;

	__asm__ volatile("svc 0" : : "r"(number), "r"(status));
#else
	__asm__ volatile("syscall" : : "a"((long)SYS_exit_group), "D"((long)STATUS));
#endif
}
int main(int argc, char **argv)
{
	volatile char *block = malloc(BYTES);

	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < BYTES; i++)
			block[i]++;
	if (argc > 1 && strcmp(argv[1], "exec") == 0)
		execl(argv[0], argv[0], (char *)NULL);
	end();
	return 1;
}
END
gcc -O1 -g -o ends ends.c || fail gcc

# ends_so NAME MODE...: runs ./ends under this mode
ends_so() {
	local name=$1
	shift
	timeout -s KILL 60 "$MEMSPY" "$@" >"$name.out" 2>"$name.err"
	local got=$?
	[ $got = 5 ] || fail "$name: exit status $got; says $(cat "$name.err")"
}
options=(-q --db runs.db -o report.txt)
ends_so valgrind run "${options[@]}" --frontend valgrind -- ./ends
ends_so executed run "${options[@]}" --frontend valgrind -- ./ends exec
if [ -e "$BUILD/frontends/memspy-native.so" ]; then
	ends_so native run "${options[@]}" --frontend native -- ./ends
	ends_so sampled run "${options[@]}" --frontend native --sample 1/10 -- ./ends
	ends_so sample sample "${options[@]}" -- ./ends
fi
for said in valgrind native sampled sample; do
	[ ! -s $said.err ] || fail "$said: says $(cat $said.err)"
done
for said in executed.err; do
	grep -q 'ends has replaced itself by another program (exec), which was not followed' "$said" || fail "$said: $(cat "$said")"
done
finish
