/*
 * collect/collect.h - makes runs from a program or a trace. A program is simulated while it runs.
 */
#ifndef MS_COLLECT_COLLECT_H
#define MS_COLLECT_COLLECT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "engine/simulated_pmu/pmu.h"
#include "hardware/options.h"
#include "launch/cpus.h"
#include "launch/options.h"
#include "machine/machine.h"
#include "run/run.h"
#include "stream/window_sampler.h"

/* The progress of a run; see struct ms_collect_options. */
struct ms_collect_progress {
	double seconds;
	uint64_t references; /* on the real machine: samples */
	uint64_t misses;     /* of the first level */
	bool ended;          /* the program has ended; its last records are still processed */
};

/* Snapshots of a run before its program has ended. */
struct ms_collect_snapshot {
	/* Whether to take one now; called a few times a second. */
	bool (*wanted)(void *arg);
	/* Called in a process of its own, with the counts so far; the run's end is MS_END_LOST. */
	int (*keep)(struct ms_run *run, void *arg);
	void *arg;
};

/*
 * Saving a run while its program runs. keep() is called in a process of its own, with the counts so
 * far. The run's end is MS_END_INCOMPLETE, and it has the uid of the complete run.
 */
struct ms_collect_checkpoint_options {
	double seconds; /* between checkpoints; longer where they would cost too much; 0: never */
	int (*keep)(struct ms_run *run, void *arg);
	void *arg;
};

/* Limits of the detail that is kept of large programs (docs/design/bins.md); 0: default. */
struct ms_collect_bin_limits {
	bool exact; /* no limits; the other fields are ignored */
	uint64_t paths;
	uint64_t pairs;
	uint64_t contexts; /* calling contexts; `exact` does not apply to them */
	bool call_paths;   /* calls are followed */
	bool conflicts; /* replacement misses are divided into conflict and capacity misses ... */
	bool exact_causes; /* ... exactly */
};

struct ms_collect_options {
	struct ms_launch_options launch;   /* what is run, and how it is traced */
	const char *const *keep_variables; /* patterns: recorded too; NULL at the end; or NULL */
	/*
	 * Called once for each heap bin and variable. Returns how it is split: flags of enum
	 * ms_run_split. The key is that of run/key.h. May be NULL.
	 */
	unsigned (*split)(const char *key, const char *name, const void *arg);
	const void *split_arg;
	const struct ms_pmu_config *pmus; /* virtual monitors; each has a simulation of its own */
	size_t pmu_count;
	bool misses_only;   /* hits are not attributed to data */
	uint32_t line_rate; /* of observed lines: see ms_engine_select_lines() */
	struct ms_collect_bin_limits limits;
	unsigned workers;     /* 0: chosen for this machine */
	const char *trace;    /* the file that keeps the stream; NULL: none */
	uint64_t trace_limit; /* bytes; 0: none */
	/* Called a few times a second; may be NULL. */
	void (*progress)(const struct ms_collect_progress *progress, void *arg);
	void *progress_arg;
	const struct ms_collect_snapshot *snapshot; /* NULL: no snapshots are taken */
	struct ms_collect_checkpoint_options checkpoint;
	/*
	 * Where children are followed, each is a run of its own, which keep_child() saves; so are
	 * their checkpoints. keep_child() is called in a process of its own, and sets run->id and
	 * run->cost. NULL: not even programs that the program executes are followed.
	 * waiting() is called when only children run.
	 */
	int (*keep_child)(struct ms_run *run, void *arg);
	void *keep_child_arg;
	void (*waiting)(void *progress_arg);
	/*
	 * Called when all is counted, and code and data have numbers but no names yet. The cells,
	 * misses, replaced and evictions of the run are final; called with NULL before they change
	 * nevertheless (name/name.h). May be NULL; it should return soon.
	 */
	void (*counted)(const struct ms_run *run, void *arg);
	/* Called before that, when the program has ended and its last records are not read yet.
	 * Likewise. */
	void (*ended)(void *counted_arg);
	void *counted_arg;
};

/*
 * Fills *run, also when the program crashed or was killed. MS_ENOENT and MS_ENOEXEC: the program
 * could not be started; MS_EMISSING: a part of memspy is not installed. On failure *run is empty.
 */
int ms_collect_program(const struct ms_collect_options *options, struct ms_run *run,
		       struct ms_err *err);

/* A running program that the kernel samples: see collect/sample_process.c. */
struct ms_collect_sample_options {
	pid_t pid;
	double seconds; /* 0: until it ends, or the user stops it (SIGINT, SIGTERM) */
	const struct ms_hardware_options *hardware;
	const struct ms_machine *machine; /* only its name is used */
	void (*progress)(const struct ms_collect_progress *progress, void *arg); /* or NULL */
	void *progress_arg;
	const struct ms_collect_snapshot *snapshot; /* NULL: no snapshots are taken */
	struct ms_collect_checkpoint_options checkpoint;
};

/* The command line of a process, NULL at its end; empty where it cannot be read. */
char *const *ms_collect_process_command(pid_t pid, struct ms_arena *arena);
/* The run's end is MS_END_LOST: memspy does not observe it. On failure *run is empty. */
int ms_collect_sample_process(const struct ms_collect_sample_options *options, struct ms_run *run,
			      struct ms_err *err);

/* A level as a run stores it; the machine still owns its name. */
void ms_collect_level(const struct ms_machine_level *level, struct ms_run_level *kept);

/* The format of memspy's own traces; the others are those of stream/import/import.h. */
#define MS_COLLECT_REPLAY_OWN "memspy"

/* `--sample auto`: references at the start that are simulated whole, and the target error. */
enum { MS_COLLECT_PLAN_HEAD = 20 * 1000 * 1000 };
#define MS_COLLECT_PLAN_ERROR 0.005

struct ms_collect_replay_options {
	const char *trace;  /* its file; "-": standard input, for foreign formats */
	const char *format; /* NULL: detected from the file's contents */
	const struct ms_machine *const *machines;
	size_t machine_count;
	const struct ms_pmu_config *pmus; /* by machine, then pmu_count each */
	size_t pmu_count;
	struct ms_launch_cpus cpus;
	const struct ms_stream_sampling *sampling; /* NULL: the whole trace */
	bool marks; /* simulates the whole trace; windows and the gaps between them become phases */
	bool misses_only; /* as above */
	uint32_t line_rate;
	struct ms_collect_bin_limits limits;
	unsigned workers;
	void (*progress)(const struct ms_collect_progress *progress, void *arg);
	void *progress_arg;
	unsigned (*split)(const char *key, const char *name, const void *arg); /* as above */
	const void *split_arg;
	struct ms_collect_checkpoint_options checkpoint; /* keep() is called for each machine */
};

/* Why the machine cannot be sampled; NULL: it can. */
const char *ms_collect_no_sampling(const struct ms_machine *machine, bool sets);
/* Groups of lines such that no set of any level of these machines holds lines of two; every: 1. */
struct ms_stream_sampler_sets ms_collect_set_groups(const struct ms_machine *const *machines,
						    size_t n);

/* Simulates a trace on all machines in one pass; runs has room for one each. On failure all empty.
 */
int ms_collect_replay(const struct ms_collect_replay_options *options, struct ms_run *runs,
		      struct ms_err *err);

#endif
