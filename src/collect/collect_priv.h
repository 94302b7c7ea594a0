/* collect/collect_priv.h - what the collector's files share. */
#ifndef MS_COLLECT_COLLECT_PRIV_H
#define MS_COLLECT_COLLECT_PRIV_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/process_stat.h"
#include "base/vec.h"
#include "bins/binder.h"
#include "bins/naming.h"
#include "collect/checkpoint.h"
#include "collect/clocks.h"
#include "collect/collect.h"
#include "collect/gate.h"
#include "collect/hardware.h"
#include "collect/pace.h"
#include "collect/pipeline.h"
#include "collect/sampled.h"
#include "collect/still.h"
#include "collect/timed.h"
#include "engine/engine.h"
#include "stream/ring.h"
#include "stream/trace.h"

/* How much memory a data bin had, counted by one worker. */
/* Where only some blocks are told, what those stand for. */
struct data_stats {
	double objects;
	double bytes;
	double live;
	double peak;
	uint64_t largest;
	uint64_t told; /* objects */
};

struct phase {
	const char *name;
	uint64_t times;
};

/* Looks at a run that goes on. */
struct snapshots {
	pid_t pid;       /* of the copy that is at work; 0: none */
	double next;     /* not before this moment */
	double used;     /* processor time of all copies */
	uint64_t before; /* what the program had used of it, in ns, when it was first looked at */
};

struct ms_passing;
struct worker;

/* Whether the program's process has become another program: became.c. */
struct became {
	char name[16]; /* the process's, as it was last seen */
	bool another;
};

/* A loop in which threads wait for others (wait_loops.c). */
struct wait_loop {
	struct ms_bound_pc pc;
	uint64_t skipped;  /* references between windows that were not counted */
	uint64_t left_out; /* references of its block between windows, counted or not */
};

struct collector {
	struct ms_ring ring;
	const struct ms_machine *const *machines;
	size_t machine_count;
	const struct ms_pmu_config *pmus; /* by machine, then pmu_count each */
	size_t pmu_count;
	struct ms_engine **engines; /* one a machine, then one for each of pmus; all see the same
				       stream */
	size_t engine_count;
	const struct ms_cpus *cpus;
	const struct ms_sampling *sampling; /* NULL: everything is seen */
	bool misses_only;                   /* whose data hits are of is not looked up */
	struct ms_bin_limits limits;
	void (*progress)(const struct ms_collect_progress *progress, void *arg);
	void *progress_arg;
	void (*counted)(const struct ms_run *run, void *arg); /* of the options, at the end */
	void *counted_arg;

	/* Events change the binder once, whichever worker comes first: see events.c. */
	pthread_mutex_t lock;
	struct still still; /* the workers between chunks */
	struct ms_binder *binder;
	struct ms_arena arena;      /* what events hand to the shards */
	struct bound_event *events; /* by number modulo event_room; NULL: not kept */
	uint64_t event_room;
	struct ms_err failure; /* of the first worker that failed; code 0: none */

	unsigned workers;
	unsigned sifters; /* workers that take turns with sifting */
	unsigned started; /* of them */
	bool halved;      /* there is one, whose chunks another thread settles: */
	struct pipeline pipeline;
	struct worker *worker;
	struct follow *follow; /* NULL: children are not followed */
	struct became became;
	struct ms_trace_writer *trace; /* NULL: the stream is not kept */
	pthread_t trace_thread;
	bool trace_started;
	struct ms_err trace_failure;
	MS_VEC(struct data_stats) stats; /* by data; the first worker's */
	MS_VEC(struct phase) phases;     /* likewise; [0] is what comes before any */
	struct ms_names phase_names;
	struct ms_clocks **clocks; /* of each engine; NULL where one processor is simulated */
	uint64_t stops;            /* how often counting was stopped */
	struct ms_wire_untraced untraced[MS_WIRE_UNTRACED_REASONS];
	uint32_t modules_at_start; /* loaded before anything was traced: the first so many */
	bool starts_natively;      /* the native front-end begins after the dynamic loader's work */
	struct sampled_sums windows[MS_WIRE_STRATA_MOST]; /* by stratum */
	uint32_t stratum;                                 /* that windows belong to now */
	uint64_t exits;                                   /* of blocks, that were described */
	uint64_t taken; /* blocks that were allocated since a window was opened or closed */
	struct sampled_together together;
	MS_VEC(uint64_t) left_out; /* by exit: executions in no window; empty: not told */
	MS_VEC(struct wait_loop) wait_loops;
	struct pace pace;
	unsigned (*split)(const char *key, const char *name, const void *arg); /* or NULL */
	const void *split_arg;
	struct ms_splits *splits;  /* what is known so far */
	uint32_t bound_thread;     /* that runs where an event is being bound */
	bool has_threads;          /* more than the first */
	struct hardware *hardware; /* NULL: the program is simulated */
	struct timed *timed;       /* of a timer's samples; NULL: there were none */
	struct flight *flights;    /* by chunk, modulo their count; of several workers */
	unsigned flight_count;
	const struct ms_snapshot *snapshot; /* who wants to see the run while it goes on, or NULL */
	struct snapshots snapshots;
	double checkpoint_seconds; /* from one to the next; 0: none */
	struct checkpoints checkpoints;
	struct ms_run *run; /* what is described of it so far */
	uint32_t lag;       /* a chunk is settled so many chunks after it was taken */
};

