/*
 * name/run_origin.h - records the origin of a run besides its command line: the build and its
 * source revision, the computer, and the environment variables that matter.
 */
#ifndef MS_NAME_RUN_ORIGIN_H
#define MS_NAME_RUN_ORIGIN_H

#include <sys/types.h>

#include "run/run.h"

/* The running git commands. */
struct ms_name_origin {
	struct ms_name_git {
		int fd; /* its output; -1: it was not started */
		pid_t pid;
	} head, changes;
	bool elsewhere; /* they run in the program's folder, not the current one */
};

/*
 * Records the program's build-id, the commit of the repository that contains it (or else the
 * current folder), this computer, the environment variables that are known to matter, and those
 * that match `keep` (patterns; NULL at the end; may be NULL). What cannot be found is omitted.
 *
 * git takes as long as some programs do. So ms_name_origin_start() only starts it, and the program
 * may start meanwhile. ms_name_origin_finish() must be called; it records git's output.
 */
void ms_name_origin_start(struct ms_name_origin *origin, struct ms_run *run, const char *path,
			  const char *const *keep);
void ms_name_origin_finish(struct ms_name_origin *origin, struct ms_run *run);

/* For the run of a child process. */
void ms_name_origin_copy(struct ms_run *run, const struct ms_run *from);

#endif
