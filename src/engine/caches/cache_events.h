/*
 * engine/caches/cache_events.h - events of configurable caches that other parts of the engine need:
 * the coherence protocol of several processors, and the simulated performance monitor. The variant
 * chooses the consumer when a shard opens. All functions exist; they are called for lines that miss
 * the first level, never for its hits.
 */
#ifndef MS_ENGINE_CACHES_CACHE_EVENTS_H
#define MS_ENGINE_CACHES_CACHE_EVENTS_H

#include <stdint.h>

struct ms_caches_access;
struct ms_caches_array;

struct ms_caches_events {
	/* A load has looked its line up. Level k is the first that has it (levels: none has). */
	void (*on_load)(struct ms_caches_access *a, unsigned k);
	/* Level k has evicted the line at this address; owner: the line's data. */
	void (*on_eviction)(const struct ms_caches_access *a, unsigned k, uint64_t address,
			    uint32_t owner);
	/*
	 * The array has evicted a line, at its own line size, to make room. The line has left the
	 * levels that had to lose it, too, and has returned to an exclusive one. word: of its
	 * record.
	 */
	void (*on_replacement)(const struct ms_caches_access *a,
			       const struct ms_caches_array *array, uint64_t line,
			       const uint32_t *word);
	/* Level k, an inclusive one, has evicted lines of the first level's size. */
	void (*on_inclusive_eviction)(const struct ms_caches_access *a, unsigned k, uint64_t line,
				      uint64_t lines);
};

/* configurable_caches.c: for one processor without a monitor. */
extern const struct ms_caches_events ms_caches_no_events;
void ms_caches_ignore_load(struct ms_caches_access *a, unsigned k);
void ms_caches_ignore_eviction(const struct ms_caches_access *a, unsigned k, uint64_t address,
			       uint32_t owner);
void ms_caches_ignore_replacement(const struct ms_caches_access *a,
				  const struct ms_caches_array *array, uint64_t line,
				  const uint32_t *word);
void ms_caches_ignore_inclusive_eviction(const struct ms_caches_access *a, unsigned k,
					 uint64_t line, uint64_t lines);

#endif
