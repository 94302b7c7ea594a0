/*
 * serve/kept.h - the run that was last asked for, kept in memory: a page asks for its parts one
 * after the other, and reading a large run takes as long as writing all of them.
 */
#ifndef MS_SERVE_KEPT_H
#define MS_SERVE_KEPT_H

#include "advise/advise.h"
#include "analysis/summary/summary.h"
#include "serve/serve.h"

struct ms_serve_kept {
	struct ms_run run;
	struct ms_summary summary;
	struct ms_advise advise; /* findings */
	int64_t id;
	unsigned users;    /* and one more while it is kept */
	uint64_t stamp[8]; /* of the database when it was read */
};

/* The run as the database has it now. Any number of threads may read it; each releases it. */
int ms_serve_keep_run(const struct ms_serve_options *options, int64_t id,
		      struct ms_serve_kept **kept, struct ms_err *err);
void ms_serve_release_run(struct ms_serve_kept *kept);
/* Whether a run other than this one is kept, as the database has it now. */
bool ms_serve_keeps_other_run(const struct ms_serve_options *options, int64_t id);
/* Frees the run that is kept, when no thread uses it any more. */
void ms_serve_forget_run(void);

#endif
