/* collect/collect_priv.h - declarations that the files of collect/ share. */
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

/*
 * The memory of one data structure, counted by the first worker. Where the front-end records a
 * sample of the allocations only, the figures are estimates for all of them.
 */
struct data_stats {
	double objects;
	double bytes;
	double live;
	double peak;
	uint64_t largest;
	uint64_t told; /* objects that were recorded */
};

struct phase {
	const char *name;
	uint64_t times;
};

/* Snapshots of a run whose program has not ended: snapshot.c. */
struct snapshots {
	pid_t pid;       /* of the forked copy that runs now; 0: none */
	double next;     /* the earliest time of the next snapshot */
	double used;     /* processor time of all copies */
	uint64_t before; /* processor time that the program had used when sampling began, in ns */
};

struct ms_passing;
struct worker;

/* Detects that the program's process has executed another program: became.c. */
struct became {
	char name[16]; /* of the process, when it was last read */
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
	const struct ms_sampling *sampling; /* NULL: the whole program is simulated */
	bool misses_only;                   /* hits are not attributed to data */
	struct ms_bin_limits limits;
	void (*progress)(const struct ms_collect_progress *progress, void *arg);
	void *progress_arg;
	void (*counted)(const struct ms_run *run, void *arg); /* of the options, at the end */
	void *counted_arg;

	/* The first worker that reads an event applies it to the binder: see events.c. */
	pthread_mutex_t lock;
	struct still still; /* quiesces the workers between chunks */
	struct ms_binder *binder;
	struct ms_arena arena;      /* owns what events pass to the shards */
	struct bound_event *events; /* by number modulo event_room; NULL: not kept */
	uint64_t event_room;
	struct ms_err failure; /* of the first worker that failed; code 0: none */

	unsigned workers;
	unsigned sifters; /* workers that filter chunks, in round-robin order */
	unsigned started; /* workers whose threads exist */
	bool halved;      /* one worker filters, and a second thread simulates its chunks: */
	struct pipeline pipeline;
	struct worker *worker;
	struct follow *follow; /* NULL: children are not followed */
	struct became became;
	struct ms_trace_writer *trace; /* NULL: the stream is not kept */
	pthread_t trace_thread;
	bool trace_started;
	struct ms_err trace_failure;
	MS_VEC(struct data_stats) stats; /* by data; written by the first worker */
	MS_VEC(struct phase) phases;     /* likewise; [0] is the time before the first phase */
	struct ms_names phase_names;
	struct ms_clocks **clocks; /* of each engine; NULL where one processor is simulated */
	uint64_t stops;            /* how often counting was stopped */
	struct ms_wire_untraced untraced[MS_WIRE_UNTRACED_REASONS];
	uint32_t modules_at_start; /* modules that were loaded before tracing began */
	bool starts_natively;      /* the native front-end begins after the dynamic loader's work */
	struct sampled_sums windows[MS_WIRE_STRATA_MOST]; /* by stratum */
	uint32_t stratum;                                 /* of the present windows */
	uint64_t exits;                                   /* of described basic blocks */
	uint64_t taken; /* heap blocks allocated since a window was last opened or closed */
	struct sampled_together together;
	MS_VEC(uint64_t) left_out; /* by exit: executions in no window; empty: not recorded */
	MS_VEC(struct wait_loop) wait_loops;
	struct pace pace;
	unsigned (*split)(const char *key, const char *name, const void *arg); /* or NULL */
	const void *split_arg;
	struct ms_splits *splits;  /* the answers of split() so far */
	uint32_t bound_thread;     /* the thread that runs at the event that is being bound */
	bool has_threads;          /* more than the first */
	struct hardware *hardware; /* NULL: the program is simulated */
	struct timed *timed;       /* samples of a timer; NULL: there were none */
	struct flight *flights;    /* by chunk modulo their count; for several workers */
	unsigned flight_count;
	const struct ms_snapshot *snapshot; /* NULL: no snapshots are taken */
	struct snapshots snapshots;
	double checkpoint_seconds; /* from one to the next; 0: none */
	struct checkpoints checkpoints;
	struct ms_run *run; /* as far as it is described */
	uint32_t lag;       /* chunks between reading a chunk and simulating it */
};

