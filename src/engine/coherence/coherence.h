/*
 * engine/coherence/coherence.h - keeps the caches of several processors coherent.
 *
 *   Models:   MSI, MESI and MOESI over any tree of caches. An agent is a cache of the first level
 *             with all other caches that only its processors use. A directory records for each unit
 *             which agents hold it, and in what state. A unit is a line of the largest size among
 *             the caches that are private or not common to all processors. A write invalidates the
 *             unit in all caches that are not on the writer's path to memory; a read invalidates
 *             nothing.
 *   Does not: time: a transaction ends before the next one begins. Caches between an agent's
 *             private ones and those common to all have no state: they lose what others write, and
 *             do not answer for processors that are not theirs.
 *
 * docs/design/multiprocessors.md has more.
 */
#ifndef MS_ENGINE_COHERENCE_COHERENCE_H
#define MS_ENGINE_COHERENCE_COHERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/caches/cache_access.h"
#include "engine/caches/line_records.h"
#include "engine/coherence/invalidations.h"

struct ms_coherence {
	struct ms_caches_configurable *configurable;
	uint32_t protocol; /* enum ms_machine_coherence_protocol */
	uint32_t agents;
	unsigned private_levels; /* levels of an agent alone */
	bool writes_back;        /* one of them is write-back */
	bool clusters;           /* there are levels below them that not all processors share */
	uint32_t unit_shift;     /* log2 of the lines of the first level in a unit */
	uint32_t unit_bytes;
	uint32_t holder_words;
	struct ms_caches_line_records directory; /* by unit: see coherence.c */
	/*
	 * If units are lines of the first level: the kind of cache group that all processors
	 * share. Its records are stored in the directory, too, from this word of an entry on.
	 * UINT32_MAX: there is none.
	 */
	uint32_t colocated_kind;
	uint32_t colocated_word;
	struct ms_coherence_invalidations invalidations;
};

/* Makes the caches coherent: opens their directory, which consumes their events. */
void ms_coherence_open(struct ms_caches_configurable *configurable);
void ms_coherence_close(struct ms_coherence *coherence);
/* Returns the number of units that were ever held, and the size of the directory. */
uint64_t ms_coherence_count_units(const struct ms_coherence *coherence, uint64_t *bytes);
uint64_t ms_coherence_measure(const struct ms_coherence *coherence);

/* --- for callers that make accesses --- */

/* Call it before the agent writes the unit: the agent becomes its only holder. */
void ms_coherence_acquire_unit(struct ms_caches_access *a);
/* Call it after the write: records the written bytes for the caches that have lost the line, and
 * checks whether the agent still holds it. */
void ms_coherence_finish_write(const struct ms_caches_access *a);
/* The two parts of ms_coherence_finish_write(), for a line that certainly is, or was, in the
 * agent's first level. */
void ms_coherence_record_write(const struct ms_caches_access *a);
void ms_coherence_mark_writable(const struct ms_caches_access *a);

/* Returns the directory entry of a unit, whose address does not change. */
uint32_t *ms_coherence_get_entry(struct ms_coherence *c, uint64_t unit);

/* --- for configurable_caches.c --- */

/* Level k is the first that holds the line (levels: none does). */
void ms_coherence_read_unit(struct ms_caches_access *a, unsigned k);
/* Level k missed because of an invalidation. */
void ms_coherence_classify_miss(struct ms_caches_access *a, unsigned k);
/* The line returns whose record word says "invalidated". */
void ms_coherence_end_invalidation(const struct ms_caches_access *a, uint64_t line, uint32_t word);
/* A cache of the agent has evicted a line; entry: of its unit, or NULL. */
void ms_coherence_evict_line(const struct ms_caches_access *a, const struct ms_caches_array *array,
			     uint64_t line, const uint32_t *word, uint32_t *entry);
/* Level k, an inclusive one, has evicted lines of the first level: the groups above it lose them,
 * too. */
void ms_coherence_back_invalidate(const struct ms_caches_access *a, unsigned k, uint64_t line,
				  uint64_t lines);

#endif
