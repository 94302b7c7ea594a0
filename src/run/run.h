/*
 * run/run.h - one profiled execution as plain arrays, which collect/ passes to the store, and which
 * analysis/ reads. The arrays contain event counts; reports compute cycles from them.
 *
 * An index into another array is a uint32_t with the name of its target; MS_NONE is "none". Strings
 * are never NULL unless the comment states it.
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
/* The maximum number of processors of a run in the store. */
enum { MS_RUN_PROCESSORS_MOST = 4096 };

enum ms_run_end {
	MS_END_EXITED,      /* exit_status holds what the program returned */
	MS_END_SIGNALED,    /* exit_status holds the signal's number */
	MS_END_INTERRUPTED, /* the user stopped it (Ctrl-C); exit_status holds the signal */
	MS_END_LOST,        /* the end was not observed: the front-end vanished, or detached */
	MS_END_INCOMPLETE,  /* a checkpoint: the figures so far of a run that had not ended */
	MS_ENDS,
};

/* The policies of a level, as machine/policies.h numbers them; 0 is the default. */
enum ms_run_level_trait {
	MS_TRAIT_REPLACEMENT,
	MS_TRAIT_WRITE,
	MS_TRAIT_WRITE_MISS,
	MS_TRAIT_CONTENTS,
	MS_TRAITS,
};

