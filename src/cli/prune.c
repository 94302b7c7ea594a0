#include "cli/prune.h"

#include <string.h>

#include "base/text.h"
#include "run/run_list.h"

static bool is_spared(const struct ms_cli_prune *prune, const struct ms_run_list_entry *head)
{
	return !prune->all && (head->tag != NULL || head->tags.n > 0 || head->note != NULL);
}

/* How many runs of the same program are newer; they are named as they were typed. */
static uint64_t newer(const struct ms_run_list *heads, size_t at)
{
	const char *program = heads->at.at[at].program;
	uint64_t n = 0;

	for (size_t i = at + 1; i < heads->at.n; i++)
		n += strcmp(heads->at.at[i].program, program) == 0;
	return n;
}

/*
 * What a run's rows take of the file, indexes and half-filled pages included: its share of what all
 * of them take. Runs of older versions count as much as the mean of the others.
 */
static double share_of(const struct ms_run_list *heads, size_t at, uint64_t size)
{
	double sum = 0, known = 0;

	for (size_t i = 0; i < heads->at.n; i++) {
		sum += (double)heads->at.at[i].bytes;
		known += heads->at.at[i].bytes > 0;
	}
	double mean = known > 0 ? sum / known : 1;
	double all = sum + mean * ((double)heads->at.n - known);
	double own = heads->at.at[at].bytes > 0 ? (double)heads->at.at[at].bytes : mean;
	return own / all * (double)size;
}

void ms_cli_prune_choose(const struct ms_cli_prune *prune, const struct ms_run_list *heads,
			 uint64_t size, struct ms_store_run_ids *ids)
{
	double left = (double)size;

	*ids = (struct ms_store_run_ids){ .at = MS_VEC_INIT };
	for (size_t i = 0; i < heads->at.n; i++) {
		if (prune->limit > 0 && left <= (double)prune->limit)
			break;
		if (is_spared(prune, &heads->at.at[i]))
			continue;
		if (prune->keep > 0 && newer(heads, i) < prune->keep)
			continue;
		left -= prune->limit > 0 ? share_of(heads, i, size) : 0;
		*ms_vec_add(&ids->at) = heads->at.at[i].id;
	}
}

static int limit_once(struct ms_store *store, uint64_t limit, bool *done, struct ms_err *err)
{
	/* The run that was just made stays, however large it is. */
	const struct ms_cli_prune prune = { .limit = limit, .keep = 1 };
	struct ms_run_list heads;
	struct ms_store_run_ids ids;
	uint64_t size;

	MS_TRY(ms_store_size(store, &size, err));
	MS_TRY(ms_store_list(store, &heads, err));
	ms_cli_prune_choose(&prune, &heads, size, &ids);
	ms_run_list_free(&heads);
	*done = ids.at.n == 0;
	int code = *done ? MS_OK : ms_store_delete(store, ids.at.at, ids.at.n, err);
	ms_vec_free(&ids.at);
	return code;
}

int ms_cli_limit_store(struct ms_store *store, uint64_t limit, struct ms_err *err)
{
	/* Shares are estimates: what is still too large is looked at again. */
	for (bool done = false; !done;)
		MS_TRY(limit_once(store, limit, &done, err));
	return MS_OK;
}
