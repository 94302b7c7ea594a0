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
