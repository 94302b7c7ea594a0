/*
 * launch/job.h - whether this process is a rank of a parallel job, as the environment that its
 * launcher has set says. Nothing depends on the program's MPI library.
 */
#ifndef MS_LAUNCH_JOB_H
#define MS_LAUNCH_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/text.h"

struct ms_launch_job {
	const char *launcher; /* "Open MPI"; NULL: no rank of a job of several processes */
	const char *id;       /* the same in all ranks; letters, digits, '.', '_' and '-' only */
	const char *host;     /* name of this node, likewise */
	uint32_t rank;
	uint32_t ranks; /* of the job; 0: not known */
	uint32_t local_rank;
	uint32_t local_ranks; /* of this job on this node; 0: not known */
};

/* environment: "NAME=VALUE" strings, NULL at the end. Strings are in the arena. */
void ms_launch_find_job(struct ms_launch_job *job, char *const *environment,
			struct ms_arena *arena);

/*
 * The name of a rank's file: %r is the rank, %h the node, %j the job, %p the process, %% a percent
 * sign. Without a job, the rank is 0 and the job "local".
 */
int ms_launch_expand_name(struct ms_text *name, const char *pattern,
			  const struct ms_launch_job *job, struct ms_err *err);
/* The part of a pattern that is one folder for all ranks: up to the component with %r, %h, or %p.
 */
size_t ms_launch_common_folder(const char *pattern);
bool ms_launch_is_pattern(const char *name);

/* Whether a rank is in a list such as "0,16:32/4", which is 0, 16, 20, 24, 28 and 32. */
int ms_launch_is_listed_rank(const char *list, uint32_t rank, bool *listed, struct ms_err *err);

#endif