/*
 * A chunk that several workers process. Each worker applies the chunk's events to its own shard.
 * One worker, the owner, runs the chunk through the L1 filter. After that every worker simulates
 * its share of the pending accesses.
 */
struct flight {
	struct gate sifted;   /* filtered; opened for chunk k with k + 1, as the next one is */
	struct gate finished; /* simulated by all workers */
	uint32_t unsettled;   /* workers that have not simulated it */
};

/* The result of binding an event, kept until every worker has applied it to its shard. */
struct bound_event {
	uint64_t number_plus_1; /* 0: not bound yet */
	int code;               /* MS_OK, or the error of binding it */
	uint32_t data;
	const struct ms_engine_block *block;
	const struct ms_engine_range *places;
	size_t place_count;
	uint64_t stride; /* of an allocation: the members' ranges repeat at this distance */
};

struct worker {
	struct collector *collector;
	unsigned number;
	struct ms_engine_shard **shards; /* this worker's shard of each engine */
	struct assignment **assignments; /* of each engine; NULL where one processor is simulated */
	uint64_t events;                 /* read so far */
	uint32_t running;                /* the thread that makes the present references */
	MS_VEC(bool) allocating;         /* by thread: it is inside malloc or a relative */
	struct ms_passing *passing;      /* of packed records; NULL: there were none */
	uint32_t tells;                  /* the first chunk after which progress is updated again */
	size_t figures;                  /* counters that the last update added up */
	uint32_t settled;  /* with several workers: the next chunk that it simulates */
	struct ms_err err; /* code 0: none; else the worker only releases chunks */
	pthread_t thread;
};

/* splits.c: data that is split by size, thread or member. */
/* The data of a heap block, and the ranges of its members where it is split by member. */
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
/* events_threads.c: follows thread switches that the first engine's shard has read by itself. */
void ms_event_taken_up(struct worker *worker);
/* events_untraced.c: adds the untraced parts of the execution to the run. */
void ms_event_untraced_result(const struct collector *c, struct ms_run *run);
/* wait_loops.c: references of wait loops between windows, those not counted and those counted. */
uint64_t ms_wait_loops_skipped(const struct collector *c);
uint64_t ms_wait_loops_counted(const struct collector *c);
void ms_wait_loops_result(struct naming *n);
/* loader.c: references of the dynamic loader that were not traced, where they are many. */
void ms_loader_result(const struct collector *c, struct ms_run *run);

/* Threads that --cpus can map one by one; the map repeats for further threads. */
enum { MOST_MAPPED = 1024 };

/* assign.c: which processor runs which thread. Each shard has one; both receive the same events. */
struct assignment *ms_assign_open(const struct ms_machine *machine, const struct ms_cpus *cpus,
				  struct ms_engine_shard *shard, struct ms_clocks *clocks);
void ms_assign_close(struct assignment *processors);
void ms_assign_thread(struct assignment *p, uint32_t thread, uint64_t maker);
/* taken: the program's end ended the thread. */
void ms_assign_thread_end(struct assignment *p, uint32_t thread, bool taken);
void ms_assign_switch(struct assignment *p, uint32_t thread);
/* Likewise, where the shard has switched the thread already. */
void ms_assign_taken_up(struct assignment *p, uint32_t thread);
void ms_assign_wait(struct assignment *p, uint32_t thread, uint64_t reason, uint64_t path);
void ms_assign_wake(struct assignment *p, uint32_t thread, uint64_t waker);
void ms_assign_clock(struct assignment *p, uint32_t thread, uint64_t instructions);
void ms_assign_spin(struct assignment *p, uint32_t thread, uint64_t instructions, uint64_t path);
void ms_assign_at(struct assignment *p, uint32_t thread, uint64_t path);
void ms_assign_affinity(struct assignment *p, uint32_t thread, const uint64_t *mask, size_t n);
void ms_assign_policy(struct assignment *p, const struct ms_wire_policy *policy);

