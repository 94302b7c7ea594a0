/*
 * collect/origin.h - where a run came from, beside its command line: what tells people later which
 * build of which source it was, where it ran, and with which of the variables that matter.
 */
#ifndef MS_COLLECT_ORIGIN_H
#define MS_COLLECT_ORIGIN_H

#include <sys/types.h>

#include "run/run.h"

/* What git was asked. */
struct ms_origin {
	struct ms_git {
		int fd; /* where it answers; -1: nowhere */
		pid_t pid;
	} head, changes;
	bool elsewhere; /* in the program's folder, not the current one */
};

/*
 * Notes the program's build-id, the commit of the repository that it lies in (or else the current
 * folder), this machine, and the variables of the environment that are known to matter, and those
 * that `keep` asks for (patterns; NULL at the end; may be NULL). What cannot be found is left out.
 *
 * git takes as long as some programs do: it is asked here, and ms_origin_hear(), which must be
 * called, notes what it answers. Meanwhile the program may begin.
 */
void ms_origin_note(struct ms_origin *origin, struct ms_run *run, const char *path,
		    const char *const *keep);
void ms_origin_hear(struct ms_origin *origin, struct ms_run *run);

/* Of a run whose process came out of another's. */
void ms_origin_copy(struct ms_run *run, const struct ms_run *from);

#endif
