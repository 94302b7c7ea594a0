/* advice: split data: task */
/* Random lookups use two members of large records; afterwards these are in an array of their own.
 */
#include "common.h"

struct task {
	uint32_t state;
#ifndef AFTER
	char title[120];
#endif
	uint32_t owner;
};

enum { N = 1 << 19, LOOKUPS = 6000000 };

static struct task *task;
#ifdef AFTER
static char (*title)[120];
#endif

static KEEP uint64_t count_owned(void)
{
	uint64_t seed = 11, sum = 0;

	for (int i = 0; i < LOOKUPS; i++) {
		const struct task *t = &task[next_random(&seed) % N];

		if (t->state != 0)
			sum += t->owner;
	}
	return sum;
}

int main(void)
{
	task = aligned_alloc(64, N * sizeof(*task));
#ifdef AFTER
	title = malloc(N * sizeof(*title));
#endif
	for (int i = 0; i < N; i++) {
		task[i].state = 1 + i % 3;
		task[i].owner = (uint32_t)i;
#ifdef AFTER
		title[i][0] = 'x';
#else
		task[i].title[0] = 'x';
#endif
	}
	printf("%llu\n", (unsigned long long)count_owned());
	return 0;
}
