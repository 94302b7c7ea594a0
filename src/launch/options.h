/* launch/options.h - the program, and how it is started and traced. */
#ifndef MS_LAUNCH_OPTIONS_H
#define MS_LAUNCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/err.h"
#include "hardware/options.h"
#include "launch/cpus.h"
#include "machine/machine.h"
#include "stream/window_sampler.h"

/* What traces the program: see docs/design/native.md. */
enum ms_launch_frontend {
	MS_LAUNCH_FRONTEND_AUTO,
	MS_LAUNCH_FRONTEND_NATIVE,
	MS_LAUNCH_FRONTEND_VALGRIND
};

/* Valgrind reserves 7 KB for each thread; its default of 500 threads is too few for servers. */
enum { MS_LAUNCH_THREADS = 2000 };

/* Translates a function of a private allocator, as the user names it, to a front-end option. */
enum ms_launch_private_alloc_kind {
	MS_LAUNCH_PRIVATE_MALLOC,
	MS_LAUNCH_PRIVATE_FREE,
	MS_LAUNCH_PRIVATE_REALLOC,
	MS_LAUNCH_PRIVATE_KINDS
};
enum { MS_LAUNCH_PRIVATE_MOST = 64 };
int ms_launch_private_alloc_option(enum ms_launch_private_alloc_kind kind, const char *text,
				   struct ms_arena *arena, const char **option, struct ms_err *err);

/* Whether a timer takes samples between windows. */
enum ms_launch_timer {
	MS_LAUNCH_TIMER_AUTO, /* where the program runs natively there */
	MS_LAUNCH_TIMER_ON,   /* and it does: references are not counted there */
	MS_LAUNCH_TIMER_OFF
};

/* What samples between windows may cost, relative to the program's own time. */
#define MS_LAUNCH_NATIVE_SAMPLES_OVERHEAD 0.01

struct ms_launch_options {
	char *const *argv; /* the program and its arguments; NULL at the end */
	enum ms_launch_frontend frontend;
	/* Reports which one was chosen, and why; may be NULL. usual: as for most programs. */
	void (*chosen)(const char *name, const char *why, bool usual);
	pid_t attach;                 /* a running process; 0: argv is started */
	double duration;              /* seconds to stay attached; 0: until it ends, or Ctrl-C */
	unsigned threads;             /* the most at a time; 0: MS_LAUNCH_THREADS */
	const char *const *own_calls; /* from ms_launch_private_alloc_option(); NULL at the end */
	const char *stack_table;      /* "PROCESS/fd/NUMBER": wire/stack_table.h; NULL: none */
	const struct ms_hardware_options *hardware; /* NULL: the program is simulated */
	enum ms_launch_timer timer;                 /* samples between the windows of `sampling` */
	bool start_stopped; /* counting begins with the program's first MEMSPY_START() */
	const struct ms_machine *machine;
	/*
	 * The same machine with several processors, simulated from the start of the program's first
	 * thread on; NULL: `machine` is simulated in any case. why_one: why it is, although the
	 * user leaves the number to memspy; NULL: the user has chosen it.
	 */
	const struct ms_machine *several;
	const char *why_one;
	struct ms_launch_cpus cpus;
	const struct ms_stream_sampling *sampling; /* NULL: the whole program is simulated */
	uint64_t seed;                             /* varies the time slices of threads */
	const char *frontend_dir;                  /* the folder of memspy's front-ends */
	bool follow;                               /* children of the program, too */
};

/* Whether memspy was started in place of Valgrind's launcher; then it does nothing else. */
bool ms_launch_is_launcher(int argc, char *const argv[]);
int ms_launch_run_launcher(int argc, char *const argv[], const char *frontend_dir);

/* Whether what this front-end needs is installed; for memspy doctor. */
int ms_launch_has_frontend(enum ms_launch_frontend frontend, const char *frontend_dir,
			   struct ms_err *err);

/* The path of the program, searched in PATH; NULL: there is none. The caller frees it. */
char *ms_launch_find_program(const char *program);
/* Whether a name without a folder is that of a program in this folder, where no shell finds it. */
bool ms_launch_is_in_folder(const char *program);
/* Whether the program exists and can be run; ms_collect_program() checks it too. */
int ms_launch_check_program(const char *program, struct ms_err *err);

#endif