/* flight.c: process the whole stream; the first two are for a single worker. */
void ms_worker_read_alone(struct worker *worker);
void ms_worker_sift_only(struct worker *worker);
void ms_worker_read_together(struct worker *worker);
/* Simulates the chunks that ms_worker_sift_only() has filtered; runs in a second thread. */
void ms_collector_settle(struct collector *collector);
/* How many chunks may have been read and not yet simulated. */
unsigned ms_flights_most(const struct collector *collector);
void ms_flights_open(struct collector *collector);
/* In a forked copy whose workers were quiesced: simulates the chunks that they had filtered. */
void ms_flights_land(struct collector *collector);
void ms_flights_close(struct collector *collector);

/* collector.c */
struct ms_merger;
/* Starts the merger, which merges the lanes of a native program's threads into one stream. */
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
/* Keeps the results of the last `room` events, so that each is bound once for all workers. */
void ms_collector_keep_events(struct collector *collector, uint64_t room);
/* Fills in what is known of a run before the program starts. */
void ms_collector_describe(const struct collector *collector, const struct ms_machine *machine,
			   const char *frontend, const char *const *argv, struct ms_run *run);
/* Removes the simulated machine from a run on the real machine, which does not use it. */
void ms_collector_forget_machine(struct ms_run *run);
/* Reports the progress. */
void ms_collector_tell(const struct collector *collector, double started);
double ms_collector_now(void);
/* The time of day: "2026-11-15T10:31:02Z". */
const char *ms_collector_utc(struct ms_arena *arena);

/* worker.c */
int ms_workers_start(struct collector *collector, struct ms_err *err);
/* Waits until all workers have processed the whole stream. */
void ms_workers_join(struct collector *collector);

/* tracee.c: resumes threads of the program that are stopped because memspy traces them. */
void ms_tracee_resume(pid_t program);

/* forked_copy.c: prepares a copy of the collector: it ends with the collector and prints nothing.
 */
void ms_copy_begin(pid_t collector);
/* Processor time that a copy used. */
struct rusage;
double ms_copy_seconds(const struct rusage *used);

/* launch.c: finds and checks the program, then starts it; *pid is the front-end's process. */
struct ms_launch {
	pid_t pid;
	int log_fd;   /* the front-end's own messages */
	pid_t first;  /* attach.c: the thread that the runtime is attached to already */
	bool windows; /* attach.c: only windows of the program are traced */
};
#define MS_LAUNCH_TOOL "--tool=memspy"
int ms_launch_check(const char *program, char **path, struct ms_err *err);
/* collector: the socket of follow.c, or NULL. */
int ms_launch_valgrind(struct ms_launch *launch, const struct ms_collect_options *options,
		       const char *path, int stream_fd, const char *collector, struct ms_err *err);
/* The front-end's own messages about its process; NULL: none. */
const char *ms_launch_log(const struct ms_launch *launch, struct ms_arena *arena);

/* Which groups of lines are simulated, as a bitmap of hexadecimal digits: "SHIFT:ff01". */
const char *ms_launch_groups(const struct ms_sampling *sampling, struct ms_arena *arena);
/* native.c: likewise, with the native front-end preloaded. */
int ms_launch_native(struct ms_launch *launch, const struct ms_collect_options *options,
		     const char *path, int stream_fd, const char *collector,
		     struct hardware *hardware, struct ms_err *err);
/* A file for its messages; -1: it could not be created. */
int ms_native_log(void);
/* The options of its runtime: the value of MEMSPY_NATIVE in its environment. */
const char *ms_native_wishes(const struct ms_collect_options *options, int stream_fd, int log_fd,
			     const char *collector, struct ms_arena *arena);
/* Opens lanes for threads. Fails only where several processors are simulated, which needs them. */
int ms_native_lanes(struct ms_ring *ring, const struct ms_collect_options *options,
		    struct ms_err *err);

