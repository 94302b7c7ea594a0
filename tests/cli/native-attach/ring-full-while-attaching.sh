# memspy run --attach does not deadlock when the first thread fills its ring with descriptions of code before the other threads
# are attached.
. "$SRC/tests/cli/run/lib.bash"
functions=3000
{
	echo '#include <pthread.h>'
	echo '#include <stdio.h>'
	echo '#include <unistd.h>'
	for ((i = 0; i < functions; i++)); do
		echo "static __attribute__((noinline)) int f$i(volatile int *x) { return x[$((i % 7))] > $i ? *x : (*x += $i); }"
	done
	echo 'static int (*const all[])(volatile int *) = {'
	for ((i = 0; i < functions; i++)); do echo "f$i,"; done
	cat <<'REST'
};
enum { THREADS = 200, ALL = sizeof(all) / sizeof(all[0]) };
static volatile int over, x[8];
static void *wait_for_end(void *arg)
{
	char c;
	if (read(0, &c, 1) == 0)
		over = 1;
	return arg;
}
int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, wait_for_end, NULL);
	puts("ready");
	fflush(stdout);
	for (unsigned i = 0; !over; i = (i + 1) % ALL)
		all[i](x);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 5;
}
REST
} >many.c
gcc -O1 -g -pthread -o many many.c || fail gcc
mkfifo in
./many <in >out &
program=$!
exec 9>in
until grep -q ready out; do sleep 0.01; done
timeout -s KILL 100 "$MEMSPY" run -q --attach $program --duration 1 --db runs.db 2>err || fail "exit status $?: $(cat err)"
exec 9>&-
wait $program
[ $? = 5 ] || fail "it ends otherwise"
[ "$(sqlite3 runs.db "select count(distinct code) > 1000 from bin where code glob 'f[0-9]*'")" = 1 ] || fail "what it does is not seen"
finish
