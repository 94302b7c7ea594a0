#include "engine/count/thread_counters.h"

#include <stdlib.h>

#include "base/num.h"

void ms_count_open_threads(struct ms_count_threads *threads, unsigned levels)
{
	*threads = (struct ms_count_threads){ .levels = levels };
}

void ms_count_close_threads(struct ms_count_threads *threads)
{
	ms_map_free(&threads->by_thread_processor);
	ms_vec_free(&threads->list);
	ms_arena_free(&threads->arena);
}

uint64_t ms_count_measure_threads(const struct ms_count_threads *threads)
{
	return threads->arena.taken + ms_map_bytes(&threads->by_thread_processor) +
	       threads->list.cap * sizeof(*threads->list.at);
}

struct ms_count_thread *ms_count_find_thread(struct ms_count_threads *threads, uint32_t thread,
					     uint32_t processor)
{
	uint32_t *number = ms_map_at(&threads->by_thread_processor, thread, processor);

	if (*number == MS_MAP_NONE) {
		struct ms_count_thread *count =
			ms_arena_take(&threads->arena,
				      sizeof(*count) + threads->levels * sizeof(count->level[0]));

		count->thread = thread;
		count->processor = processor;
		*number = (uint32_t)threads->list.n;
		*ms_vec_add(&threads->list) = count;
	}
	return threads->list.at[*number];
}

void ms_count_merge_threads(struct ms_count_threads *into, const struct ms_count_threads *from)
{
	for (size_t i = 0; i < from->list.n; i++) {
		const struct ms_count_thread *count = from->list.at[i];
		struct ms_count_thread *sum =
			ms_count_get_thread(into, count->thread, count->processor);

		sum->instructions += count->instructions;
		sum->references += count->references;
		for (unsigned l = 0; l < from->levels; l++) {
			sum->level[l].misses += count->level[l].misses;
			sum->level[l].peer += count->level[l].peer;
			sum->level[l].remote += count->level[l].remote;
		}
	}
}

static int by_thread_processor(const void *a, const void *b)
{
	const struct ms_count_thread *x = *(struct ms_count_thread *const *)a;
	const struct ms_count_thread *y = *(struct ms_count_thread *const *)b;
	int c = ms_cmp_u64(x->thread, y->thread);

	return c != 0 ? c : ms_cmp_u64(x->processor, y->processor);
}

static void list_misses(const struct ms_count_threads *threads, const struct ms_count_thread *count,
			struct ms_engine_totals *totals)
{
	for (unsigned l = 0; l < threads->levels; l++)
		if (count->level[l].misses != 0)
			*ms_vec_add(&totals->thread_misses) = (struct ms_engine_total_thread_miss){
				.thread = (uint32_t)totals->threads.n,
				.level = l,
				.misses = count->level[l].misses,
				.peer = count->level[l].peer,
				.remote = count->level[l].remote,
			};
}

/* Omits threads without instructions and references. */
void ms_count_list_threads(const struct ms_count_threads *threads, struct ms_engine_totals *totals)
{
	size_t n = threads->list.n;

	if (n > 0)
		qsort(threads->list.at, n, sizeof(*threads->list.at), by_thread_processor);
	for (size_t i = 0; i < n; i++) {
		const struct ms_count_thread *count = threads->list.at[i];

		if (count->instructions == 0 && count->references == 0)
			continue;
		list_misses(threads, count, totals);
		*ms_vec_add(&totals->threads) =
			(struct ms_engine_total_thread){ count->thread, count->processor,
							 count->instructions, count->references };
	}
}
