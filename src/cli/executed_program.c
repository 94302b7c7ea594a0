#include "cli/executed_program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/summary/summary.h"
#include "base/num.h"
#include "cli/wrapper_commands.h"
#include "launch/follow_children.h"

/* Percent of the cost of all, from which on the run of an executed program is kept, or mentioned.
 */
enum { CONSIDERABLE = 10, MENTIONED = 1 };

/* A program that has started another, and waits for it, is not meant if the other one costs more
 * than so many times as much. One that it has become (the last command of a shell) is one of
 * several that it has executed. */
enum { WRAPPED = 10, COSTLIER = 2 };

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

/* The program that it has become; NULL: it has executed no other in its own place. */
static const struct ms_run_child *find_last(const struct ms_run *run)
{
	const struct ms_run_child *last = NULL;

	for (size_t i = 0; i < run->children.n; i++) {
		const struct ms_run_child *c = &run->children.at[i];

		if (c->is_program && (last == NULL || c->order > last->order))
			last = c;
	}
	return last;
}

const struct ms_run_child *ms_cli_find_meant(const struct ms_run *run)
{
	if (!run->only_execs || run->children.n == 0)
		return NULL;
	const struct ms_run_child *meant = find_last(run);
	uint64_t most = meant != NULL ? COSTLIER * meant->cost : WRAPPED * ms_cli_run_cost(run);

	for (size_t i = 0; i < run->children.n; i++) {
		const struct ms_run_child *c = &run->children.at[i];

		if (!c->is_program && c->cost > most) {
			meant = c;
			most = c->cost;
		}
	}
	return meant;
}

