/*
 * run/run.h - one profiled execution, as plain arrays: what collect/ hands to the store, and
 * what analysis/ gets back. Events are counted here; cycles are made from them when reporting.
 *
 * An index into another array is a uint32_t named after what it points to; MS_NONE is "none".
 * Texts are never NULL unless the comment says so.
 */
#ifndef MS_RUN_RUN_H
#define MS_RUN_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "run/checkpoint.h"
#include "run/hardware.h"
#include "run/pmu.h"
#include "run/sampled.h"

#define MS_NONE      UINT32_MAX
#define MS_NO_OFFSET UINT64_MAX
/* The most processors of a run that the store takes. */
enum { MS_RUN_PROCESSORS_MOST = 4096 };

enum ms_run_end {
	MS_END_EXITED,      /* exit_status holds what the program returned */
	MS_END_SIGNALED,    /* exit_status holds the signal's number */
	MS_END_INTERRUPTED, /* the user stopped it (Ctrl-C); exit_status holds the signal */
	MS_END_LOST,        /* the program's end was not seen: the front-end vanished, or left it */
	MS_END_INCOMPLETE,  /* a checkpoint: the figures so far of a run that had not ended */
	MS_ENDS,
};

/* The policies of a level, as machine/policies.h numbers them; 0 is the default. */
enum ms_level_trait {
	MS_TRAIT_REPLACEMENT,
	MS_TRAIT_WRITE,
	MS_TRAIT_WRITE_MISS,
	MS_TRAIT_CONTENTS,
	MS_TRAITS,
};

/* Which node's memory a page is in, unless the program has said it; store.h has the words. */
enum ms_run_placement {
	MS_RUN_FIRST_TOUCH, /* that of the first processor that missed all caches there */
	MS_RUN_INTERLEAVED, /* page after page, round and round */
	MS_RUN_FIXED,       /* all in one node */
	MS_RUN_PLACEMENTS,
};

/* One cache level, the first level first. */
struct ms_run_level {
	const char *name; /* "L1", "L2", "L3", ... */
	uint64_t size;
	uint32_t ways;
	uint32_t line;
	uint32_t latency;    /* cycles a reference waits when this level answers; 0 for the first */
	uint32_t processors; /* how many processors share one cache of this level; 0: all */
	uint32_t traits[MS_TRAITS];
	uint32_t prefetch; /* streams that its prefetcher follows; 0: it has none */
};

/* A function, or the best that is known instead (a module and an offset). */
struct ms_run_code {
	const char *name;   /* demangled */
	const char *module; /* path of the program or library */
	const char *file;   /* NULL when unknown */
	uint32_t line;      /* where it begins; 0 when unknown */
	uint64_t offset;    /* of its entry in the module */
};

/* A line of source inside a function; instructions is how many were executed there. */
struct ms_run_line {
	uint32_t code;
	const char *file; /* NULL when unknown */
	uint32_t line;    /* 0 when unknown */
	uint64_t instructions;
};

enum ms_site_kind {
	MS_SITE_READ,
	MS_SITE_WRITE,
	MS_SITE_MODIFY,
	MS_SITE_ACCESS, /* hardware did not tell which */
};

/* One instruction that makes references. A modify counts as a read, as cachegrind counts it. */
struct ms_run_site {
	uint32_t line;   /* index into lines */
	uint32_t kind;   /* enum ms_site_kind */
	uint32_t size;   /* bytes a reference */
	uint64_t offset; /* of the instruction in its module, or its address where there is none */
	const char
		*inlined; /* "a (f.c:3) < b (f.c:9)": the inline chain, outermost last; or NULL */
};

