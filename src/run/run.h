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
#include "run/call_paths.h"
#include "run/checkpoint.h"
#include "run/code_and_data.h"
#include "run/counts.h"
#include "run/hardware.h"
#include "run/members.h"
#include "run/miss_causes.h"
#include "run/pmu.h"
#include "run/ranks.h"
#include "run/sampled.h"
#include "run/spatial.h"
#include "run/threads.h"
#include "run/timeline.h"
#include "run/verification.h"

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

/* How processors execute; enum_words.h has the words. */
enum ms_run_core {
	MS_RUN_IN_ORDER,     /* each miss costs its latency, each instruction a cycle */
	MS_RUN_OUT_OF_ORDER, /* the exposed part of each miss costs; compute time is estimated */
	MS_RUN_CORES,
};

/* Whether replacement misses are divided into conflict and capacity misses. */
enum ms_run_division {
	MS_RUN_UNDIVIDED,
	MS_RUN_BOUNDS, /* first level: of observed parts, extrapolated; others: certain counts */
	MS_RUN_EXACT,
	MS_RUN_ESTIMATED, /* from some accesses; counts have variances */
	MS_RUN_DIVISIONS,
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

/* The relation of a run to its parent. */
enum ms_run_relation {
	MS_RELATION_NONE,
	MS_RELATION_FORK,
	MS_RELATION_EXEC,
	MS_RELATION_RANK, /* it represents ranks of a merged run */
	MS_RELATIONS,
};

/*
 * What ran untraced: the program itself, for a while; processes that it created; the dynamic
 * loader, for which `times` is the estimated number of references; or threads that waited in a
 * loop, for which the reason is the function and `times` is the number of references. Functions of
 * MPI that poll for other ranks are counted; `times` is the estimated number of references that
 * did so.
 */
enum ms_run_who { MS_WHO_PROGRAM, MS_WHO_CHILD, MS_WHO_LOADER, MS_WHO_WAITING, MS_WHO_POLLING };

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
	uint64_t cost;     /* in cycles, as keep_child() has found it */
	uint64_t trace;    /* number of its trace: ms_launch_trace_name(); 0: none */
	uint64_t order;    /* in which programs began to be followed */
	bool is_program;   /* it is of the same process: the program has executed it (exec) */
};

/* A variable of the program's environment, of those that may affect its use of memory. */
struct ms_run_variable {
	const char *name;
	const char *value;
};

