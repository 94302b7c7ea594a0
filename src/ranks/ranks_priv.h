/* ranks/ranks_priv.h - declarations that the files of ranks/ share. */
#ifndef MS_RANKS_RANKS_PRIV_H
#define MS_RANKS_RANKS_PRIV_H

#include "ranks/ranks.h"
#include "run/merge_runs.h"
#include "store/store.h"

int ms_ranks_open(const struct ms_ranks_files *files, const char *file, struct ms_store **store,
		  struct ms_err *err);

/* jobs.c: sets the job (NULL: the newest), and of each file the run; files without one are removed.
 */
void ms_ranks_choose_runs(struct ms_ranks_files *files, const char *job);

/* merge.c: intermediate databases are merged this many at a time, as are those of ranks. */
enum { MS_RANKS_BATCH = 64 };

/* merge.c: of the uids of what is merged; the same for the same runs. */
void ms_ranks_make_uid(struct ms_run *run);
/* merge.c: the merged form of a batch of ranks. */
void ms_ranks_merge_leaves(const struct ms_ranks_files *files,
			   const struct ms_ranks_options *options, size_t batch,
			   struct ms_run *merged);

/* Which batches of n this call merges: those of its share. */
typedef int ms_ranks_batch_function(void *arg, size_t batch, struct ms_err *err);
/* Calls it for batches first, first + step ... below n, in up to `jobs` processes. */
int ms_ranks_in_parallel(unsigned jobs, size_t first, size_t step, size_t n,
			 ms_ranks_batch_function *call, void *arg, struct ms_err *err);

#endif