enum ms_data_kind {
	MS_DATA_HEAP,
	MS_DATA_STATIC,
	MS_DATA_TLS,
	MS_DATA_STACK,
	MS_DATA_FILE,    /* a mapped file */
	MS_DATA_MAPPED,  /* anonymous memory mapped by the program */
	MS_DATA_SECTION, /* a module's memory that belongs to no variable */
	MS_DATA_UNKNOWN, /* could not be attributed; reason says why */
	MS_DATA_NAMED,   /* the program has named it */
	MS_DATA_GROUP,   /* rules have put several kinds together */
	MS_DATA_ANY,     /* references that nobody asked of whose data they are: see misses_only */
};

/* A data bin. */
struct ms_run_data {
	const char *name;      /* short, as shown: "Matrix.Y"; unique within a run */
	const char *full_name; /* with the call path or the module and file */
	const char *type;      /* NULL when unknown */
	const char *reason;    /* only for MS_DATA_UNKNOWN: why; else NULL */
	uint32_t kind;         /* enum ms_data_kind */
	uint64_t objects;      /* how many came to life */
	uint64_t bytes;        /* all of them together */
	uint64_t peak_bytes;   /* most alive at one time */
	uint64_t largest;      /* bytes of the largest */
	uint64_t paths;        /* call paths that share it, where they were merged; else 0 */
	const char *key; /* once rules have been applied: what it was known by (run/key.h), or the
			    name of what they made of several; else NULL. Not stored. */
};

/* One frame of a heap bin's allocation call path; depth 0 called the allocator. */
struct ms_run_frame {
	uint32_t data;
	uint32_t depth;
	const char *function;
	const char *file; /* NULL when unknown */
	uint32_t line;
	const char *module;
	uint64_t offset;
};

enum ms_cause { MS_CAUSE_FIRST, MS_CAUSE_REPLACED, MS_CAUSE_INVALIDATED, MS_CAUSES };

/* References of one site to one data by one processor. */
struct ms_run_cell {
	uint32_t site;
	uint32_t data;
	uint64_t references;
	uint32_t processor;
	uint64_t upgrades; /* writes that hit, but had to ask others to give the line up */
};

/* Misses of a cell at one level, by cause; no row where there are none. */
struct ms_run_miss {
	uint32_t cell;
	uint32_t level;
	uint64_t causes[MS_CAUSES];
	uint64_t covered; /* of them all: a prefetcher would have fetched the line before */
	/* With several processors; else all are 0: */
	uint64_t falsely; /* of the invalidated: nobody had written what this reference touches */
	uint64_t peer;    /* of them all: another processor's cache answered, not the next level */
	uint64_t remote;  /* of the last level's: another node's memory answered */
	uint64_t write_backs; /* lines that private caches had to write back because of them */
	double weighted;      /* each divided by the processors that were busy then */
};

/* Replacement misses of a cell at a level, by the data whose reference had pushed the line out. */
struct ms_run_replaced {
	uint32_t cell;
	uint32_t level;
	uint32_t evictor; /* data */
	uint64_t count;
};

/* Lines of victim that references of a cell (its site, its data: the evictor) pushed out. */
struct ms_run_eviction {
	uint32_t cell;
	uint32_t level;
	uint32_t victim; /* data */
	uint64_t count;
};

/*
 * How many lines of a level were a data's: of all caches of the level together. A line is the
 * data's whose reference brought it in.
 */
struct ms_run_occupancy {
	uint32_t level;
	uint32_t data;
	uint64_t lines; /* at the end */
	uint64_t peak;
	double mean; /* over the steps of the run */
};

/* The same on average over a slice of the run, of the data that had the most. */
struct ms_run_stay {
	uint32_t level;
	uint32_t data; /* MS_NONE: all others together */
	uint32_t slice;
	double lines;
	uint64_t came; /* lines that came into the level in that slice; 0 of older runs */
};

/* The most slices that a run has. */
enum { MS_RUN_SLICES_MOST = 64 };

/* All stretches of the run that the program gave one name; the first is what came before any. */
struct ms_run_phase {
	const char *name;
	uint64_t times;      /* how often it began */
	uint64_t references; /* of runs sampled on the real machine: samples */
};

