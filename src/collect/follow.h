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
	bool refused;      /* it was not followed */
	bool failed;       /* its run could not be kept */
	bool traced;       /* its trace is kept, or was to be: */
	bool trace_failed;
	bool trace_made; /* there is a file, by the number of its order */
};

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

/* follow_socket.c: the abstract socket of this name. Asks for a stream: fds[0], and a log: fds[1].
 */
int ms_follow_ask(const char *name, int fds[2]);
/* -1: it cannot be. */
int ms_follow_listen(const char *name, int most);
bool ms_follow_answer(int connection, int stream, int log);

#endif
