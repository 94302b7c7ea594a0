/* engine/count/thread_counters.h - instructions, references and misses by thread and processor. */
#ifndef MS_ENGINE_COUNT_THREAD_COUNTERS_H
#define MS_ENGINE_COUNT_THREAD_COUNTERS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/map.h"
#include "base/vec.h"
#include "engine/engine.h"

struct ms_count_thread_level {
	uint64_t misses;
	uint64_t peer;
	uint64_t remote; /* by ms_engine_finish_batch() only */
};

struct ms_count_thread {
	uint32_t thread;
	uint32_t processor;
	uint64_t instructions;
	uint64_t references;
	uint64_t slice_latency; /* of all its misses when the slice began (timeline.h) */
	struct ms_count_thread_level level[];
};

enum { MS_COUNT_RECENT_THREADS = 16 };

struct ms_count_threads {
	struct ms_arena arena;
	unsigned levels;
	struct ms_map by_thread_processor;
	MS_VEC(struct ms_count_thread *) list;
	struct ms_count_thread
		*recent[MS_COUNT_RECENT_THREADS]; /* used recently, by thread; or NULL */
};

void ms_count_open_threads(struct ms_count_threads *threads, unsigned levels);
void ms_count_close_threads(struct ms_count_threads *threads);
uint64_t ms_count_measure_threads(const struct ms_count_threads *threads);
/* Searches all threads; allocates the counters on first use. */
struct ms_count_thread *ms_count_find_thread(struct ms_count_threads *threads, uint32_t thread,
					     uint32_t processor);

/* The result does not move in memory. */
MS_INLINE struct ms_count_thread *ms_count_get_thread(struct ms_count_threads *threads,
						      uint32_t thread, uint32_t processor)
{
	struct ms_count_thread **recent = &threads->recent[thread % MS_COUNT_RECENT_THREADS];

	if (MS_UNLIKELY(*recent == NULL || (*recent)->thread != thread ||
			(*recent)->processor != processor))
		*recent = ms_count_find_thread(threads, thread, processor);
	return *recent;
}

void ms_count_merge_threads(struct ms_count_threads *into, const struct ms_count_threads *from);
void ms_count_list_threads(const struct ms_count_threads *threads, struct ms_engine_totals *totals);

#endif
