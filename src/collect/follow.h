/* collect/follow.h - follows children of the program: see follow.c. For collect/ only. */
#ifndef MS_COLLECT_FOLLOW_H
#define MS_COLLECT_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/vec.h"
#include "collect/collect.h"

/* What a collector, or the keeper, reports to memspy about one child. */
struct follow_record {
	int64_t id;     /* of the run; 0: there is none */
	uint64_t order; /* among the processes that requested a stream */
	pid_t pid;
	pid_t parent;      /* process */
	uint32_t relation; /* enum ms_run_relation */
	bool refused;      /* it was not followed: */
	char why[80];
	bool failed;     /* its run could not be saved */
	bool windowless; /* its run has no figures, only its existence */
	bool traced;     /* its trace is kept, or was to be: */
	bool trace_failed;
	bool trace_made; /* the file exists; `order` is its number */
};

/* unseen.c: processes that may be unable to request a stream. */
struct unseen_process {
	pid_t pid;
	int64_t times;   /* executed programs, less requests for a stream */
	const char *why; /* the last program cannot be followed; NULL: it can */
};
struct unseen {
	MS_VEC(struct unseen_process) processes;
};
/* path: the program that the process is about to execute; "": it has not executed it. */
void ms_unseen_becomes(struct unseen *unseen, pid_t pid, const char *path);
void ms_unseen_asked(struct unseen *unseen, pid_t pid);
/* Whether a process is still expected at the socket of this name: it has executed a program, which
 * has not requested its stream yet. */
bool ms_unseen_awaits(const struct unseen *unseen, const char *name);
/* After all have ended: sends a record for each program that has not requested a stream. */
void ms_unseen_tell(const struct unseen *unseen, int control);
void ms_unseen_result(const struct follow_record *record, struct ms_run *run);
/* Processes that could not reach the socket, as the stream's writer has counted them: become rows
 * of the run, or are sent as a record each. */
struct ms_wire_stream;
void ms_unseen_unreached(const struct ms_wire_stream *stream, struct ms_run *run);
void ms_unseen_tell_unreached(const struct ms_wire_stream *stream, pid_t pid, int control);

struct follow {
	char name[64]; /* of the socket */
	pid_t keeper;
	pid_t program;    /* the first process */
	int control;      /* -1: not opened */
	bool interrupted; /* by the user: children have only a short time left to end */
	MS_VEC(struct follow_record) records;
};

/* To be called before any thread is started. choice: the front-end, also of the children. */
struct ms_choice;
int ms_follow_open(struct follow *follow, const struct ms_collect_options *options,
		   const struct ms_choice *choice, struct ms_err *err);
/* To be called regularly: receives records, so that the senders do not block. */
void ms_follow_look(struct follow *follow);
/* The program has ended: waits for its children, and lists their runs. */
void ms_follow_finish(struct follow *follow, const struct ms_collect_options *options,
		      struct ms_run *run);

/* follow_end.c: finds out how the process that wrote this stream has ended; run has its front-end's
 * messages. process: a pidfd that was opened while it ran, or -1. */
void ms_follow_end(const struct ms_wire_stream *stream, pid_t pid, int process, struct ms_run *run);

/* follow_socket.c: the abstract socket of this name. Requests a stream (fds[0]) and a log (fds[1]).
 */
int ms_follow_ask(const char *name, int fds[2]);
/* Returns -1 on failure. */
int ms_follow_listen(const char *name, int most);
/* Whether a connection is pending. */
bool ms_follow_waits(int listener);
/* Accepts a connection and identifies its peer; -1: there is none. */
int ms_follow_accept(int listener, pid_t *pid, bool *same_user);
/* Receives a request and the path that may follow it (MS_WIRE_MAX_TEXT bytes and a NUL); false:
 * there is none. */
struct ms_wire_ask;
bool ms_follow_receive(int connection, struct ms_wire_ask *ask, char *path);
/* maps: the process's /proc/PID/maps, for one that has no /proc; -1: none. */
bool ms_follow_answer(int connection, int stream, int log, int maps);

#endif
