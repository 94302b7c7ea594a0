/* collect/together.c - measures whether threads are in windows at the same time. */
#include <string.h>

#include "collect/sampled.h"

static struct sampled_thread *thread_at(struct sampled_together *t, uint32_t number)
{
	while (t->threads.n <= number)
		*ms_vec_add(&t->threads) = (struct sampled_thread){ 0 };
	return &t->threads.at[number];
}

void ms_together_clock(struct sampled_together *t, uint32_t number, uint64_t instructions)
{
	struct sampled_thread *thread = thread_at(t, number);

	/* The clock of a reused thread number starts again from 0. */
	thread->in += instructions - (instructions < thread->clock ? 0 : thread->clock);
	thread->clock = instructions;
	thread->runs = true;
}

void ms_together_end(struct sampled_together *t, uint32_t number)
{
	thread_at(t, number)->runs = false;
}

/* The thread with the most instructions was alone for those beyond the second most. */
void ms_together_close(struct sampled_together *t, uint64_t references)
{
	uint64_t all = 0, most = 0, second = 0, runs = 0;

	for (size_t i = 0; i < t->threads.n; i++) {
		struct sampled_thread *thread = &t->threads.at[i];

		all += thread->in;
		runs += thread->runs;
		if (thread->in > most) {
			second = most;
			most = thread->in;
		} else if (thread->in > second) {
			second = thread->in;
		}
		thread->in = 0;
	}
	t->references += (double)references;
	if (runs > 1 && all > 0)
		t->alone += (double)references * (double)(most - second) / (double)all;
}
