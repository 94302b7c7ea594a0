/* launch/launch.h - starts the program under a front-end, or attaches one to a running process. */
#ifndef MS_LAUNCH_LAUNCH_H
#define MS_LAUNCH_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/err.h"
#include "launch/options.h"
#include "stream/ring.h"

/* launch.c: finds and checks the program, then starts it; *pid is the front-end's process. */
struct ms_launch_process {
	pid_t pid;
	int log_fd;   /* the front-end's own messages */
	pid_t first;  /* attach.c: the thread that the runtime is attached to already */
	bool windows; /* attach.c: only windows of the program are traced */
};
#define MS_LAUNCH_TOOL "--tool=memspy"
int ms_launch_check(const char *program, char **path, struct ms_err *err);
/* collector: the socket of follow_children.c, or NULL. */
int ms_launch_valgrind(struct ms_launch_process *launch, const struct ms_launch_options *options,
		       const char *path, int stream_fd, const char *collector, struct ms_err *err);
/* The front-end's own messages about its process; NULL: none. */
const char *ms_launch_log(const struct ms_launch_process *launch, struct ms_arena *arena);

/* Which groups of lines are simulated, as a bitmap of hexadecimal digits: "SHIFT:ff01". */
const char *ms_launch_groups(const struct ms_stream_sampling *sampling, struct ms_arena *arena);
/* Called when the process exists and has not executed the program yet; NULL: none. */
struct ms_launch_before_exec {
	int (*call)(pid_t pid, void *arg, struct ms_err *err);
	void *arg;
};

/* native.c: likewise, with the native front-end preloaded. */
int ms_launch_native(struct ms_launch_process *launch, const struct ms_launch_options *options,
		     const char *path, int stream_fd, const char *collector,
		     const struct ms_launch_before_exec *before, struct ms_err *err);
/* A file for its messages; -1: it could not be created. */
int ms_launch_native_log(void);
/* The options of its runtime: the value of MEMSPY_NATIVE in its environment. */
const char *ms_launch_native_options(const struct ms_launch_options *options, int stream_fd,
				     int log_fd, const char *collector, struct ms_arena *arena);
/* Whether there is address space (ulimit -v) for more than one worker and a few lanes. */
bool ms_launch_has_room(void);
/* Opens lanes for threads. Fails only where several processors are simulated, which needs them.
 * may_stamp: it does not matter whose block it is, nor what simulated processors did meanwhile. */
int ms_launch_native_lanes(struct ms_stream_ring *ring, const struct ms_launch_options *options,
			   bool may_stamp, struct ms_err *err);

/* attach.c: loads the native front-end into a running process. */
int ms_launch_attach(struct ms_launch_process *launch, const struct ms_launch_options *options,
		     int stream_fd, struct ms_err *err);
/* Attaches the other threads. The workers must run: the first thread is traced by now and blocks
 * when its lane is full. */
void ms_launch_attach_others(const struct ms_launch_process *launch);

/* choose_frontend.c: the front-end for a program. Fails if the one that was asked for cannot run
 * it. */
struct ms_launch_choice {
	const char *name; /* as the run stores it */
	bool native;
};
/* Why the native front-end cannot run a program; NULL: it can. */
const char *ms_launch_why_not_native(const char *path);
int ms_launch_choose_frontend(const struct ms_launch_options *options, const char *path,
			      struct ms_launch_choice *choice, struct ms_err *err);

/* tracee.c: resumes threads of the program that are stopped because memspy traces them. */
void ms_launch_tracee_resume(pid_t program);

/* exec_watch.c: detects that the program's process has executed another program, by its name. */
struct ms_launch_exec_watch {
	char name[16]; /* of the process, when it was last read */
	bool another;
};
/* path: the first program that the process executes. */
void ms_launch_exec_watch_begin(struct ms_launch_exec_watch *became, const char *path);
/* To be called while the program runs, and before it is waited for. */
void ms_launch_exec_watch_look(struct ms_launch_exec_watch *became, pid_t pid);

#endif
