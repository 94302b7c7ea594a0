/* launch/follow_children.h - follows children of the program: see follow_children.c. For collect/
 * only. */
#ifndef MS_LAUNCH_FOLLOW_CHILDREN_H
#define MS_LAUNCH_FOLLOW_CHILDREN_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/vec.h"
#include "run/run.h"
#include "wire/wire.h"

/* What a collector, or the keeper, reports to memspy about one child. */
struct ms_launch_follow_record {
	int64_t id;     /* of the run; 0: there is none */
	uint64_t order; /* among the processes that requested a stream */
	pid_t pid;
	pid_t parent;      /* process */
	uint32_t relation; /* enum ms_run_relation */
	bool refused;      /* it was not followed: */
	char why[80];
	bool failed;     /* its run could not be saved */
	bool windowless; /* its run has no figures, only its existence */
	uint64_t cost;   /* in cycles */
	double seconds;  /* that it was followed */
	bool traced;     /* its trace is kept, or was to be: */
	bool trace_failed;
	bool trace_made; /* the file exists; `order` is its number, later: */
	uint64_t trace;
};

struct ms_launch_follow {
	char name[64]; /* of the socket */
	pid_t keeper;
	pid_t program;    /* the first process */
	int control;      /* -1: not opened */
	bool forks;       /* --follow-forks; false: programs that are executed, nothing else */
	bool interrupted; /* by the user: children have only a short time left to end */
	bool ended;       /* the keeper knows that the program has ended */
	MS_VEC(struct ms_launch_follow_record) records;
};

/* A child that has requested a stream. */
struct ms_launch_child {
	int control;    /* where its struct ms_launch_follow_record is sent to */
	int connection; /* where it waits for the answer: ms_launch_follow_answer() */
	pid_t pid;
	uint64_t order; /* among the children that requested a stream */
	struct ms_wire_ask ask;
};

/* Collects a child, in a process of its own; does not return. The process is sent these signals: */
struct ms_launch_collector {
	void (*call)(struct ms_launch_child *child, void *arg);
	void *arg;
};
enum {
	MS_LAUNCH_CHILD_EXECED = SIGUSR1, /* the child has executed another program */
	MS_LAUNCH_CHILD_STOP = SIGUSR2    /* memspy is to stop */
};

/* The program's own trace is FILE, those of its children are FILE.2, FILE.3 ... */
const char *ms_launch_trace_name(struct ms_arena *arena, const char *trace, uint64_t number);

/* To be called before any thread is started. forks: as in struct ms_launch_follow. */
int ms_launch_follow_open(struct ms_launch_follow *follow,
			  const struct ms_launch_collector *collect, bool forks,
			  struct ms_err *err);
/* To be called regularly: receives records, so that the senders do not block. */
void ms_launch_follow_receive_records(struct ms_launch_follow *follow);
/* The program has ended: the keeper need not wait for ms_launch_follow_finish() to end, too. */
void ms_launch_follow_end(struct ms_launch_follow *follow);
/* Waits for the program's children, and lists their runs. */
struct ms_launch_follow_finish_options {
	void (*waiting)(void *arg); /* called when only children run; may be NULL */
	void *waiting_arg;
	const char *trace; /* the program's; NULL: none */
};
void ms_launch_follow_finish(struct ms_launch_follow *follow,
			     const struct ms_launch_follow_finish_options *end, struct ms_run *run);

/* follow_end.c: finds out how the process that wrote this stream has ended; run has its front-end's
 * messages. process: a pidfd that was opened while it ran, or -1. */
void ms_launch_follow_end_status(const struct ms_wire_stream *stream, pid_t pid, int process,
				 struct ms_run *run);

/* follow_socket.c: the abstract socket of this name. Requests a stream (fds[0]) and a log (fds[1]).
 */
int ms_launch_follow_request(const char *name, int fds[2]);
/* Returns -1 on failure. */
int ms_launch_follow_listen(const char *name, int most);
/* Whether a connection is pending. */
bool ms_launch_follow_is_pending(int listener);
/* Accepts a connection and identifies its peer; -1: there is none. */
int ms_launch_follow_accept(int listener, pid_t *pid, bool *same_user);
/* Receives a request and the path that may follow it (MS_WIRE_MAX_TEXT bytes and a NUL); false:
 * there is none. */
bool ms_launch_follow_receive(int connection, struct ms_wire_ask *ask, char *path);
/* maps: the process's /proc/PID/maps, for one that has no /proc; -1: none. */
bool ms_launch_follow_answer(int connection, int stream, int log, int maps);

#endif