/* The node of a page, unless the program has set it; enum_words.h has the words. */
enum ms_run_placement {
	MS_RUN_FIRST_TOUCH, /* that of the first processor that missed all caches there */
	MS_RUN_INTERLEAVED, /* page by page, round robin */
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

/* A function, or its module and an offset if it is not known. */
struct ms_run_code {
	const char *name;   /* demangled */
	const char *module; /* path of the program or library */
	const char *file;   /* NULL when unknown */
	uint32_t line;      /* where it begins; 0 when unknown */
	uint64_t offset;    /* of its entry in the module */
};

/* A source line inside a function; instructions is the number of instructions executed there. */
struct ms_run_line {
	uint32_t code;
	const char *file; /* NULL when unknown */
	uint32_t line;    /* 0 when unknown */
	uint64_t instructions;
};

enum ms_run_site_kind {
	MS_SITE_READ,
	MS_SITE_WRITE,
	MS_SITE_MODIFY,
	MS_SITE_ACCESS, /* the hardware does not record which */
};

/* One instruction that makes references. A modify counts as a read, as in cachegrind. */
struct ms_run_site {
	uint32_t line;   /* index into lines */
	uint32_t kind;   /* enum ms_run_site_kind */
	uint32_t size;   /* bytes a reference */
	uint64_t offset; /* of the instruction in its module, or its address if there is none */
	const char
		*inlined; /* "a (f.c:3) < b (f.c:9)": the inline chain, outermost last; or NULL */
};

enum ms_run_data_kind {
	MS_DATA_HEAP,
	MS_DATA_STATIC,
	MS_DATA_TLS,
	MS_DATA_STACK,
	MS_DATA_FILE,    /* a mapped file */
	MS_DATA_MAPPED,  /* anonymous memory mapped by the program */
	MS_DATA_SECTION, /* a module's memory that belongs to no variable */
	MS_DATA_UNKNOWN, /* could not be attributed; reason says why */
	MS_DATA_NAMED,   /* the program has named it */
	MS_DATA_GROUP,   /* rules have merged several kinds */
	MS_DATA_ANY,     /* references whose data was not looked up: see misses_only */
};

/* A data bin. */
struct ms_run_data {
	const char *name;      /* short, as shown: "Matrix.Y"; unique within a run */
	const char *full_name; /* with the call path or the module and file */
	const char *type;      /* NULL when unknown */
	const char *reason;    /* only for MS_DATA_UNKNOWN: why; else NULL */
	uint32_t kind;         /* enum ms_run_data_kind */
	uint64_t objects;      /* number of all objects */
	uint64_t bytes;        /* of all objects */
	uint64_t peak_bytes;   /* most allocated at one time */
	uint64_t largest;      /* bytes of the largest */
	uint64_t paths;        /* call paths that share it, if they were merged; else 0 */
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

enum ms_run_cause { MS_CAUSE_FIRST, MS_CAUSE_REPLACED, MS_CAUSE_INVALIDATED, MS_CAUSES };

/* References of one site to one data by one processor. */
struct ms_run_cell {
	uint32_t site;
	uint32_t data;
	uint64_t references;
	uint32_t processor;
	uint64_t upgrades; /* writes that hit, but had to invalidate the line in other caches */
};

/* Misses of a cell at one level, by cause; no row if there are none. */
struct ms_run_miss {
	uint32_t cell;
	uint32_t level;
	uint64_t causes[MS_CAUSES];
	uint64_t covered; /* of all: a prefetcher would have fetched the line before */
	/* With several processors; else all are 0: */
	uint64_t falsely;     /* of the invalidated: no other processor wrote these bytes */
	uint64_t peer;        /* of all: another processor's cache answered, not the next level */
	uint64_t remote;      /* of the last level's: another node's memory answered */
	uint64_t write_backs; /* lines that private caches had to write back because of them */
	double weighted;      /* each divided by the number of busy processors */
};

/* Replacement misses of a cell at a level, by the data whose reference had evicted the line. */
struct ms_run_replaced {
	uint32_t cell;
	uint32_t level;
	uint32_t evictor; /* data */
	uint64_t count;
};

/* Lines of victim that references of a cell (its site, its data: the evictor) evicted. */
struct ms_run_eviction {
	uint32_t cell;
	uint32_t level;
	uint32_t victim; /* data */
	uint64_t count;
};

/*
 * The lines of a level that a data structure occupied, in all caches of the level together. A line
 * belongs to the data whose reference brought it in.
 */
struct ms_run_occupancy {
	uint32_t level;
	uint32_t data;
	uint64_t lines; /* at the end */
	uint64_t peak;
	double mean; /* over the steps of the run */
};

/* The mean over a slice of the run, for the data with the most lines. */
struct ms_run_stay {
	uint32_t level;
	uint32_t data; /* MS_NONE: all others together */
	uint32_t slice;
	double lines;
	uint64_t came; /* lines that were brought into the level in that slice; 0 in older runs */
};

/* The maximum number of slices of a run. */
enum { MS_RUN_SLICES_MOST = 64 };

/* All parts of the run with one phase name; the first is the part before any phase. */
struct ms_run_phase {
	const char *name;
	uint64_t times;      /* number of times it began */
	uint64_t references; /* of runs sampled on the real machine: samples */
};

/*
 * Misses of a level in a phase. Runs sampled on the real machine have no levels, but two figures:
 * enum ms_run_phase_figure.
 */
struct ms_run_phase_miss {
	uint32_t phase;
	uint32_t level;
	uint64_t misses;
};

enum ms_run_phase_figure {
	MS_PHASE_LATENCY, /* of references, in the source's unit; page faults: their number */
	MS_PHASE_COMPUTE, /* nanoseconds */
	MS_PHASE_FIGURES,
};

/* Instructions of a line by processor; empty in runs with one processor. */
struct ms_run_line_time {
	uint32_t line;
	uint32_t processor;
	uint64_t instructions;
	double weighted; /* each divided by the number of busy processors */
};

/*
 * Invalidation misses of a cell on one line of memory, by the reference that had invalidated the
 * line. Offsets are those of the first byte accessed.
 */
struct ms_run_sharing {
	uint32_t cell;   /* that missed */
	uint32_t writer; /* cell: that had written */
	uint64_t line;   /* address; MS_NO_OFFSET: lines that could not be distinguished */
	uint32_t offset; /* in the line; likewise the writer's */
	uint32_t writer_offset;
	uint64_t object; /* offset in the object or variable; MS_NO_OFFSET: not known */
	uint64_t writer_object;
	const char *field; /* the member at this offset; NULL: not known */
	const char *writer_field;
	uint64_t truly; /* misses: the reference accesses bytes that were written */
	uint64_t falsely;
	uint64_t peer;   /* of both: another processor's cache answered */
	uint64_t remote; /* of both: another node's memory answered */
};

/* The last known state of a thread. */
enum ms_run_thread_end {
	MS_THREAD_ENDED,    /* it had ended */
	MS_THREAD_SIGNALED, /* a signal had ended it and the program */
	MS_THREAD_RUNNING,  /* the program ended while it was runnable */
	MS_THREAD_WAITING,  /* the program ended while it waited */
	MS_THREAD_ENDS,
};

/*
 * One thread. Times are virtual, in cycles with the latencies of the run's machine: its
 * instructions, its stalls, and its advances to the times of the threads that woke it.
 */
struct ms_run_thread {
	const char *name;      /* its start function, or its given name; NULL: unknown */
	uint32_t processor;    /* on which it ran last */
	uint64_t instructions; /* without those of spin loops */
	uint64_t references;
	uint64_t began;   /* virtual time */
	uint64_t elapsed; /* until it ended: compute, stall and wait */
	double weighted;  /* instructions, each divided by the number of busy processors */
	uint32_t end;     /* enum ms_run_thread_end */
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

enum ms_run_wait_reason {
	MS_WAIT_FUTEX,     /* for a lock, a condition, a barrier */
	MS_WAIT_JOIN,      /* for another thread's end */
	MS_WAIT_SPIN,      /* executing a loop that waits; a cycle an instruction */
	MS_WAIT_PROCESSOR, /* another thread occupied the processor */
	MS_WAIT_OTHER,     /* in another system call */
	MS_WAIT_REASONS,
};

/* How long a thread waited, by reason and by the line that waited. */
struct ms_run_wait {
	uint32_t thread;
	uint32_t line; /* MS_NONE: not known */
	uint32_t reason;
	uint64_t times;
	uint64_t cycles;
};

/* The relation of a run to its parent. */
enum ms_run_relation { MS_RELATION_NONE, MS_RELATION_FORK, MS_RELATION_EXEC };

/*
 * What ran untraced: the program itself, for a while; processes that it created; the dynamic
 * loader, for which `times` is the estimated number of references; or threads that waited in a
 * loop, for which the reason is the function and `times` is the number of references.
 */
enum ms_run_who { MS_WHO_PROGRAM, MS_WHO_CHILD, MS_WHO_LOADER, MS_WHO_WAITING };

struct ms_run_untraced {
	const char *reason; /* "its code changes itself" */
	uint32_t who;       /* enum ms_run_who */
	uint64_t times;
	double seconds; /* of processor time; 0: not known */
};

/* A run that is a child of this one or of another child. */
struct ms_run_child {
	int64_t id;
	int64_t parent;    /* 0: this one */
	uint32_t relation; /* enum ms_run_relation */
};

/* A variable of the program's environment, of those that may affect its use of memory. */
struct ms_run_variable {
	const char *name;
	const char *value;
};

struct ms_run {
	struct ms_arena arena; /* owns all strings */

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
	const char *git_commit;     /* checked out in its directory; NULL: no repository */
	uint32_t git_dirty;         /* 1: with uncommitted changes */
	const char *host;           /* "name (processor)" that ran it; NULL: not known */
	const char *frontend;       /* "valgrind" */
	const char *memspy;         /* version that made it */
	const char *machine;        /* name */
	const char *machine_origin; /* one sentence: the origin of the geometry */
	uint32_t memory_latency;
	uint32_t processors;      /* simulated; at least 1 */
	uint32_t protocol;        /* enum ms_machine_coherence_protocol */
	uint32_t nodes;           /* of memory that they are on; at least 1 */
	uint32_t node_processors; /* processors on one node; 0: all */
	uint32_t peer_latency;    /* cycles a reference waits if a peer's cache answers ... */
	uint32_t remote_latency;  /* ... or another node's memory */
	uint32_t placement;       /* enum ms_run_placement */
	uint64_t seed;            /* of the interleaving of threads */
	double wall_seconds;
	uint32_t workers;
	uint32_t end; /* enum ms_run_end */
	int exit_status;
	const char *failure;  /* MS_END_LOST: the error; NULL otherwise. Not stored. */
	const char *messages; /* messages of the front-end itself; NULL: none. Not stored. */
	const char *unread;   /* debug information that was not found, a line each. Not stored. */
	const char *trace_failure; /* why it could not be written; NULL: it was. Not stored. */
	bool trace_limited;        /* it contains only the beginning. Not stored. */
	bool became_another;       /* it called exec, which was not followed. Not stored. */
	double children_seconds;   /* of processor time, not followed; 0: hardly any. Not stored. */
	uint64_t children_windowless; /* that ended before a window opened. Not stored. */
	uint64_t not_kept;            /* children whose runs could not be stored. Not stored. */
	uint64_t child_traces;        /* written next to its own. Not stored. */
	uint64_t child_traces_failed; /* and of them, incomplete. Not stored. */
	MS_VEC(struct ms_run_child) children; /* stored with them: see ms_store_link() */
	uint64_t instructions;
	uint64_t stops;           /* number of times that counting was stopped */
	double processor_seconds; /* of the program, with the known cost of tracing; 0: unknown */
	uint32_t misses_only;     /* 1: references are not counted by data; all belong to one data,
				     MS_DATA_ANY, and those of each site are right */
	uint64_t merged_sites;    /* instructions that were added to others of their line */
	uint64_t merged_pairs; /* pairs that were added to those of <other data>, each counted every
				  time it was merged */
	uint64_t pair_error;   /* counts of the remaining pairs are too low by at most this */
	uint64_t steps;        /* its length: executed blocks and references */
	uint64_t slice_steps;  /* of one slice of it; the last one may be shorter */
	int64_t parent;        /* of its parent process, or of the program before exec; 0: none */
	uint32_t relation;     /* enum ms_run_relation: to the parent */

	MS_VEC(struct ms_run_untraced) untraced; /* reasons why a part of it was not traced */

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
	MS_VEC(struct ms_run_pmu) pmus;               /* in the order of the options */
	MS_VEC(struct ms_run_pmu_level) pmu_levels;   /* all levels of all: by pmu, level */
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
/* Sets run->uid to random digits, unless it is set. */
void ms_run_make_uid(struct ms_run *run);
/* The number of slices, of which the last may be incomplete; at most MS_RUN_SLICES_MOST. */
uint32_t ms_run_slices(const struct ms_run *run);
/* Whether the program continued, or may have, after the end of the recorded part. */
bool ms_run_is_part(const struct ms_run *run);
/* Whether it was to be sampled in windows, and no window opened: it has no figures. */
bool ms_run_has_no_window(const struct ms_run *run);
/* Lines of all caches of a level together. */
uint64_t ms_run_cache_lines(const struct ms_run *run, uint32_t level);

#endif
