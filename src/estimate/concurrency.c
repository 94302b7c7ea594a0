/* estimate/concurrency.c - measures whether threads are in windows at the same time. */
#include "estimate/concurrency.h"

static struct ms_estimate_thread *thread_at(struct ms_estimate_concurrency *t, uint32_t number)
{
	while (t->threads.n <= number)
		*ms_vec_add(&t->threads) = (struct ms_estimate_thread){ 0 };
	return &t->threads.at[number];
}

void ms_estimate_add_clock(struct ms_estimate_concurrency *t, uint32_t number,
			   uint64_t instructions)
{
	struct ms_estimate_thread *thread = thread_at(t, number);

	/* The clock of a reused thread number starts again from 0. */
	thread->in += instructions - (instructions < thread->clock ? 0 : thread->clock);
	thread->clock = instructions;
	thread->runs = true;
}

void ms_estimate_end_thread(struct ms_estimate_concurrency *t, uint32_t number)
{
	thread_at(t, number)->runs = false;
}

/* The thread with the most instructions was alone for those beyond the second most. */
void ms_estimate_close_window(struct ms_estimate_concurrency *t, uint64_t references)
{
	uint64_t all = 0, most = 0, second = 0, runs = 0;

	for (size_t i = 0; i < t->threads.n; i++) {
		struct ms_estimate_thread *thread = &t->threads.at[i];

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