bool ms_cli_is_program_kept(const struct ms_run *run, const struct ms_run_child *meant)
{
	return meant == NULL ||
	       (!ms_cli_is_wrapper(run->program) && ms_cli_run_cost(run) > COSTLIER * meant->cost);
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

/* What executed another in its own place is kept if it costs more than what is shown, others if
 * they have much of the cost of all. */
static bool is_dropped(const struct ms_run *run, const struct ms_run_child *c,
		       const struct ms_run_child *meant, uint64_t all)
{
	const struct ms_run_child *last = find_last(run);

	if (c == meant)
		return false;
	if (c->is_program && c != last)
		return c->cost <= COSTLIER * (meant != NULL ? meant->cost : 0);
	return c->cost < all / 100 * CONSIDERABLE;
}

/* The nearest ancestor that is kept; 0: the run itself. */
static int64_t find_kept_parent(const struct ms_run *run, int64_t parent,
				const struct ms_run_child *meant, uint64_t all)
{
	for (size_t i = 0; parent != 0 && i < run->children.n; i++)
		if (run->children.at[i].id == parent &&
		    is_dropped(run, &run->children.at[i], meant, all))
			return find_kept_parent(run, run->children.at[i].parent, meant, all);
	return parent;
}

static const char *program_of(const struct ms_run_list *heads, int64_t id)
{
	for (size_t i = 0; i < heads->at.n; i++)
		if (heads->at.at[i].id == id)
			return heads->at.at[i].program;
	return "";
}

/* Programs that were dropped, each once, however often it was executed. */
struct dropped {
	const char *program;
	uint64_t cost;
	size_t runs;
};

struct all_dropped {
	MS_VEC(struct dropped) at;
};

static void add_dropped(struct all_dropped *dropped, const char *program, uint64_t cost)
{
	for (size_t i = 0; i < dropped->at.n; i++)
		if (strcmp(dropped->at.at[i].program, program) == 0) {
			dropped->at.at[i].cost += cost;
			dropped->at.at[i].runs++;
			return;
		}
	*ms_vec_add(&dropped->at) = (struct dropped){ program, cost, 1 };
}

static double percent(uint64_t part, uint64_t all)
{
	return all > 0 ? 100.0 * (double)part / (double)all : 0;
}

static int by_cost(const void *a, const void *b)
{
	const struct dropped *x = a, *y = b;
	int order = ms_cmp_u64(y->cost, x->cost);

	return order != 0 ? order : strcmp(x->program, y->program);
}

/* By memspy sample, which has no --follow-forks. */
static bool is_sampled(const struct ms_run *run)
{
	return run->hardware.n > 0;
}

static const char *name_cost(const struct ms_run *run)
{
	return is_sampled(run) ? "all time" : "all cycles";
}

static void describe_dropped(const struct ms_run *run, const struct all_dropped *dropped,
			     uint64_t all, struct ms_text *messages)
{
	size_t n = 0;

	for (size_t i = 0; i < dropped->at.n; i++) {
		const struct dropped *d = &dropped->at.at[i];

		if (percent(d->cost, all) < MENTIONED)
			continue;
		ms_text_addf(messages, n++ == 0 ? "not kept: %s (" : ", %s (", d->program);
		if (d->runs > 1)
			ms_text_addf(messages, "%zu runs, ", d->runs);
		ms_text_addf(messages, "%.1f%% of %s)", percent(d->cost, all), name_cost(run));
	}
	if (n > 0)
		ms_text_add(messages,
			    is_sampled(run) ? "\n" : "; memspy run --follow-forks keeps all\n");
}

static void describe_meant(const struct ms_run *run, const char *meant, struct ms_text *messages)
{
	ms_text_addf(messages, "%s has started %s, which is ", run->program, meant);
	if (run->id != 0)
		ms_text_addf(messages,
			     "shown; %s costs more, and is kept, too: memspy report @%" PRId64 "\n",
			     run->program, run->id);
	else
		ms_text_addf(messages, "%s in its place%s\n",
			     is_sampled(run) ? "sampled" : "profiled",
			     is_sampled(run) ? "" : " (--follow-forks keeps both)");
}

/* The lines about all but the meant one; the list of children still has all. */
static void describe_others(const struct ms_run *run, const struct ms_run_child *meant,
			    uint64_t all, const struct ms_run_list *heads, struct ms_text *messages)
{
	struct all_dropped dropped = { MS_VEC_INIT };

	for (size_t i = 0; i < run->children.n; i++) {
		const struct ms_run_child *c = &run->children.at[i];
		const char *program = program_of(heads, c->id);

		if (is_dropped(run, c, meant, all))
			add_dropped(&dropped, program, c->cost);
		else if (c != meant)
			ms_text_addf(messages,
				     "%s (%.1f%% of %s) is kept, too: memspy report @%" PRId64 "\n",
				     program, percent(c->cost, all), name_cost(run), c->id);
	}
	if (dropped.at.n > 1)
		qsort(dropped.at.at, dropped.at.n, sizeof(*dropped.at.at), by_cost);
	describe_dropped(run, &dropped, all, messages);
	ms_vec_free(&dropped.at);
}

static int drop(struct ms_store *store, struct ms_run *run, const struct ms_run_child *meant,
		uint64_t all, struct ms_err *err)
{
	struct ms_store_run_ids ids = { .at = MS_VEC_INIT };
	MS_VEC(struct ms_run_child) kept = MS_VEC_INIT;

	for (size_t i = 0; i < run->children.n; i++) {
		const struct ms_run_child *c = &run->children.at[i];

		if (is_dropped(run, c, meant, all)) {
			*ms_vec_add(&ids.at) = c->id;
			continue;
		}
		struct ms_run_child *copy = ms_vec_add(&kept);

		*copy = *c;
		copy->parent = find_kept_parent(run, c->parent, meant, all);
	}
	for (size_t i = 0; i < kept.n; i++)
		run->children.at[i] = kept.at[i];
	run->children.n = kept.n;
	int code = ids.at.n > 0 ? ms_store_delete(store, ids.at.at, ids.at.n, err) : MS_OK;
	ms_vec_free(&ids.at);
	ms_vec_free(&kept);
	return code;
}

int ms_cli_drop_others(struct ms_store *store, struct ms_run *run, const struct ms_run_child *meant,
		       const char *trace, struct ms_text *messages, struct ms_err *err)
{
	struct ms_run_list heads;

	if (!run->only_execs || run->children.n == 0)
		return MS_OK;
	uint64_t all = ms_cli_run_cost(run);
	if (trace != NULL)
		drop_traces(run, meant, trace);
	for (size_t i = 0; i < run->children.n; i++)
		all += run->children.at[i].cost;
	MS_TRY(ms_store_list(store, &heads, err));
	if (meant != NULL)
		describe_meant(run, program_of(&heads, meant->id), messages);
	describe_others(run, meant, all, &heads, messages);
	ms_run_list_free(&heads);
	return drop(store, run, meant, all, err);
}

/* Next leads to the one with the largest cost. */
static void add_others(const struct ms_run_child *meant, const struct ms_run *run,
		       struct ms_run *loaded)
{
	loaded->only_execs = true;
	for (size_t i = 0; i < run->children.n; i++)
		if (run->children.at[i].id != meant->id)
			*ms_vec_add(&loaded->children) = run->children.at[i];
	if (run->id != 0)
		*ms_vec_add(&loaded->children) =
			(struct ms_run_child){ .id = run->id, .cost = ms_cli_run_cost(run) };
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
	if (code == MS_OK)
		add_others(meant, run, loaded);
	return code;
}
