/*
 * tests/engine/refsim.h - the reference simulator: the engine's counts, written for reading.
 *
 * Nothing is shared with src/engine but the descriptions of the machine and of blocks, and what a
 * monitor's handler does when it runs. Every look-up is a linear search; every question is answered
 * from the whole history: who holds a line is seen by looking into all caches, and what was written
 * since by reading the list of all writes.
 */
#ifndef MS_TESTS_ENGINE_REFSIM_H
#define MS_TESTS_ENGINE_REFSIM_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine_totals.h"
#include "engine/simulated_pmu/pmu.h"
#include "machine/machine.h"

struct refsim;

struct refsim *refsim_open(const struct ms_machine *machine, uint32_t unmapped, uint32_t freed);
void refsim_close(struct refsim *refsim);
/* The machine has a monitor, from the beginning on; time is made of refsim_executed(). */
void refsim_watch(struct refsim *refsim, const struct ms_pmu_config *pmu);
void refsim_executed(struct refsim *refsim, uint32_t instructions);
/* References count for this data, whatever they are of. */
void refsim_skip_hits(struct refsim *refsim, uint32_t hits);
/* So many sites are known. */
void refsim_places(struct refsim *refsim, uint32_t places);

/* A modify is a load, then a store, of each of its lines. */
enum refsim_kind { SLOW_READ, SLOW_WRITE, SLOW_MODIFY };
void refsim_reference(struct refsim *refsim, uint32_t site, uint64_t address, uint32_t size,
		      enum refsim_kind kind);
void refsim_place(struct refsim *refsim, uint64_t start, uint64_t size, uint32_t data);
void refsim_free(struct refsim *refsim, uint64_t start, uint64_t size);
void refsim_map(struct refsim *refsim, uint64_t start, uint64_t end, uint32_t data);
void refsim_unmap(struct refsim *refsim, uint64_t start, uint64_t end);

/* Whose the references are that follow, and how many processors are busy. */
void refsim_processor(struct refsim *refsim, uint32_t processor, uint32_t thread);
void refsim_busy(struct refsim *refsim, uint32_t processors);
/* Where pages will lie: see ms_engine_set_placement(). */
void refsim_policy(struct refsim *refsim, uint64_t start, uint64_t end,
		   enum ms_machine_page_placement placement, uint64_t nodes);

enum refsim_what {
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
	SLOW_CONFLICT,       /* of one processor's replacement misses, by level */
	SLOW_CAPACITY,
	SLOW_SAVED, /* line accesses that hit, and not in a fully associative cache */
	/* The same if accesses to the most recent line of a set are left out; first level only. */
	SLOW_KEPT_CONFLICT,
	SLOW_KEPT_CAPACITY,
	SLOW_KEPT_SAVED,
	SLOW_WHATS,
};

/* Coordinates of a count; those that do not matter are 0. */
struct refsim_key {
	uint32_t site, data, processor;
	uint32_t level;
	uint32_t other;
	uint32_t writer_site, writer_data, writer_processor;
	uint64_t line; /* address */
	uint32_t offset, writer_offset;
};

/* So many steps have passed; what caches hold now is what they held meanwhile. */
void refsim_pass(struct refsim *refsim, uint64_t steps);
/* What a level held of a data in some of the steps. */
struct refsim_stay {
	uint64_t sum; /* lines times steps */
	uint64_t peak;
	uint64_t lines; /* at the end of them */
};
struct refsim_stay refsim_stay(const struct refsim *refsim, uint32_t level, uint32_t data,
			       uint64_t from, uint64_t to);

/*
 * The processor executes out of order: refsim_timing.c. Each batch begins and ends; in between, its
 * executions are kept, besides their references. Call it before anything else.
 */
struct refsim_timing;
struct ms_engine_block;
struct refsim_timing *refsim_time(struct refsim *refsim);
void refsim_begin_batch(struct refsim_timing *t, uint64_t number);
void refsim_keep_execution(struct refsim_timing *t, const struct ms_engine_block *block,
			   uint32_t number, uint32_t exit, const uint64_t *addresses);
void refsim_end_batch(struct refsim_timing *t);

/* Its counts, as in the engine's totals. */
struct refsim_timed_level {
	uint64_t exposed, prefetched;
};
struct refsim_timed_cell {
	uint64_t walks, exposed_walks, waited_bytes;
	uint64_t dependences[MS_ENGINE_DEPENDENCES];
};
struct refsim_timed_block {
	uint64_t instructions, cycles;
};
struct refsim_timed_level refsim_timed_level(const struct refsim *refsim, uint32_t site,
					     uint32_t data, uint32_t level);
struct refsim_timed_cell refsim_timed_cell(const struct refsim *refsim, uint32_t site,
					   uint32_t data);
struct refsim_timed_block refsim_timed_block(const struct refsim *refsim, uint32_t block);

/*
 * Selected lines are observed: refsim_lines.c. rate: 0, or as for ms_engine_select_lines(). Call it
 * before anything else, and refsim_begin_lines() before each batch.
 */
struct refsim_lines;
void refsim_observe_lines(struct refsim *refsim, uint64_t rate);
/* Instead: only lines of this data are observed, from now on; size 0: none so far. */
void refsim_watch_lines(struct refsim *refsim, uint64_t start, uint64_t size, uint32_t data);
void refsim_begin_lines(struct refsim *refsim, uint64_t number);
/*
 * Its counts, as in the engine's totals; site REFSIM_ANY: of all. A curve is added up for
 * curve->data.
 */
#define REFSIM_ANY UINT32_MAX
struct ms_engine_line_use refsim_line_use(struct refsim *refsim, uint32_t site, uint32_t data,
					  uint32_t processor, uint32_t level);
/* Accesses to selected lines, each by what it stands for. */
uint64_t refsim_line_accesses(const struct refsim *refsim, uint32_t site, uint32_t data,
			      uint32_t processor, uint32_t thread);
void refsim_curve(const struct refsim *refsim, struct ms_engine_total_curve *curve);
struct ms_engine_total_reuse refsim_reuse(const struct refsim *refsim, uint32_t data,
					  uint32_t from_site, uint32_t to_site);

/*
 * Replacement misses are divided by estimates: refsim_division.c. Lines must be observed, too.
 */
struct refsim_division;
void refsim_divide(struct refsim *refsim);
struct ms_engine_division_parts refsim_division_parts(const struct refsim *refsim, uint32_t site,
						      uint32_t data, uint32_t level);
/*
 * refsim_optimal.c: misses of data on lines that were used before in the level, with optimal
 * replacement. Of all accesses, or of those to observed lines.
 */
uint64_t refsim_optimal_misses(const struct refsim *refsim, uint32_t level, uint32_t data,
			       bool is_exact);
/* Whether the first level is observed in the batch with this number, or is filled there. */
bool refsim_is_batch_observed(uint64_t number);

double refsim_count(const struct refsim *refsim, enum refsim_what what, struct refsim_key key);
/* How many different things were counted at all, to compare with how many the engine lists. */
uint64_t refsim_counted(const struct refsim *refsim, enum refsim_what what);

#endif