/*
 * A chunk that several workers read: all meet its events, one of them, its owner, sifts it; when
 * that is done every worker settles it.
 */
struct flight {
	struct gate sifted;   /* opened for chunk k with k + 1; likewise the next */
	struct gate finished; /* settled by all */
	uint32_t unsettled;   /* workers that have not settled it */
};

/* What an event came to for the shards, kept until every worker has met it. */
struct bound_event {
	uint64_t number_plus_1; /* 0: not known yet */
	int code;               /* MS_OK, or why it came to nothing */
	uint32_t data;
	const struct ms_engine_block *block;
	const struct ms_engine_range *places;
	size_t place_count;
	uint64_t stride; /* of an allocation: places are those of members, again and again */
};

struct worker {
	struct collector *collector;
	unsigned number;
	struct ms_engine_shard **shards; /* of each engine, the one of this number */
	struct assignment **assignments; /* of each engine; NULL where one processor is simulated */
	uint64_t events;                 /* met so far */
	uint32_t running;                /* the thread whose references come now */
	MS_VEC(bool) allocating;         /* by thread: it is inside malloc or a relative */
	struct ms_passing *passing;      /* of packed records; NULL: there were none */
	uint32_t tells;                  /* how far it has come at this chunk, or behind it */
	size_t figures;                  /* that were added up for that */
	uint32_t settled;  /* of several workers: its next chunk that is to be settled */
	struct ms_err err; /* code 0: none; else it only passes chunks on */
	pthread_t thread;
};

/* splits.c: data that is kept apart by size, thread or member. */
/* The data of a block, and its members where they are told apart. */
void ms_splits_alloc(struct collector *c, uint64_t size, struct bound_event *b);
/* Adds a range of static memory, or its members. */
struct ms_places {
	MS_VEC(struct ms_engine_range) at;
};
void ms_splits_static(struct collector *c, const struct ms_bound_range *range,
		      struct ms_places *places);
void ms_splits_close(struct ms_splits *splits);
/* result.c: the name of the memory that a call path allocates. */
void ms_result_path_name(struct collector *c, uint32_t node, struct ms_data_name *name);

/* events.c: one event record; head included in words. */
int ms_collect_event(struct worker *worker, const uint64_t *words, size_t n, struct ms_err *err);
/* events_threads.c: the first engine's shard may have met who runs by itself. */
void ms_event_taken_up(struct worker *worker);
/* events_untraced.c: what the run is to say of it. */
void ms_event_untraced_result(const struct collector *c, struct ms_run *run);
/* loader.c: references of the dynamic loader that were not traced, where they are many. */
/* References of wait loops between windows: that were not counted, and that were. */
uint64_t ms_wait_loops_skipped(const struct collector *c);
uint64_t ms_wait_loops_counted(const struct collector *c);
void ms_wait_loops_result(struct naming *n);
void ms_loader_result(const struct collector *c, struct ms_run *run);

/* Threads that --cpus tells apart; then its map begins again. */
enum { MOST_MAPPED = 1024 };

/* assign.c: which processor runs what. One a shard, told of the same events as it. */
struct assignment *ms_assign_open(const struct ms_machine *machine, const struct ms_cpus *cpus,
				  struct ms_engine_shard *shard, struct ms_clocks *clocks);
