#include "cli/executed_program.h"

#include <stdio.h>
#include <unistd.h>

#include "analysis/summary/summary.h"
#include "launch/follow_children.h"

/* Percent of the cost of all, from which on the run of an executed program is kept. */
enum { CONSIDERABLE = 10 };

/* A program that has started another, and waits for it, is not meant if the other one costs more
 * than so many times as much. */
enum { WRAPPED = 10 };

uint64_t ms_cli_run_cost(const struct ms_run *run)
{
	struct ms_summary summary;
	uint64_t cost = 0;

	if (ms_summary_make(&summary, run, NULL, NULL, NULL) != MS_OK)
		return 0;
	const struct ms_summary_counts *counts = &summary.total.counts;
	cost = counts->compute + counts->stall[0] + counts->stall[1];
	ms_summary_free(&summary);
	return cost;
}

static bool has_replaced_itself(const struct ms_run *run)
{
	for (size_t i = 0; i < run->children.n; i++)
		if (run->children.at[i].is_program)
			return true;
	return false;
}

const struct ms_run_child *ms_cli_find_meant(const struct ms_run *run)
{
	const struct ms_run_child *meant = NULL;
	bool replaced = has_replaced_itself(run);

	if (!run->only_execs || run->children.n == 0)
		return NULL;
	uint64_t most = replaced ? 0 : WRAPPED * ms_cli_run_cost(run);
	for (size_t i = 0; i < run->children.n; i++) {
		const struct ms_run_child *c = &run->children.at[i];

		if (c->cost > most || (replaced && c->is_program && c->cost >= most)) {
			meant = c;
			most = c->cost;
		}
	}
	return meant;
}

/* A trace is that of the run that is kept, under the name that was asked for. */
static void drop_traces(struct ms_run *run, const struct ms_run_child *meant, const char *trace)
{
	for (size_t i = 0; i < run->children.n; i++) {
		const struct ms_run_child *c = &run->children.at[i];
		const char *name = ms_launch_trace_name(&run->arena, trace, c->trace);

		if (c->trace == 0)
			continue;
		if (c == meant)
			rename(name, trace);
		else
			unlink(name);
	}
	run->child_traces = 0;
}

static bool is_dropped(const struct ms_run_child *c, const struct ms_run_child *meant, uint64_t all)
{
	return c != meant && c->cost < all / 100 * CONSIDERABLE;
}

/* The nearest ancestor that is kept; 0: the run itself. */
static int64_t find_kept_parent(const struct ms_run *run, int64_t parent,
				const struct ms_run_child *meant, uint64_t all)
{
	for (size_t i = 0; parent != 0 && i < run->children.n; i++)
		if (run->children.at[i].id == parent &&
		    is_dropped(&run->children.at[i], meant, all))
			return find_kept_parent(run, run->children.at[i].parent, meant, all);
	return parent;
}

int ms_cli_drop_others(struct ms_store *store, struct ms_run *run, const struct ms_run_child *meant,
		       const char *trace, struct ms_err *err)
{
	uint64_t all = meant == NULL ? ms_cli_run_cost(run) : 0;
	struct ms_store_run_ids ids = { .at = MS_VEC_INIT };
	size_t kept = 0;

	if (!run->only_execs || run->children.n == 0)
		return MS_OK;
	if (trace != NULL)
		drop_traces(run, meant, trace);
	for (size_t i = 0; i < run->children.n; i++)
		all += run->children.at[i].cost;
	for (size_t i = 0; i < run->children.n; i++) {
		struct ms_run_child *c = &run->children.at[i];

		c->parent = find_kept_parent(run, c->parent, meant, all);
	}
	for (size_t i = 0; i < run->children.n; i++) {
		struct ms_run_child *c = &run->children.at[i];

		if (is_dropped(c, meant, all))
			*ms_vec_add(&ids.at) = c->id;
		else if (c != meant)
			run->children.at[kept++] = *c;
	}
	run->children.n = kept;
	int code = ids.at.n > 0 ? ms_store_delete(store, ids.at.at, ids.at.n, err) : MS_OK;
	ms_vec_free(&ids.at);
	return code;
}

int ms_cli_load_meant(const char *db, const struct ms_run_child *meant, const struct ms_run *run,
		      struct ms_run *loaded, struct ms_err *err)
{
	struct ms_store *store;

	MS_TRY(ms_store_open(&store, db, MS_STORE_WRITE, err));
	int code = MS_OK;
	if (meant->is_program)
		code = ms_store_set_end(store, meant->id, run->end, run->exit_status, err);
	if (code == MS_OK)
		code = ms_store_load(store, meant->id, loaded, err);
	ms_store_close(store);
	if (code == MS_OK && meant->is_program)
		loaded->children_seconds = run->children_seconds;
	return code;
}

void ms_cli_print_meant(const struct ms_run *started, const struct ms_run *meant)
{
	fprintf(stderr,
		"memspy: %s has started %s, which is profiled in its place (--follow-forks "
		"keeps both)\n",
		started->program, meant->program);
}
