/*
 * collect/collect.h - a program or a trace in, runs out: simulates on the fly.
 */
#ifndef MS_COLLECT_COLLECT_H
#define MS_COLLECT_COLLECT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "engine/pmu/pmu.h"
#include "machine/machine.h"
#include "run/run.h"
#include "stream/sampler.h"

/* How far a run has come; see struct ms_collect_options. */
struct ms_collect_progress {
	double seconds;
	uint64_t references; /* of the real machine: samples */
	uint64_t misses;     /* of the first level */
	bool ended;          /* the program has; what it did is still being worked up */
};

/* A private allocator's function, as the user names it, becomes an option of the front-end. */
enum ms_own_kind { MS_OWN_MALLOC, MS_OWN_FREE, MS_OWN_REALLOC, MS_OWN_KINDS };
enum { MS_OWN_MOST = 64 };
int ms_own_call(enum ms_own_kind kind, const char *text, struct ms_arena *arena,
		const char **option, struct ms_err *err);

/* Room for a thread costs Valgrind 7 KB; its own default, 500, is too few for servers. */
enum { MS_COLLECT_THREADS = 2000 };

/* Which processor each thread of the program is on, where several are simulated. */
struct ms_cpus {
	const char *text;     /* as typed; NULL: thread after thread, round and round */
	bool affinity;        /* where the program itself binds them */
	MS_VEC(uint32_t) map; /* of the first threads; then it begins again */
};

/* text: "0,1,1,3" or "0-2,0", with processors below `processors`, or "affinity". */
int ms_cpus_read(struct ms_cpus *cpus, const char *text, uint32_t processors, struct ms_err *err);
void ms_cpus_free(struct ms_cpus *cpus);

/* What follows the program: see docs/design/native.md. */
enum ms_frontend { MS_FRONTEND_AUTO, MS_FRONTEND_NATIVE, MS_FRONTEND_VALGRIND };

/* How a program is sampled on the real machine: see docs/design/sample.md. */
struct ms_hardware_options {
	enum ms_run_source source;
	const char *event;    /* NULL: the source's own */
	uint64_t period;      /* events from sample to sample, timer: nanoseconds; 0: adaptive */
	uint64_t rate;        /* adaptive: samples a second of a thread; 0: what overhead allows */
	double overhead;      /* adaptive: time that it may take, as a share of the program's */
	uint64_t min_latency; /* cycles: shorter ones are not sampled; 0: what suits the source */
	uint64_t buffer;      /* bytes of the kernel's buffer a processor; 0: what suits */
	uint64_t seed;        /* of how periods vary */
};

/* Who wants to see a run before its program has ended. */
struct ms_snapshot {
	/* Asked a few times a second. */
	bool (*wanted)(void *arg);
	/* Called in a process of its own, with what was counted so far; its end is MS_END_LOST. */
	int (*keep)(struct ms_run *run, void *arg);
	void *arg;
};

/*
 * Saving a run while it goes on. keep() is called in a process of its own, with what was counted so
 * far: its end is MS_END_INCOMPLETE, and it has the uid of the complete run.
 */
struct ms_checkpoint_options {
	double seconds; /* from one to the next, or more where that would cost too much; 0: never */
	int (*keep)(struct ms_run *run, void *arg);
	void *arg;
};

/* How much detail is kept of large programs (docs/design/bins.md); a 0 is the default. */
struct ms_bin_limits {
	bool exact; /* all; then the others do not matter */
	uint64_t paths;
	uint64_t pairs;
};

struct ms_collect_options {
	char *const *argv; /* the program and its arguments; NULL at the end */
	enum ms_frontend frontend;
	/* Told which one was chosen, and why; may be NULL. usual: as with most programs. */
	void (*chosen)(const char *name, const char *why, bool usual);
	pid_t attach;     /* a process that runs already; 0: argv is started */
	double duration;  /* of attaching, in seconds; 0: until it ends, or Ctrl-C */
	unsigned threads; /* that the program may have at a time; 0: MS_COLLECT_THREADS */
	const char *const *own_calls;      /* from ms_own_call(); NULL at the end */
	const char *const *keep_variables; /* patterns: noted too; NULL at the end; may be NULL */
	const struct ms_hardware_options *hardware; /* NULL: the program is simulated */
	/*
	 * Asked once of each heap bin and variable how it is to be kept apart: enum ms_split,
	 * or'ed. Key as run/key.h has it. May be NULL.
	 */
	unsigned (*split)(const char *key, const char *name, const void *arg);
	const void *split_arg;
	bool start_stopped; /* count from the program's first MEMSPY_START() on */
	const struct ms_machine *machine;
	const struct ms_pmu_config *pmus; /* monitors, in a simulation of their own each */
	size_t pmu_count;
	struct ms_cpus cpus;
	const struct ms_sampling *sampling; /* NULL: all of the program */
	bool misses_only;                   /* whose data hits are of is not looked up */
	struct ms_bin_limits limits;
	uint64_t seed;            /* varies the turns that threads take */
	const char *frontend_dir; /* where memspy's front-ends lie */
	unsigned workers;         /* 0: as many as suit this machine */
	const char *trace;        /* keep the stream in this file; NULL: do not */
	uint64_t trace_limit;     /* bytes; 0: none */
	/* Called a few times a second; may be NULL. */
	void (*progress)(const struct ms_collect_progress *progress, void *arg);
	void *progress_arg;
	const struct ms_snapshot *snapshot; /* NULL: nobody looks */
	struct ms_checkpoint_options checkpoint;
	/*
	 * Children of the program are followed: each is a run of its own, kept by keep_child(),
	 * which is called in a process of its own and sets run->id; so are their checkpoints.
	 * waiting() is called when only children run.
	 */
	bool follow;
	int (*keep_child)(struct ms_run *run, void *arg);
	void *keep_child_arg;
	void (*waiting)(void *progress_arg);
	/*
	 * Called when all is counted, and code and data have numbers but no names yet: cells,
	 * misses, replaced and evictions are as they will be. May be NULL; it should be back soon.
	 */
	void (*counted)(const struct ms_run *run, void *arg);
	/* Called before that, when the program has ended, and what it has told is still read.
	 * Likewise. */
	void (*ended)(void *counted_arg);
	void *counted_arg;
};

