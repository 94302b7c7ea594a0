/*
 * engine/coherence/coherence.h - what keeps the caches of several processors coherent.
 *
 * Models:   MSI, MESI and MOESI over any tree of caches. An agent is a cache of the first level,
 *           with whatever else only its processors have. A directory knows of each unit, which is a
 *           line of the largest kind that an agent has or not all share, which agents hold it and
 * in what state. A write takes the unit away from all caches that are not on the writer's way to
 * memory; a read takes nothing away. Does not: time: a transaction is over before the next one
 * begins; caches between an agent's own and those that all share have no state: they lose what
 * others write, and do not answer for processors that are not theirs.
 * docs/design/multiprocessors.md has more.
 */
#ifndef MS_ENGINE_COHERENCE_COHERENCE_H
#define MS_ENGINE_COHERENCE_COHERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/caches/configurable_caches.h"
#include "engine/caches/line_records.h"
#include "engine/coherence/invalidations.h"

struct ms_coherence {
	struct ms_caches_configurable *configurable;
	uint32_t protocol; /* enum ms_protocol */
	uint32_t agents;
	unsigned private_levels; /* those of an agent alone */
	bool writes_back;        /* one of them keeps writes to itself */
	bool clusters;           /* there are caches behind them that not all share */
	uint32_t unit_shift;     /* bits by which a unit is larger than a line of the first level */
	uint32_t unit_bytes;
	uint32_t holder_words;
	struct ms_caches_line_records directory; /* by unit: see coherence.c */
	/* Where units are lines of the first level: the kind of nest that all share, whose records
	 * stand in the directory too, and the first word of them; UINT32_MAX: there is none. */
	uint32_t colocated_kind;
	uint32_t colocated_word;
	struct ms_coherence_invalidations invalidations;
};

struct ms_coherence *ms_coherence_open(struct ms_caches_configurable *configurable);
void ms_coherence_close(struct ms_coherence *coherence);
/* How many units were ever held, and what the directory takes. */
uint64_t ms_coherence_count_units(const struct ms_coherence *coherence, uint64_t *bytes);
uint64_t ms_coherence_measure(const struct ms_coherence *coherence);

/* --- for who makes accesses --- */

/* The agent is about to write the unit: it will be the only one that holds it. */
void ms_coherence_acquire_unit(struct ms_caches_access *a);
/* It has written: those who lost the line are told, and where it stays is seen. */
void ms_coherence_finish_write(const struct ms_caches_access *a);
/* The two parts of that, where it surely stays in the agent's first level, or did. */
void ms_coherence_record_write(const struct ms_caches_access *a);
void ms_coherence_mark_writable(const struct ms_caches_access *a);

/* The entry of a unit in the directory, which stays where it is. */
uint32_t *ms_coherence_get_entry(struct ms_coherence *c, uint64_t unit);

/* --- for configurable_caches.c --- */

/* Level k was the first that held the line (levels: none). */
void ms_coherence_read_unit(struct ms_caches_access *a, unsigned k);
/* The level was missed, by a loss. */
void ms_coherence_classify_miss(struct ms_caches_access *a, unsigned k);
/* The line of a word that says "lost" comes back. */
void ms_coherence_end_invalidation(const struct ms_caches_access *a, uint64_t line, uint32_t word);
/* A bank of the agent's has pushed a line out; entry: its unit's, or NULL. */
void ms_coherence_evict_line(const struct ms_caches_access *a, const struct ms_caches_array *array,
			     uint64_t line, const uint32_t *word, uint32_t *entry);
/* Lines of the first level have left level k, an inclusive one: other nests lose them too. */
void ms_coherence_back_invalidate(const struct ms_caches_access *a, unsigned k, uint64_t line,
				  uint64_t lines);

#endif
