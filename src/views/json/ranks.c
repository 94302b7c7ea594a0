/* views/json/ranks.c - how the ranks of a merged run differ, as JSON. */
#include "views/ranks.h"

#include "base/json.h"
#include "run/enum_words.h"
#include "views/json/parts.h"
#include "views/shared.h"

static void add_spread(struct ms_json *j, const struct ms_rank_times_spread *s)
{
	ms_json_u64(j, "sum", s->sum);
	ms_json_real(j, "mean", s->mean);
	ms_json_real(j, "deviation", s->deviation);
	ms_json_u64(j, "least", s->least);
	if (s->least_rank != MS_NONE)
		ms_json_u64(j, "least_rank", s->least_rank);
	else
		ms_json_null(j, "least_rank");
	ms_json_u64(j, "most", s->most);
	ms_json_u64(j, "most_rank", s->most_rank);
	ms_json_real(j, "above_mean", s->excess);
}

static void add_rank(struct ms_json *j, const struct ms_run_rank *r)
{
	ms_json_object(j, NULL);
	ms_json_u64(j, "rank", r->rank);
	ms_json_text(j, "state", ms_run_rank_state_word(r->state));
	ms_json_text(j, "reason", r->reason);
	ms_json_text(j, "host", r->host);
	ms_json_text(j, "program", r->program);
	ms_json_text(j, "file", r->file);
	ms_json_text(j, "uid", r->uid);
	if (r->cluster != MS_NONE)
		ms_json_u64(j, "cluster", r->cluster);
	else
		ms_json_null(j, "cluster");
	if (r->uid != NULL) {
		ms_json_text(j, "end", ms_run_end_word(r->end));
		ms_json_i64(j, "exit_status", r->exit_status);
		ms_json_real(j, "wall_seconds", r->wall_seconds);
		ms_json_u64(j, "instructions", r->instructions);
		ms_json_u64(j, "references", r->references);
		ms_json_u64(j, "time", ms_rank_times_of(r));
		ms_json_u64(j, "compute", r->compute);
		ms_json_u64(j, "stall", r->stall);
		ms_json_u64(j, "waiting", r->waiting);
	}
	ms_json_end(j);
}

static void add_ranks(struct ms_json *j, const struct ms_run *run)
{
	ms_json_array(j, "ranks");
	for (size_t i = 0; i < run->rank_rows.n; i++)
		add_rank(j, &run->rank_rows.at[i]);
	ms_json_end(j);
}

static void add_programs(struct ms_json *j, const struct ms_rank_times *t)
{
	ms_json_array(j, "programs");
	for (size_t i = 0; i < t->programs.n; i++) {
		const struct ms_rank_times_program *p = &t->programs.at[i];

		ms_json_object(j, NULL);
		ms_json_text(j, "name", p->name);
		ms_json_u64(j, "processes", p->processes);
		ms_json_u64(j, "compute", p->compute);
		ms_json_u64(j, "stall", p->stall);
		ms_json_end(j);
	}
	ms_json_end(j);
}

static void add_bins(struct ms_json *j, const struct ms_rank_times *t, size_t top)
{
	ms_json_array(j, "bins");
	for (size_t i = 0; i < ms_views_top(t->bins.n, top); i++) {
		const struct ms_rank_times_entry *e = &t->bins.at[i];

		ms_json_object(j, NULL);
		ms_json_text(j, "code", t->run->codes.at[e->code].name);
		ms_json_text(j, "data", t->run->data.at[e->data].name);
		add_spread(j, &e->stall);
		ms_json_end(j);
	}
	ms_json_end(j);
}

static void add_clusters(struct ms_json *j, const struct ms_run *run)
{
	ms_json_array(j, "clusters");
	for (size_t i = 0; i < run->rank_clusters.n; i++) {
		const struct ms_run_rank_cluster *c = &run->rank_clusters.at[i];

		ms_json_object(j, NULL);
		ms_json_u64(j, "ranks", c->ranks);
		ms_json_u64(j, "time", c->time);
		ms_json_u64(j, "representative", c->representative);
		ms_json_text(j, "uid", c->uid);
		ms_json_end(j);
	}
	ms_json_end(j);
}

int ms_views_json_ranks(const struct ms_rank_times *t, const struct ms_views_options *options,
			FILE *out, struct ms_err *err)
{
	struct ms_json j;

	(void)err;
	ms_views_json_begin_run(&j, t->run, out);
	ms_json_end(&j);
	ms_json_object(&j, "job");
	ms_json_text(&j, "id", t->run->job);
	ms_json_text(&j, "folder", t->run->folder);
	ms_json_text(&j, "unit", ms_run_is_measured(t->run) ? "nanoseconds" : "cycles");
	ms_json_u64(&j, "merged", t->merged);
	ms_json_u64(&j, "nodes", t->nodes);
	ms_json_end(&j);
	ms_json_object(&j, "time");
	add_spread(&j, &t->time);
	ms_json_end(&j);
	add_programs(&j, t);
	add_ranks(&j, t->run);
	add_bins(&j, t, options->top);
	add_clusters(&j, t->run);
	ms_json_end(&j);
	return MS_OK;
}