void ms_assign_close(struct assignment *processors);
void ms_assign_thread(struct assignment *p, uint32_t thread, uint64_t maker);
/* taken: by the program's end. */
void ms_assign_thread_end(struct assignment *p, uint32_t thread, bool taken);
void ms_assign_switch(struct assignment *p, uint32_t thread);
/* The same of a thread that its shard knows. */
void ms_assign_taken_up(struct assignment *p, uint32_t thread);
void ms_assign_wait(struct assignment *p, uint32_t thread, uint64_t reason, uint64_t path);
void ms_assign_wake(struct assignment *p, uint32_t thread, uint64_t waker);
void ms_assign_clock(struct assignment *p, uint32_t thread, uint64_t instructions);
void ms_assign_spin(struct assignment *p, uint32_t thread, uint64_t instructions, uint64_t path);
void ms_assign_at(struct assignment *p, uint32_t thread, uint64_t path);
void ms_assign_affinity(struct assignment *p, uint32_t thread, const uint64_t *mask, size_t n);
void ms_assign_policy(struct assignment *p, const struct ms_wire_policy *policy);

/* flight.c: reads the whole stream; the first two are for a single worker. */
void ms_worker_read_alone(struct worker *worker);
void ms_worker_sift_only(struct worker *worker);
void ms_worker_read_together(struct worker *worker);
/* The rest of what a worker does that only sifts. */
void ms_collector_settle(struct collector *collector);
/* How many chunks may be between being taken and being settled. */
unsigned ms_flights_most(const struct collector *collector);
void ms_flights_open(struct collector *collector);
/* In a copy of this process whose workers were at rest: settles what they had not. */
void ms_flights_land(struct collector *collector);
void ms_flights_close(struct collector *collector);

/* collector.c */
struct ms_merger;
/* Starts what puts the lanes of a native program's threads together. */
int ms_collector_merge(struct collector *c, struct ms_merger **merger, struct ms_err *err);
int ms_collector_open(struct collector *collector, uint32_t chunk_bytes, unsigned workers,
		      bool trace, struct ms_err *err);
void ms_collector_close(struct collector *collector);
/* Whether there is address space (ulimit -v) for more than one worker and a few lanes. */
bool ms_collect_has_room(void);
/* What an engine simulates. */
const struct ms_machine *ms_collector_machine(const struct collector *collector, size_t engine);
/* Part of the two above. */
void ms_collector_open_engines(struct collector *collector);
void ms_collector_close_engines(struct collector *collector);
/* The last `room` events are bound once, whoever meets them. */
void ms_collector_keep_events(struct collector *collector, uint64_t room);
/* What is known of a run before it starts. */
void ms_collector_describe(const struct collector *collector, const struct ms_machine *machine,
			   const char *frontend, const char *const *argv, struct ms_run *run);
/* Of a run on the real machine nothing of a description was used. */
void ms_collector_forget_machine(struct ms_run *run);
/* Tells how far it has come. */
void ms_collector_tell(const struct collector *collector, double started);
double ms_collector_now(void);
/* The time of day: "2026-11-15T10:31:02Z". */
const char *ms_collector_utc(struct ms_arena *arena);

/* worker.c */
int ms_workers_start(struct collector *collector, struct ms_err *err);
/* Waits until all have read the stream to its end. */
void ms_workers_join(struct collector *collector);

/* tracee.c: threads of the program that are stopped as memspy traces them go on. */
void ms_tracee_resume(pid_t program);

/* forked_copy.c: in a copy of the collector: ends with it, and writes nothing for users. */
void ms_copy_begin(pid_t collector);
/* Processor time that a copy used. */
struct rusage;
double ms_copy_seconds(const struct rusage *used);

/* launch.c: finds and checks the program, then starts it; *pid is the front-end's process. */
struct ms_launch {
	pid_t pid;
	int log_fd;   /* what the front-end itself had to say */
	pid_t first;  /* attach.c: the thread that knows us already */
	bool windows; /* likewise: it is traced in windows only */
};
#define MS_LAUNCH_TOOL "--tool=memspy"
int ms_launch_check(const char *program, char **path, struct ms_err *err);
/* collector: the socket of follow.c, or NULL. */
int ms_launch_valgrind(struct ms_launch *launch, const struct ms_collect_options *options,
		       const char *path, int stream_fd, const char *collector, struct ms_err *err);
/* What the front-end itself had to say, of its own process; NULL: nothing. */
const char *ms_launch_log(const struct ms_launch *launch, struct ms_arena *arena);

/* Which groups of lines are seen, four to a digit: "SHIFT:ff01". */
const char *ms_launch_groups(const struct ms_sampling *sampling, struct ms_arena *arena);
/* native.c: likewise, with the native front-end preloaded. */
int ms_launch_native(struct ms_launch *launch, const struct ms_collect_options *options,
		     const char *path, int stream_fd, const char *collector,
		     struct hardware *hardware, struct ms_err *err);
