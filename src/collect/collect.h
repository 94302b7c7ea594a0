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
#include "engine/pmu/pmu.h"
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

/* Translates a function of a private allocator, as the user names it, to a front-end option. */
enum ms_own_kind { MS_OWN_MALLOC, MS_OWN_FREE, MS_OWN_REALLOC, MS_OWN_KINDS };
enum { MS_OWN_MOST = 64 };
int ms_own_call(enum ms_own_kind kind, const char *text, struct ms_arena *arena,
		const char **option, struct ms_err *err);

/* Valgrind reserves 7 KB for each thread; its default of 500 threads is too few for servers. */
enum { MS_COLLECT_THREADS = 2000 };

/* Which processor each thread of the program is on, where several are simulated. */
struct ms_cpus {
	const char *text;     /* as typed; NULL: round-robin */
	bool affinity;        /* as the program itself binds them */
	MS_VEC(uint32_t) map; /* for the first threads; it repeats for further ones */
};

/* text: "0,1,1,3" or "0-2,0", with processors below `processors`, or "affinity". */
int ms_cpus_read(struct ms_cpus *cpus, const char *text, uint32_t processors, struct ms_err *err);
void ms_cpus_free(struct ms_cpus *cpus);

/* What traces the program: see docs/design/native.md. */
enum ms_frontend { MS_FRONTEND_AUTO, MS_FRONTEND_NATIVE, MS_FRONTEND_VALGRIND };

/* How a program is sampled on the real machine: see docs/design/sample.md. */
struct ms_hardware_options {
	enum ms_run_source source;
	const char *event;    /* NULL: the source's default */
	uint64_t period;      /* events between samples, timer: nanoseconds; 0: adaptive */
	uint64_t rate;        /* adaptive: samples per second and thread; 0: as overhead allows */
	double overhead;      /* adaptive: time that sampling may take, relative to the program's */
	uint64_t min_latency; /* cycles: shorter ones are not sampled; 0: the source's default */
	uint64_t buffer;      /* bytes of the kernel's buffer per processor; 0: default */
	uint64_t seed;        /* of the random variation of periods */
};

