/*
 * tests/engine/slow.h - the engine's slow twin: the same answers, written for reading.
 *
 * Nothing is shared with src/engine but the description of the machine, and what a monitor's
 * handler does when it runs. Every look-up is a linear search; every question is answered from the
 * whole history: who holds a line is seen by looking into all caches, and what was written since by
 * reading the list of all writes.
 */
#ifndef MS_TESTS_SLOW_H
#define MS_TESTS_SLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/simulated_pmu/pmu.h"
#include "machine/machine.h"

struct slow;

struct slow *slow_open(const struct ms_machine *machine, uint32_t unmapped, uint32_t freed);
void slow_close(struct slow *slow);
/* The machine has a monitor, from the beginning on; time is made of slow_executed(). */
void slow_watch(struct slow *slow, const struct ms_pmu_config *pmu);
void slow_executed(struct slow *slow, uint32_t instructions);
/* References count for this data, whatever they are of. */
void slow_skip_hits(struct slow *slow, uint32_t hits);
/* So many sites are known. */
void slow_places(struct slow *slow, uint32_t places);

/* A modify is a load, then a store, of each of its lines. */
enum slow_kind { SLOW_READ, SLOW_WRITE, SLOW_MODIFY };
void slow_reference(struct slow *slow, uint32_t site, uint64_t address, uint32_t size,
		    enum slow_kind kind);
void slow_place(struct slow *slow, uint64_t start, uint64_t size, uint32_t data);
void slow_free(struct slow *slow, uint64_t start, uint64_t size);
void slow_map(struct slow *slow, uint64_t start, uint64_t end, uint32_t data);
void slow_unmap(struct slow *slow, uint64_t start, uint64_t end);

/* Whose the references are that follow, and how many processors are busy. */
void slow_processor(struct slow *slow, uint32_t processor, uint32_t thread);
void slow_busy(struct slow *slow, uint32_t processors);
/* Where pages will lie: see ms_engine_set_placement(). */
void slow_policy(struct slow *slow, uint64_t start, uint64_t end,
		 enum ms_machine_page_placement placement, uint64_t nodes);

enum slow_what {
	SLOW_REFERENCES,
	SLOW_UPGRADES,
	SLOW_FIRST, /* the three causes, in the engine's order; by level */
	SLOW_REPLACEMENT,
	SLOW_INVALIDATION,
	SLOW_FALSELY,
	SLOW_COVERED,
	SLOW_PEER,
	SLOW_REMOTE,
	SLOW_WRITE_BACKS,
	SLOW_WEIGHTED,
	SLOW_REPLACED,     /* and by evictor */
	SLOW_EVICTIONS,    /* and by victim */
	SLOW_SHARED_TRULY, /* by all of the key but level and other */
	SLOW_SHARED_FALSELY,
	SLOW_SHARED_PEER,
	SLOW_SHARED_REMOTE,
	SLOW_THREAD_REFERENCES, /* by thread, which is `other`, and processor; the rest by level too
				 */
	SLOW_THREAD_MISSES,
	SLOW_THREAD_PEER,
	SLOW_THREAD_REMOTE,
	SLOW_SAMPLES, /* by site, data, and victim, which is `other`; a monitor's */
	SLOW_SAMPLE_EVENTS,
	SLOW_SAMPLE_LATENCY,
	SLOW_HANDLER_MISSES, /* by level */
	SLOW_WHATS,
};

/* Coordinates of a count; those that do not matter are 0. */
struct slow_key {
	uint32_t site, data, processor;
	uint32_t level;
	uint32_t other;
	uint32_t writer_site, writer_data, writer_processor;
	uint64_t line; /* address */
	uint32_t offset, writer_offset;
};

/* So many steps have passed; what caches hold now is what they held meanwhile. */
void slow_pass(struct slow *slow, uint64_t steps);
/* What a level held of a data in some of the steps. */
struct slow_stay {
	uint64_t sum; /* lines times steps */
	uint64_t peak;
	uint64_t lines; /* at the end of them */
};
struct slow_stay slow_stay(const struct slow *slow, uint32_t level, uint32_t data, uint64_t from,
			   uint64_t to);

double slow_count(const struct slow *slow, enum slow_what what, struct slow_key key);
/* How many different things were counted at all, to compare with how many the engine lists. */
uint64_t slow_counted(const struct slow *slow, enum slow_what what);

#endif