/* Whether memspy was started in the place of Valgrind's launcher; then that is all it does. */
bool ms_launcher_is_asked(int argc, char *const argv[]);
int ms_launcher_run(int argc, char *const argv[], const char *frontend_dir);

/* Whether what this front-end needs is installed; for memspy doctor. */
int ms_collect_has(enum ms_frontend frontend, const char *frontend_dir, struct ms_err *err);

/* Whether there is such a program and it can be run; ms_collect() asks too. */
int ms_collect_check(const char *program, struct ms_err *err);

/*
 * Fills *run, also when the program crashed or was killed. MS_ENOENT and MS_ENOEXEC: the program
 * could not be started; MS_EMISSING: a part of memspy is not installed. On failure *run is empty.
 */
int ms_collect(const struct ms_collect_options *options, struct ms_run *run, struct ms_err *err);

/* A program that runs already, looked at by the kernel: see collect/watch.c. */
struct ms_watch_options {
	pid_t pid;
	double seconds; /* 0: until it ends, or the user stops it (SIGINT, SIGTERM) */
	const struct ms_hardware_options *hardware;
	const struct ms_machine *machine; /* only its name is used */
	void (*progress)(const struct ms_collect_progress *progress, void *arg); /* or NULL */
	void *progress_arg;
	const struct ms_snapshot *snapshot; /* NULL: nobody looks */
	struct ms_checkpoint_options checkpoint;
};

/* The command line of a process, NULL at its end; without any word where it cannot be read. */
char *const *ms_watch_command(pid_t pid, struct ms_arena *arena);
/* The run's end is MS_END_LOST: it was not seen. On failure *run is empty. */
int ms_watch(const struct ms_watch_options *options, struct ms_run *run, struct ms_err *err);

/* A level as a run keeps it; its name stays the machine's. */
void ms_collect_level(const struct ms_machine_level *level, struct ms_run_level *kept);

/* The format of memspy's own traces; the others are those of stream/import.h. */
#define MS_REPLAY_OWN "memspy"

/* What `--sample auto` sees whole at the start, in references, and the error that it aims at. */
enum { MS_PACE_HEAD = 20 * 1000 * 1000 };
#define MS_PACE_ERROR 0.005

struct ms_replay_options {
	const char *trace;  /* its file; "-": standard input, for foreign formats */
	const char *format; /* NULL: whichever the file looks like */
	const struct ms_machine *const *machines;
	size_t machine_count;
	const struct ms_pmu_config *pmus; /* by machine, then pmu_count each */
	size_t pmu_count;
	struct ms_cpus cpus;
	const struct ms_sampling *sampling; /* NULL: the whole trace */
	bool marks; /* the whole trace, of which windows and what is between them are phases */
	bool misses_only; /* as above */
	struct ms_bin_limits limits;
	unsigned workers;
	void (*progress)(const struct ms_collect_progress *progress, void *arg);
	void *progress_arg;
	unsigned (*split)(const char *key, const char *name, const void *arg); /* as above */
	const void *split_arg;
	struct ms_checkpoint_options checkpoint; /* keep() is called for each machine */
};

/* Why the machine cannot be sampled; NULL: it can. */
const char *ms_collect_no_sampling(const struct ms_machine *machine, bool sets);
/* Groups of lines that no level of any of these machines mixes; every: 1. */
struct ms_sampler_sets ms_collect_set_groups(const struct ms_machine *const *machines, size_t n);

/* Simulates a trace on all machines in one pass; runs has room for one each. On failure all empty.
 */
int ms_replay(const struct ms_replay_options *options, struct ms_run *runs, struct ms_err *err);

#endif
