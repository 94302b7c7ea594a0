/* ranks/processes.c - the processes of a command, whose runs --follow-forks has stored. */
#include "ranks/ranks_priv.h"

static int add(struct ms_run_merger *merger, struct ms_run *run, uint32_t number,
	       struct ms_err *err)
{
	run->rank = number;
	MS_TRY(ms_ranks_make_leaf(run, NULL, err));
	const char *reason = ms_run_merger_refuses(merger, run);

	if (reason == NULL) {
		ms_run_merger_add(merger, run);
		return MS_OK;
	}
	run->rank_rows.at[0].state = MS_RANK_APART;
	run->rank_rows.at[0].reason = reason;
	run->rank_rows.at[0].features = NULL;
	ms_run_merger_add_ranks(merger, run);
	return MS_OK;
}

int ms_ranks_merge_processes(struct ms_store *store, const int64_t *ids, size_t n,
			     struct ms_run *merged, struct ms_err *err)
{
	struct ms_run_merger *merger = ms_run_merger_new();
	int code = MS_OK;

	for (uint32_t i = 0; i < n && code == MS_OK; i++) {
		struct ms_run run;

		code = ms_store_load(store, ids[i], &run, err);
		if (code == MS_OK) {
			code = add(merger, &run, i, err);
			ms_run_free(&run);
		}
	}
	ms_run_merger_finish(merger, merged);
	if (code != MS_OK) {
		ms_run_free(merged);
		return code;
	}
	merged->rank = 0;
	ms_ranks_make_uid(merged);
	ms_ranks_cluster(merged);
	for (size_t i = 0; i < merged->rank_clusters.n; i++)
		for (size_t k = 0; k < merged->rank_rows.n; k++)
			if (merged->rank_rows.at[k].rank ==
			    merged->rank_clusters.at[i].representative)
				merged->rank_clusters.at[i].uid = merged->rank_rows.at[k].uid;
	return MS_OK;
}