/* Snapshots of a run before its program has ended. */
struct ms_snapshot {
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
struct ms_checkpoint_options {
	double seconds; /* between checkpoints; longer where they would cost too much; 0: never */
	int (*keep)(struct ms_run *run, void *arg);
	void *arg;
};

/* Limits of the detail that is kept of large programs (docs/design/bins.md); 0: default. */
struct ms_bin_limits {
	bool exact; /* no limits; the other fields are ignored */
	uint64_t paths;
	uint64_t pairs;
};

struct ms_collect_options {
	char *const *argv; /* the program and its arguments; NULL at the end */
	enum ms_frontend frontend;
	/* Reports which one was chosen, and why; may be NULL. usual: as for most programs. */
	void (*chosen)(const char *name, const char *why, bool usual);
	pid_t attach;                 /* a running process; 0: argv is started */
	double duration;              /* seconds to stay attached; 0: until it ends, or Ctrl-C */
	unsigned threads;             /* the most at a time; 0: MS_COLLECT_THREADS */
	const char *const *own_calls; /* from ms_own_call(); NULL at the end */
	const char *const *keep_variables; /* patterns: recorded too; NULL at the end; or NULL */
	const struct ms_hardware_options *hardware; /* NULL: the program is simulated */
	/*
	 * Called once for each heap bin and variable. Returns how it is split: flags of enum
	 * ms_run_split. The key is that of run/key.h. May be NULL.
	 */
	unsigned (*split)(const char *key, const char *name, const void *arg);
	const void *split_arg;
	bool start_stopped; /* counting begins with the program's first MEMSPY_START() */
	const struct ms_machine *machine;
	const struct ms_pmu_config *pmus; /* virtual monitors; each has a simulation of its own */
	size_t pmu_count;
	struct ms_cpus cpus;
	const struct ms_stream_sampling *sampling; /* NULL: the whole program is simulated */
	bool misses_only;                          /* hits are not attributed to data */
	struct ms_bin_limits limits;
	uint64_t seed;            /* varies the time slices of threads */
	const char *frontend_dir; /* the folder of memspy's front-ends */
	unsigned workers;         /* 0: chosen for this machine */
	const char *trace;        /* the file that keeps the stream; NULL: none */
	uint64_t trace_limit;     /* bytes; 0: none */
	/* Called a few times a second; may be NULL. */
	void (*progress)(const struct ms_collect_progress *progress, void *arg);
	void *progress_arg;
	const struct ms_snapshot *snapshot; /* NULL: no snapshots are taken */
	struct ms_checkpoint_options checkpoint;
	/*
	 * Follows children of the program. Each is a run of its own, which keep_child() saves; so
	 * are their checkpoints. keep_child() is called in a process of its own and sets run->id.
	 * waiting() is called when only children run.
	 */
	bool follow;
	int (*keep_child)(struct ms_run *run, void *arg);
	void *keep_child_arg;
	void (*waiting)(void *progress_arg);
	/*
	 * Called when all is counted, and code and data have numbers but no names yet. The cells,
	 * misses, replaced and evictions of the run are final. May be NULL; it should return soon.
	 */
	void (*counted)(const struct ms_run *run, void *arg);
	/* Called before that, when the program has ended and its last records are not read yet.
	 * Likewise. */
	void (*ended)(void *counted_arg);
	void *counted_arg;
};

/* Whether memspy was started in place of Valgrind's launcher; then it does nothing else. */
bool ms_launcher_is_asked(int argc, char *const argv[]);
int ms_launcher_run(int argc, char *const argv[], const char *frontend_dir);

/* Whether what this front-end needs is installed; for memspy doctor. */
int ms_collect_has(enum ms_frontend frontend, const char *frontend_dir, struct ms_err *err);

/* Whether the program exists and can be run; ms_collect() checks it too. */
int ms_collect_check(const char *program, struct ms_err *err);

/*
 * Fills *run, also when the program crashed or was killed. MS_ENOENT and MS_ENOEXEC: the program
 * could not be started; MS_EMISSING: a part of memspy is not installed. On failure *run is empty.
 */
int ms_collect(const struct ms_collect_options *options, struct ms_run *run, struct ms_err *err);

/* A running program that the kernel samples: see collect/watch.c. */
struct ms_watch_options {
	pid_t pid;
	double seconds; /* 0: until it ends, or the user stops it (SIGINT, SIGTERM) */
	const struct ms_hardware_options *hardware;
	const struct ms_machine *machine; /* only its name is used */
	void (*progress)(const struct ms_collect_progress *progress, void *arg); /* or NULL */
	void *progress_arg;
	const struct ms_snapshot *snapshot; /* NULL: no snapshots are taken */
	struct ms_checkpoint_options checkpoint;
};

/* The command line of a process, NULL at its end; empty where it cannot be read. */
char *const *ms_watch_command(pid_t pid, struct ms_arena *arena);
/* The run's end is MS_END_LOST: memspy does not observe it. On failure *run is empty. */
int ms_watch(const struct ms_watch_options *options, struct ms_run *run, struct ms_err *err);

/* A level as a run stores it; the machine still owns its name. */
void ms_collect_level(const struct ms_machine_level *level, struct ms_run_level *kept);

/* The format of memspy's own traces; the others are those of stream/import/import.h. */
#define MS_REPLAY_OWN "memspy"

/* `--sample auto`: references at the start that are simulated whole, and the target error. */
enum { MS_PACE_HEAD = 20 * 1000 * 1000 };
#define MS_PACE_ERROR 0.005

struct ms_replay_options {
	const char *trace;  /* its file; "-": standard input, for foreign formats */
	const char *format; /* NULL: detected from the file's contents */
	const struct ms_machine *const *machines;
	size_t machine_count;
	const struct ms_pmu_config *pmus; /* by machine, then pmu_count each */
	size_t pmu_count;
	struct ms_cpus cpus;
	const struct ms_stream_sampling *sampling; /* NULL: the whole trace */
	bool marks; /* simulates the whole trace; windows and the gaps between them become phases */
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
/* Groups of lines such that no set of any level of these machines holds lines of two; every: 1. */
struct ms_stream_sampler_sets ms_collect_set_groups(const struct ms_machine *const *machines,
						    size_t n);

/* Simulates a trace on all machines in one pass; runs has room for one each. On failure all empty.
 */
int ms_replay(const struct ms_replay_options *options, struct ms_run *runs, struct ms_err *err);

#endif
