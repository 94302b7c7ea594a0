# A library that has the name of MPI's and does what it does with memory, and a program that uses it.
# What the real ones do depends on their version; tests that run them are beside it.
make_library() {
	cat >libmpi.c <<'END'
#include <stdlib.h>
#include <string.h>

static char *queues[8];
static volatile long arrived[64];

static char *add_queue(int i) { return queues[i] = calloc(1, 4096); }

int MPI_Init(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	add_queue(0); add_queue(1); add_queue(2); add_queue(3);
	add_queue(4); add_queue(5); add_queue(6); add_queue(7);
	return 0;
}

int MPI_Alloc_mem(long n, int info, void *out)
{
	(void)info;
	*(void **)out = malloc(n);
	return 0;
}

__attribute__((noinline)) static long poll_flags(volatile long *flags)
{
	long sum = 0;

	for (int i = 0; i < 8; i++)
		sum += flags[i];
	return sum;
}

/* Waits for so many iterations, as for a message. */
int MPI_Barrier(int iterations)
{
	long sum = 0;

	for (int i = 0; i < iterations; i++)
		sum += poll_flags(arrived);
	return (int)sum;
}

/* A message, copied by a loop. */
int MPI_Send(const double *from, int n)
{
	for (int i = 0; i < n; i++)
		((volatile double *)queues[i / 512 % 8])[i % 512] = from[i];
	return 0;
}
END
	cat >program.c <<'END'
#include <stdlib.h>

int MPI_Init(int *argc, char ***argv);
int MPI_Alloc_mem(long n, int info, void *out);
int MPI_Barrier(int iterations);
int MPI_Send(const double *from, int n);

int main(int argc, char **argv)
{
	double *halo;

	MPI_Init(&argc, &argv);
	double *field = malloc(4096 * sizeof(*field));
	MPI_Alloc_mem(4096 * sizeof(*halo), 0, &halo);
	for (int i = 0; i < 4096; i++) {
		field[i] = i;
		halo[i] = 2 * i;
	}
	MPI_Send(halo, 4096);
	return MPI_Barrier(argc > 1 ? atoi(argv[1]) : 0);
}
END
	gcc -O1 -shared -fPIC -o libmpi.so.40 libmpi.c &&
		gcc -g -O1 -fno-tree-vectorize -fno-builtin -o program program.c ./libmpi.so.40
}

# compile_heat MPICC: examples/heat as ./heat.
compile_heat() {
	"$1" -std=c17 -O1 -g -fno-inline -o heat "$SRC/examples/heat/heat.c" -lm
}

# Prints what a rank's database has of examples/heat: reads of the sources, which are a list, and the rank's caches.
show_sources() {
	"$MEMSPY" show --db "$1" --code add_sources --json | python3 -c '
import json, sys
report = json.load(sys.stdin)
for b in report["bins"]:
    if b["code"] == "add_sources" and "source" in b["data"]:
        print(b["data"], b["references"]["read"], "reads in add_sources")
print(report["run"]["machine_origin"].split("manual, ")[-1].split(" node")[0])
'
}

# check_ranks LAUNCHER ...: two ranks of examples/heat in all modes; rank 1 has 60 times as many sources as rank 0.
check_ranks() {
	"$@" -n 2 ./heat 16 1024 300 3 >native 2>/dev/null || echo "native: status $?"
	for mode in 'run --machine amd-zen3' 'run --sample 1/10' 'run --sample 1/100' sample; do
		# shellcheck disable=SC2086 # a command and its options
		"$@" -n 2 "$MEMSPY" $mode -q --db "${mode##* }/%r.db" ./heat 16 1024 300 3 >out 2>err || echo "$mode: status $?"
		cmp native out && echo "$mode: same output, $(find . -path "./${mode##* }/*.db" | wc -l) databases"
		grep memspy: err | grep -v -e window -e samples
	done
	show_sources amd-zen3/0.db
	show_sources amd-zen3/1.db
}

# count_checkpoints JOB-FOLDER: ranks 0 and 2 that have one, or more.
count_checkpoints() {
	for rank in 0 2; do
		[ -e "$1/$rank.db" ] && sqlite3 "$1/$rank.db" 'select 1 from run' 2>/dev/null
	done | wc -l
}

# check_killed LAUNCHER ...: of three ranks one is killed, and the launcher stops the others. What they have saved is merged;
# a second job in the same folder is as any other.
check_killed() {
	"$@" -n 3 "$MEMSPY" run --machine dash --checkpoint 1 "$PROGRAMS/rank-killed" >out 2>err &
	launcher=$!
	for _ in $(seq 1000); do
		[ "$(count_checkpoints memspy.d/*)" = 2 ] && break
		sleep 0.1
	done
	touch go
	wait $launcher && echo "the launcher does not fail"
	job=$(echo memspy.d/*)
	grep -h "memspy: rank 1" err | sed "s|$job|JOB|"
	[ ! -e memspy.db ] && echo "nothing is merged by itself"
	# Of a rank that the launcher leaves time to end there is more than a checkpoint.
	"$MEMSPY" merge "$job" 2>&1 | sed "s|${job#*/}|JOB|" >merged
	grep -o "1: killed by SIGKILL" merged || cat merged
	left=$(sqlite3 memspy.db "select count(*) from rank where state = 'incomplete'")
	[ "$left" = 0 ] || grep -q "left out: there is only a checkpoint (interrupted; figures until 00:0" merged || cat merged
	[ "$left" = 0 ] || grep -q "memspy merge --checkpoints memspy.d/JOB" merged || cat merged
	"$MEMSPY" merge -q --checkpoints "$job" -o all.db
	sqlite3 all.db 'select rank, state from rank'
	sqlite3 all.db "select sum(r.compute) > 0, min(r.compute) > 0 from rank r join run on r.run = run.id and run.folder is not null"
	"$MEMSPY" report --db all.db | grep -o "^Ranks: *3 of 3"
	"$@" -n 3 "$MEMSPY" run --machine dash "$PROGRAMS/rank-killed" end >out 2>err || cat err
	grep -c "memspy: 3 of 3 ranks of job" err
	"$MEMSPY" merge -q "$job" && sqlite3 memspy.db 'select count(*) from run where folder is not null'
}