/* Misses of a level in a phase; of runs sampled on the real machine, which have no levels, two
 * figures: enum ms_run_phase_figure. */
struct ms_run_phase_miss {
	uint32_t phase;
	uint32_t level;
	uint64_t misses;
};

enum ms_run_phase_figure {
	MS_PHASE_LATENCY, /* of references, in the source's unit; page faults: how many */
	MS_PHASE_COMPUTE, /* nanoseconds */
	MS_PHASE_FIGURES,
};

/* Instructions of a line by processor; none in runs with one. */
struct ms_run_line_time {
	uint32_t line;
	uint32_t processor;
	uint64_t instructions;
	double weighted; /* each divided by the processors that were busy then */
};

/*
 * Invalidation misses of a cell on one line of memory, by the reference that had taken the line
 * away. Offsets are of the first byte touched.
 */
struct ms_run_sharing {
	uint32_t cell;   /* what missed */
	uint32_t writer; /* cell: what had written */
	uint64_t line;   /* address; MS_NO_OFFSET: of lines that could not be kept apart */
	uint32_t offset; /* in the line; likewise the writer's */
	uint32_t writer_offset;
	uint64_t object; /* offset in the object or variable; MS_NO_OFFSET: not known */
	uint64_t writer_object;
	const char *field; /* the member that lies there; NULL: not known */
	const char *writer_field;
	uint64_t truly; /* misses: the reference touches what was written */
	uint64_t falsely;
	uint64_t peer;   /* of both: another processor's cache answered */
	uint64_t remote; /* of both: another node's memory answered */
};

/* What a thread was doing when it was last heard of. */
enum ms_thread_end {
	MS_THREAD_ENDED,    /* it had ended */
	MS_THREAD_SIGNALED, /* a signal had ended it, and the program with it */
	MS_THREAD_RUNNING,  /* the program ended, and it could have gone on */
	MS_THREAD_WAITING,  /* the program ended while it waited */
	MS_THREAD_ENDS,
};

/*
 * One thread. Times are virtual, in cycles with the latencies of the run's machine: its
 * instructions, its stalls, and how far it was moved forward to who woke it.
 */
struct ms_run_thread {
	const char *name;      /* the function it began with, or what it is called; NULL: unknown */
	uint32_t processor;    /* on which it ran last */
	uint64_t instructions; /* without those that it spun */
	uint64_t references;
	uint64_t began;   /* virtual time */
	uint64_t elapsed; /* until it ended: compute, stall and wait */
	double weighted;  /* instructions, each divided by the processors that were busy then */
	uint32_t end;     /* enum ms_thread_end */
};

/* Misses of a thread at one level. */
struct ms_run_thread_miss {
	uint32_t thread;
	uint32_t level;
	uint64_t misses;
	uint64_t peer;
	uint64_t remote;
	double weighted;
};

enum ms_wait_reason {
	MS_WAIT_FUTEX,     /* for a lock, a condition, a barrier */
	MS_WAIT_JOIN,      /* for another thread's end */
	MS_WAIT_SPIN,      /* executing a loop that waits; a cycle an instruction */
	MS_WAIT_PROCESSOR, /* another thread had the processor */
	MS_WAIT_OTHER,     /* in another system call */
	MS_WAIT_REASONS,
};

/* How long a thread waited, by reason and by the line that made it wait. */
struct ms_run_wait {
	uint32_t thread;
	uint32_t line; /* MS_NONE: not known */
	uint32_t reason;
	uint64_t times;
	uint64_t cycles;
};

/* How a run came out of another. */
enum ms_run_relation { MS_RELATION_NONE, MS_RELATION_FORK, MS_RELATION_EXEC };

/* Who ran unseen: the program itself, for a while, processes that it made, the dynamic loader, of
 * which `times` is the estimated number of references, or threads that waited in a loop, whose
 * function is the reason, and `times` the number of references. */