/* attach.c: loads the native front-end into a running process. */
int ms_attach(struct ms_launch *launch, const struct ms_collect_options *options, int stream_fd,
	      struct ms_err *err);
/* Attaches the other threads. The workers must run: the first thread is traced by now and blocks
 * when its lane is full. */
void ms_attach_others(const struct ms_launch *launch);

/* choose.c: the front-end for a program. Fails if the one that was asked for cannot run it. */
struct ms_choice {
	const char *name; /* as the run stores it */
	bool native;
};
/* Why the native front-end cannot run a program; NULL: it can. */
const char *ms_choose_against(const char *path);
int ms_choose(const struct ms_collect_options *options, const char *path, struct ms_choice *choice,
	      struct ms_err *err);

/* wait.c: waits for the program's end, forwards signals and reports progress. */
void ms_wait_prepare(void);
void ms_wait_restore_in_child(void);
/* Writes the stream to a file from here on; path NULL: does nothing. */
int ms_collect_start_trace(struct collector *collector, const char *frontend, const char *path,
			   uint64_t limit, const char *const *argv, struct ms_err *err);
/* A trace that cannot be written is lost; the run is kept. */
void ms_collect_finish_trace(struct collector *collector, struct ms_run *run);

/* became.c: reads the process's name while the program runs and before it is waited for. */
/* path: the first program that the process executes. */
void ms_became_begin(struct became *became, const char *path);
void ms_became_look(struct became *became, pid_t pid);

void ms_wait_for(struct collector *collector, pid_t pid, const struct ms_collect_options *options,
		 uint32_t *end, int *exit_status);
/* Likewise for a process that is not a child of memspy: until it ends, the duration has passed (0:
 * no limit), or the user interrupts memspy. */
void ms_wait_attached(struct collector *collector, pid_t pid,
		      const struct ms_collect_options *options);
/* Whether a signal has arrived since ms_wait_prepare(). */
bool ms_wait_interrupted(void);
void ms_wait_finish(void);

/* snapshot.c: takes a snapshot of the counts so far if one is wanted. */
void ms_snapshot_look(struct collector *collector, pid_t program, double started);
/* In a forked copy: reads what the kernel counts for a sampled program. */
void ms_snapshot_count(struct collector *collector, pid_t program);
/* Ends the snapshots; returns the processor time that they took. */
double ms_snapshot_finish(struct collector *collector);

/* shared.c: which code invalidated whose lines; the run's cells must exist. */
void ms_result_sharing(struct collector *collector, const struct ms_engine_totals *totals,
		       struct ms_run *run, struct ms_names *names);

/* threads.c: what each thread did, and what it waited for. */
struct naming;
void ms_result_threads(struct collector *collector, size_t machine,
		       const struct ms_engine_totals *totals, struct ms_run *run,
		       struct naming *naming);

/* occupancy.c: the share of each level that each data structure occupied. */
void ms_result_occupancy(const struct ms_engine_totals *totals, struct ms_run *run,
			 struct naming *naming);

/* monitors.c: the samples and the cost of each monitor; totals: of the engine without monitors. */
void ms_result_pmus(struct collector *collector, size_t machine,
		    const struct ms_engine_totals *totals, struct ms_run *run,
		    struct naming *naming);

/* result.c */
uint32_t ms_result_line(struct naming *naming, struct ms_bound_pc pc);
uint32_t ms_result_data(struct naming *naming, uint32_t data);
const char *ms_result_name(struct naming *naming, const char *text);
/* The inlined functions that contain it; NULL: none. */
const char *ms_result_inlined(struct naming *naming, struct ms_bound_pc pc);
void ms_collect_result(struct collector *collector, size_t machine, struct ms_run *run);
/* merge_sites.c: how many cells a run may have; merges sites when it has more. */
uint64_t ms_result_most_cells(const struct collector *c);
void ms_result_merge_sites(const struct collector *c, struct ms_run *run);

#endif
