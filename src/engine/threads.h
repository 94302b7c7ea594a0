/* engine/threads.h - what each thread did on each processor. */
#ifndef MS_ENGINE_THREADS_H
#define MS_ENGINE_THREADS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/map.h"
#include "base/vec.h"
#include "engine/engine.h"

struct thread_level {
	uint64_t misses;
	uint64_t peer;
	uint64_t remote; /* by ms_engine_finish() only */
};

struct thread_count {
	uint32_t thread;
	uint32_t processor;
	uint64_t instructions;
	uint64_t references;
	struct thread_level level[];
};

enum { MS_THREADS_NEAR = 16 };

struct thread_counts {
	struct ms_arena arena;
	unsigned levels;
	struct ms_map by_thread_processor;
	MS_VEC(struct thread_count *) list;
	struct thread_count *near[MS_THREADS_NEAR]; /* asked for of late, by thread; or NULL */
};

void ms_threads_open(struct thread_counts *threads, unsigned levels);
void ms_threads_close(struct thread_counts *threads);
uint64_t ms_threads_bytes(const struct thread_counts *threads);
/* Of all there are; made when it is new. */
struct thread_count *ms_threads_find(struct thread_counts *threads, uint32_t thread,
				     uint32_t processor);

/* Stays where it is. */
MS_INLINE struct thread_count *ms_threads_at(struct thread_counts *threads, uint32_t thread,
					     uint32_t processor)
{
	struct thread_count **near = &threads->near[thread % MS_THREADS_NEAR];

	if (MS_UNLIKELY(*near == NULL || (*near)->thread != thread ||
			(*near)->processor != processor))
		*near = ms_threads_find(threads, thread, processor);
	return *near;
}

void ms_threads_merge(struct thread_counts *into, const struct thread_counts *from);
void ms_threads_list(const struct thread_counts *threads, struct ms_totals *totals);

#endif