enum ms_run_who { MS_WHO_PROGRAM, MS_WHO_CHILD, MS_WHO_LOADER, MS_WHO_WAITING };

struct ms_run_untraced {
	const char *reason; /* "its code changes itself" */
	uint32_t who;       /* enum ms_run_who */
	uint64_t times;
	double seconds; /* of processor time; 0: not known */
};

/* A run that came out of this one or of another child's. */
struct ms_run_child {
	int64_t id;
	int64_t parent;    /* 0: this one */
	uint32_t relation; /* enum ms_run_relation */
};

/* A variable of the program's environment: of those that may change what it does to memory. */
struct ms_run_variable {
	const char *name;
	const char *value;
};

struct ms_run {
	struct ms_arena arena; /* owns every text */

	int64_t id;                /* set by the store */
	const char *uid;           /* the same in every database; NULL: the store makes one */
	const char *tag;           /* NULL when none */
	MS_VEC(const char *) tags; /* further ones */
	const char *note;          /* NULL when none */
	const char *started;       /* "2026-11-15T10:31:02Z" */
	const char *program;       /* as typed */
	MS_VEC(const char *) argv;
	MS_VEC(struct ms_run_variable) environment;
	const char *build_id;       /* of the program, in hex; NULL: it has none */
	const char *git_commit;     /* checked out where the program lies; NULL: no repository */
	uint32_t git_dirty;         /* 1: and changed since */
	const char *host;           /* "name (processor)" that ran it; NULL: not known */
	const char *frontend;       /* "valgrind" */
	const char *memspy;         /* version that made it */
	const char *machine;        /* name */
	const char *machine_origin; /* where the geometry came from, one sentence */
	uint32_t memory_latency;
	uint32_t processors;      /* simulated; at least 1 */
	uint32_t protocol;        /* enum ms_protocol */
	uint32_t nodes;           /* of memory that they are on; at least 1 */
	uint32_t node_processors; /* processors on one node; 0: all */
	uint32_t peer_latency;    /* cycles a reference waits when another's cache answers ... */
	uint32_t remote_latency;  /* ... or another node's memory */
	uint32_t placement;       /* enum ms_run_placement */
	uint64_t seed;            /* of the threads' interleaving */
	double wall_seconds;
	uint32_t workers;
	uint32_t end; /* enum ms_run_end */
	int exit_status;
	const char *failure;  /* MS_END_LOST: what went wrong; NULL otherwise. Not stored. */
	const char *messages; /* what the front-end itself had to say; NULL: nothing. Not stored. */
	const char *unread;   /* debug information that was not found, a line each. Not stored. */
	const char *trace_failure; /* why the trace could not be kept; NULL: it was. Not stored. */
	bool trace_limited;        /* it holds only the beginning. Not stored. */
	bool became_another;       /* it became another program (exec), not followed. Not stored. */
	double children_seconds;   /* of processor time, not followed; 0: hardly any. Not stored. */
	uint64_t children_windowless; /* that were over before a window opened. Not stored. */
	uint64_t not_kept;            /* children whose runs could not be kept. Not stored. */
	uint64_t child_traces;        /* that are kept beside its own. Not stored. */
	uint64_t child_traces_failed; /* and of them, not whole. Not stored. */
	MS_VEC(struct ms_run_child) children; /* stored with them: see ms_store_link() */
	uint64_t instructions;
	uint64_t stops;           /* how often counting was stopped */
	double processor_seconds; /* that the program took, with what tracing takes, as far as is
				     known; 0: not known */
	uint32_t misses_only;     /* 1: references are not known by data; all are those of one data,
				     MS_DATA_ANY, and each site's are right */
	uint64_t merged_sites;    /* instructions that were added to others of their line */
	uint64_t merged_pairs;    /* pairs that were added to those of <other data>, each as often
				     as it was */
	uint64_t pair_error;      /* counts of the pairs kept are too low by at most this */
	uint64_t steps;           /* its length: blocks that were executed, and references */
	uint64_t slice_steps;     /* of one slice of it; the last one may be shorter */
	int64_t parent;    /* the run whose process made this one's, or was it before; 0: none */
	uint32_t relation; /* enum ms_run_relation: to the parent */