/* What it writes its messages into; -1: there is none. */
int ms_native_log(void);
/* What its runtime is told, behind MEMSPY_NATIVE=. */
const char *ms_native_wishes(const struct ms_collect_options *options, int stream_fd, int log_fd,
			     const char *collector, struct ms_arena *arena);
/* Lanes for threads; needed: it cannot do without them. */
int ms_native_lanes(struct ms_ring *ring, const struct ms_collect_options *options,
		    struct ms_err *err);

/* attach.c: brings the native front-end into a process that runs. */
int ms_attach(struct ms_launch *launch, const struct ms_collect_options *options, int stream_fd,
	      struct ms_err *err);
/* The threads besides the one that this took; while somebody reads, as that one is traced. */
void ms_attach_others(const struct ms_launch *launch);

/* choose.c: the front-end for a program. Fails if the one that was asked for cannot run it. */
struct ms_choice {
	const char *name; /* as a run keeps it */
	bool native;
};
/* What the native front-end has against a program; NULL: nothing. */
const char *ms_choose_against(const char *path);
int ms_choose(const struct ms_collect_options *options, const char *path, struct ms_choice *choice,
	      struct ms_err *err);

/* wait.c: waits for the program's end, passing signals on and telling progress. */
void ms_wait_prepare(void);
void ms_wait_restore_in_child(void);
/* The stream is kept in a file from here on; path NULL: it is not. */
int ms_collect_start_trace(struct collector *collector, const char *frontend, const char *path,
			   uint64_t limit, const char *const *argv, struct ms_err *err);
/* A trace that could not be kept costs the trace, not the run. */
void ms_collect_finish_trace(struct collector *collector, struct ms_run *run);

/* became.c: looks, while the program runs and before it is asked how it has ended. */
/* path: what the process executes first. */
void ms_became_begin(struct became *became, const char *path);
void ms_became_look(struct became *became, pid_t pid);

void ms_wait_for(struct collector *collector, pid_t pid, const struct ms_collect_options *options,
		 uint32_t *end, int *exit_status);
/* Likewise for a process that is not ours: until it ends, the duration is over (0: never), or
 * somebody interrupts memspy. */
void ms_wait_attached(struct collector *collector, pid_t pid,
		      const struct ms_collect_options *options);
/* Whether a signal has come since. */
bool ms_wait_interrupted(void);
void ms_wait_finish(void);

/* snapshot.c: looks whether somebody wants to see what was counted so far. */
void ms_snapshot_look(struct collector *collector, pid_t program, double started);
/* In a copy of this process: what the kernel counts of a program that is sampled. */
void ms_snapshot_count(struct collector *collector, pid_t program);
/* No more of them; the processor time that they took. */
double ms_snapshot_finish(struct collector *collector);

/* shared.c: who took lines away from whom, when the cells of the run are there. */
void ms_result_sharing(struct collector *collector, const struct ms_engine_totals *totals,
		       struct ms_run *run, struct ms_names *names);

/* threads.c: what each thread did, and what it waited for. */
struct naming;
void ms_result_threads(struct collector *collector, size_t machine,
		       const struct ms_engine_totals *totals, struct ms_run *run,
		       struct naming *naming);

/* occupancy.c: which data had how much of each level. */
void ms_result_occupancy(const struct ms_engine_totals *totals, struct ms_run *run,
			 struct naming *naming);

/* monitors.c: what each monitor saw and cost; totals: of the engine that is not disturbed. */
void ms_result_pmus(struct collector *collector, size_t machine,
		    const struct ms_engine_totals *totals, struct ms_run *run,
		    struct naming *naming);

/* result.c */
uint32_t ms_result_line(struct naming *naming, struct ms_bound_pc pc);
uint32_t ms_result_data(struct naming *naming, uint32_t data);
const char *ms_result_name(struct naming *naming, const char *text);
/* Through which inlined functions; NULL: none. */
const char *ms_result_inlined(struct naming *naming, struct ms_bound_pc pc);
void ms_collect_result(struct collector *collector, size_t machine, struct ms_run *run);
/* merge_sites.c: how many cells a run may have; and what is done when it has more. */
uint64_t ms_result_most_cells(const struct collector *c);
void ms_result_merge_sites(const struct collector *c, struct ms_run *run);

#endif
