/* build: -O1 -g -pthread -Wl,-z,now
   members: two threads share members of objects of all kinds: heap, static, an array of them.
   All symbols are bound at the start: both threads call pthread_barrier_wait() first, and either
   one of them would bind it or both, as they happen to come. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 3000 };

struct stats {
	int hits;
	int misses;
};

typedef struct {
	long head;
	long tail;
	struct stats stats[2];
	union {
		long whole;
		char bytes[8];
	} either[2];
} Queue;

static Queue *queue;         /* one object */
static struct stats *many;   /* an array */
static volatile char *plain; /* of no type to speak of */
static _Alignas(64) struct {
	volatile long a;
	struct {
		volatile short x, y;
	} pair[2];
} fixed;
static pthread_barrier_t start;

static void *work(void *arg)
{
	long me = (long)arg;
	volatile Queue *q = queue;
	volatile struct stats *m = many;

	pthread_barrier_wait(&start);
	for (int i = 0; i < N; i++) {
		if (me == 0)
			q->head++;
		else
			q->tail++;
		q->stats[me].hits++;
		q->either[me].whole++;
		m[me].misses++;
		plain[me + 8]++;
		fixed.pair[me].y++;
	}
	return NULL;
}

/* Each object has lines of its own. */
static void *take(size_t size)
{
	void *memory = aligned_alloc(64, (size + 63) / 64 * 64);

	if (memory == NULL)
		exit(3);
	for (size_t i = 0; i < size; i++)
		((volatile char *)memory)[i] = 0;
	return memory;
}

int main(void)
{
	pthread_t other;

	queue = take(sizeof(Queue));
	many = take(8 * sizeof(struct stats));
	plain = take(64);
	pthread_barrier_init(&start, NULL, 2);
	if (pthread_create(&other, NULL, work, (void *)1) != 0)
		return 3;
	work(NULL);
	pthread_join(other, NULL);
	long sum = queue->head + queue->tail;
	free(queue); /* names must not depend on what is there in the end */
	free(many);
	free((void *)plain);
	return sum != 2 * N;
}