/* How a report shows heap data in groups: data.grouped says which. */
enum ms_run_grouping {
	MS_GROUPING_NONE,
	MS_GROUPING_SMALL, /* what matters little by itself: by type or allocating function */
	MS_GROUPING_TYPE,
	MS_GROUPING_FUNCTION,
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
	uint32_t core;            /* enum ms_run_core; in-order, too, if the model was not applied.
				     In-order machines have none of the next four: */
	uint32_t ipc_milli;       /* instructions per 1000 cycles when no data is missing */
	uint32_t clock_mhz;       /* 0: not known */
	uint32_t walk_latency;    /* cycles of a page walk */
	uint32_t bandwidth_milli; /* 1/1000 byte per cycle from memory; 0: unlimited */
	uint32_t division;        /* enum ms_run_division */
	double observed_part;     /* share of the run that the first level's division is from */
	uint32_t grouping;        /* enum ms_run_grouping. Not stored. */
	bool by_latency;          /* reports cost each miss its whole latency. Not stored. */
	bool by_estimate;         /* reports of a joined run show the simulated time. Not stored. */
	uint64_t seed;            /* of the interleaving of threads */
	double wall_seconds;
	uint32_t workers;
	uint32_t end; /* enum ms_run_end */
	int exit_status;
	const char *failure;  /* MS_END_LOST: the error; NULL otherwise. Not stored. */
	const char *messages; /* messages of the front-end itself; NULL: none. Not stored. */
	const char *unread;   /* debug information that was not found, a line each. Not stored. */
	const char *trace_failure;    /* why it could not be written; NULL: it was. Not stored. */
	bool trace_limited;           /* it contains only the beginning. Not stored. */
	bool became_another;          /* it called exec, which was not followed. Not stored. */
	double children_seconds;      /* of processor time, not followed. Not stored. */
	uint64_t children_windowless; /* that ended before a window opened. Not stored. */
	uint64_t not_kept;            /* children whose runs could not be stored. Not stored. */
	uint64_t child_traces;        /* written next to its own. Not stored. */
	uint64_t child_traces_failed; /* and of them, incomplete. Not stored. */
	uint64_t cost;                /* in cycles, of a child's run that was kept. Not stored. */
	bool only_execs; /* of its children, only those that executed a program. Not stored. */
	MS_VEC(struct ms_run_child) children; /* stored with them: see ms_store_link() */
	uint64_t instructions;
	uint64_t compute_cycles;  /* of all lines: see struct ms_run_line */
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
	const char *job;       /* of which it is a rank; NULL: none. Then the next four are 0: */
	uint32_t rank;
	uint32_t ranks; /* of the job; 0: not known */
	uint32_t local_rank;
	uint32_t local_ranks; /* of the job on this node; 0: not known */
	const char *folder;   /* of a merged run: of the databases of its ranks; else NULL */

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
	MS_VEC(struct ms_run_set_miss) set_misses; /* sorted by data, level, sets */
	MS_VEC(struct ms_run_optimal) optimal;     /* sorted by data, level */
	MS_VEC(struct ms_run_stay) stays;   /* sorted by level, data, slice; none of nothing */
	MS_VEC(struct ms_run_slice) slices; /* in the order of time */
	MS_VEC(struct ms_run_slice_miss) slice_misses;    /* sorted by slice, code, data, level */
	MS_VEC(struct ms_run_slice_line) slice_lines;     /* sorted by slice, line, level */
	MS_VEC(struct ms_run_slice_sum) slice_sums;       /* sorted by slice, processor, level */
	MS_VEC(struct ms_run_slice_thread) slice_threads; /* sorted by slice, thread */
	MS_VEC(struct ms_run_set_slice) set_slices;       /* sorted by slice, level, sets */
	MS_VEC(struct ms_run_phase) phases;               /* none, or at least two */
	MS_VEC(struct ms_run_path) paths;                 /* none, or the two special ones first */
	MS_VEC(struct ms_run_path_miss) path_misses;      /* sorted by path, line, data, level */
	MS_VEC(struct ms_run_line_use) line_uses;         /* sorted by cell, level */
	MS_VEC(struct ms_run_stride) strides;             /* sorted by site, stride */
	MS_VEC(struct ms_run_curve) curves;               /* sorted by data, size */
	MS_VEC(struct ms_run_reuse) reuses;               /* sorted by data, lines */
	MS_VEC(struct ms_run_member) members;             /* sorted by data, offset */
	MS_VEC(struct ms_run_member_access) member_accesses; /* sorted by cell, offset, size */
	MS_VEC(struct ms_run_member_thread)
	member_threads;                                 /* sorted by cell, offset, size, thread */
	MS_VEC(struct ms_run_member_pair) member_pairs; /* sorted by cell, offsets */
	MS_VEC(struct ms_run_address_range) address_ranges; /* sorted by data, number */
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
	MS_VEC(struct ms_run_origin) origins; /* of `memspy join`: the two runs; else none */
	MS_VEC(struct ms_run_verification) verifications; /* of `memspy verify`, oldest first */
	MS_VEC(struct ms_run_rank_cluster) rank_clusters; /* of a merged run; else none: */
	MS_VEC(struct ms_run_rank) rank_rows;             /* sorted by rank */
	MS_VEC(struct ms_run_rank_bin) rank_bins;         /* sorted by code, data */
	MS_VEC(struct ms_run_rank_data) rank_data;        /* sorted by rank, data */
	MS_VEC(struct ms_run_checkpoint) checkpoints;     /* one with MS_END_INCOMPLETE, or none */
};

void ms_run_free(struct ms_run *run);
/* Sets run->uid to random digits, unless it is set. */
void ms_run_make_uid(struct ms_run *run);
/* Rows of `slices` that a part of `set_slices` has: a power of two; the last part may have fewer.
 */
uint32_t ms_run_set_part_slices(const struct ms_run *run);
/* The number of slices, of which the last may be incomplete; at most MS_RUN_SLICES_MOST. */
uint32_t ms_run_slices(const struct ms_run *run);
/* Whether the program continued, or may have, after the end of the recorded part. */
bool ms_run_is_part(const struct ms_run *run);
/* Whether it was to be sampled in windows, and no window opened: it has no figures. */
bool ms_run_has_no_window(const struct ms_run *run);
/* Whether it was sampled on the real machine, and not simulated: it has no levels. */
bool ms_run_is_measured(const struct ms_run *run);
/* The sums over several ranks or processes: without threads, timelines, sharing and contents of
 * caches, which only their own runs have. */
bool ms_run_is_sum(const struct ms_run *run);
/* Whether it is simulated, and has samples of the real machine beside that: see run/hardware.h. */
bool ms_run_is_joined(const struct ms_run *run);
/*
 * Whether its time is the measured one: it is joined, it has enough samples for that, and nothing
 * else was asked for.
 */
bool ms_run_has_measured_time(const struct ms_run *run);
/* Whether reports cost misses by their exposed parts, and estimate compute time. */
bool ms_run_is_timed(const struct ms_run *run);
/* Lines of all caches of a level together. */
uint64_t ms_run_cache_lines(const struct ms_run *run, uint32_t level);

#endif
