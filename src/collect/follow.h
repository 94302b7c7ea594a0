/* collect/follow.h - children of the program: see follow.c. For collect/ only. */
#ifndef MS_COLLECT_FOLLOW_H
#define MS_COLLECT_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/vec.h"
#include "collect/collect.h"

/* What a collector, or the keeper, tells memspy of one child. */
struct follow_record {
	int64_t id;     /* of the run; 0: there is none */
	uint64_t order; /* among those that asked for a stream */
	pid_t pid;
	pid_t parent;      /* process */
	uint32_t relation; /* enum ms_run_relation */
	bool refused;      /* it was not followed: */
	char why[80];
	bool failed;     /* its run could not be kept */
	bool windowless; /* its run is nothing but that it was there */
	bool traced; /* its trace is kept, or was to be: */
	bool trace_failed;
	bool trace_made; /* there is a file, by the number of its order */
};

/* unseen.c: processes that may not ask. */
struct unseen_process {
	pid_t pid;
	int64_t times;   /* that it became a program, less those that have asked */
	const char *why; /* the last one cannot; NULL: it could */
};
struct unseen {
	MS_VEC(struct unseen_process) processes;
};
/* path: what it becomes; "": it has not. */
void ms_unseen_becomes(struct unseen *unseen, pid_t pid, const char *path);
void ms_unseen_asked(struct unseen *unseen, pid_t pid);
/* Whether one is on its way to the socket of this name: it has been executed, and not asked yet. */
bool ms_unseen_awaits(const struct unseen *unseen, const char *name);
/* All have ended: a record for each that has not asked. */
void ms_unseen_tell(const struct unseen *unseen, int control);
void ms_unseen_result(const struct follow_record *record, struct ms_run *run);
/* Those that the stream's writer says could not ask: become rows of the run, or a record each. */
struct ms_wire_stream;
void ms_unseen_unreached(const struct ms_wire_stream *stream, struct ms_run *run);
void ms_unseen_tell_unreached(const struct ms_wire_stream *stream, pid_t pid, int control);

struct follow {
	char name[64]; /* of the socket */
	pid_t keeper;
	pid_t program;    /* the first */
	int control;      /* -1: not opened */
	bool interrupted; /* the user wants it all to end: children are not waited for much longer
			   */
	MS_VEC(struct follow_record) records;
};

/* Before any thread is started. choice: the front-end, of the children too. */
struct ms_choice;
int ms_follow_open(struct follow *follow, const struct ms_collect_options *options,
		   const struct ms_choice *choice, struct ms_err *err);
/* Now and then: takes what has been told, so that nobody has to wait. */
void ms_follow_look(struct follow *follow);
/* The program has ended: waits for its children, and lists their runs. */
void ms_follow_finish(struct follow *follow, const struct ms_collect_options *options,
		      struct ms_run *run);

/* follow_end.c: how the process ended that wrote this stream; run has its front-end's messages.
 * process: a pidfd that was opened while it ran, or -1. */
void ms_follow_end(const struct ms_wire_stream *stream, pid_t pid, int process, struct ms_run *run);

/* follow_socket.c: the abstract socket of this name. Asks for a stream: fds[0], and a log: fds[1].
 */
int ms_follow_ask(const char *name, int fds[2]);
/* -1: it cannot be. */
int ms_follow_listen(const char *name, int most);
/* Whether somebody wants to be let in. */
bool ms_follow_waits(int listener);
/* Lets one in, and says who it is; -1: nobody. */
int ms_follow_accept(int listener, pid_t *pid, bool *same_user);
/* What is asked, and behind it perhaps a path (MS_WIRE_MAX_TEXT, and its end); false: nothing. */
struct ms_wire_ask;
bool ms_follow_receive(int connection, struct ms_wire_ask *ask, char *path);
/* maps: its /proc/PID/maps, for a process that has no /proc; -1: none. */
bool ms_follow_answer(int connection, int stream, int log, int maps);

#endif