	MS_VEC(struct ms_run_untraced) untraced; /* reasons why a part of it was not seen */

	MS_VEC(struct ms_run_level) levels;
	MS_VEC(struct ms_run_code) codes;
	MS_VEC(struct ms_run_line) lines;
	MS_VEC(struct ms_run_site) sites;
	MS_VEC(struct ms_run_data) data;
	MS_VEC(struct ms_run_frame) frames;       /* sorted by data, then depth */
	MS_VEC(struct ms_run_cell) cells;         /* by site and data, with no pair in two places */
	MS_VEC(struct ms_run_miss) misses;        /* sorted by cell, then level */
	MS_VEC(struct ms_run_replaced) replaced;  /* sorted by cell, level */
	MS_VEC(struct ms_run_eviction) evictions; /* sorted by cell, level */
	MS_VEC(struct ms_run_occupancy) occupancy; /* sorted by level, data */
	MS_VEC(struct ms_run_stay) stays;   /* sorted by level, data, slice; none of nothing */
	MS_VEC(struct ms_run_phase) phases; /* none, or at least two */
	MS_VEC(struct ms_run_phase_miss) phase_misses;
	MS_VEC(struct ms_run_line_time) line_times;      /* sorted by line, processor */
	MS_VEC(struct ms_run_sharing) sharing;           /* in the order of the engine */
	MS_VEC(struct ms_run_thread) threads;            /* in the order in which they began */
	MS_VEC(struct ms_run_thread_miss) thread_misses; /* sorted by thread, level */
	MS_VEC(struct ms_run_wait) waits;
	MS_VEC(struct ms_run_pmu) pmus;             /* in the order in which they were asked for */
	MS_VEC(struct ms_run_pmu_level) pmu_levels; /* all levels of all: by pmu, level */
	MS_VEC(struct ms_run_pmu_sample) pmu_samples; /* sorted by pmu, cell, victim */
	MS_VEC(struct ms_run_sampling) samplings;     /* none, one, or one and strata */
	MS_VEC(struct ms_run_sampled_level) sampled_levels;
	MS_VEC(struct ms_run_sampled_life) sampled_lives;           /* by level, data */
	MS_VEC(struct ms_run_sampled_reference) sampled_references; /* by cell, part */
	MS_VEC(struct ms_run_sampled_miss) sampled_misses;          /* by cell, level, part */
	MS_VEC(struct ms_run_hardware) hardware;                    /* one, or none */
	MS_VEC(struct ms_run_hardware_sample) hardware_samples;     /* by cell, answer, sureness */
	MS_VEC(struct ms_run_hardware_latency) hardware_latencies;  /* by cell, bucket */
	MS_VEC(struct ms_run_hardware_compute) hardware_computes;   /* by line */
	MS_VEC(struct ms_run_hardware_loss) hardware_losses;
	MS_VEC(struct ms_run_checkpoint) checkpoints; /* one with MS_END_INCOMPLETE, or none */
};

void ms_run_free(struct ms_run *run);
/* Sets run->uid to random digits, unless it has one. */
void ms_run_give_uid(struct ms_run *run);
/* How many slices it has, the last one perhaps not whole; at most MS_RUN_SLICES_MOST. */
uint32_t ms_run_slices(const struct ms_run *run);
/* Whether the program went on, or may have, after what the run holds. */
bool ms_run_is_part(const struct ms_run *run);
/* Whether it was to be sampled in windows, and none opened: nothing is known of it. */
bool ms_run_is_unseen(const struct ms_run *run);
/* Lines of all caches of a level together. */
uint64_t ms_run_lines(const struct ms_run *run, uint32_t level);

#endif
