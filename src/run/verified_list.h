/* run/verified_list.h - measured gains of all runs of a database, or of one. */
#ifndef MS_RUN_VERIFIED_LIST_H
#define MS_RUN_VERIFIED_LIST_H

#include "base/arena.h"
#include "base/vec.h"
#include "run/verification.h"

struct ms_run_verified {
	int64_t run;
	struct ms_run_verification verification;
};

struct ms_run_verified_list {
	struct ms_arena arena; /* owns all strings */
	MS_VEC(struct ms_run_verified) at;
};

#endif
