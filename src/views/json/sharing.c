/* views/json/sharing.c - lines that processors invalidate in each other's caches, as JSON. */
#include "views/sharing.h"

#include "base/json.h"
#include "run/enum_words.h"
#include "views/json/parts.h"
#include "views/shared.h"

static void counts(struct ms_json *j, const struct ms_sharing *s, const struct ms_sharing_counts *c)
{
	ms_json_u64(j, "misses", c->truly + c->falsely);
	ms_json_u64(j, "true_sharing", c->truly);
	ms_json_u64(j, "false_sharing", c->falsely);
	ms_json_u64(j, "peer", c->peer);
	ms_json_u64(j, "far_peer", c->far_peer);
	ms_json_u64(j, "remote", c->remote);
	ms_json_u64(j, "stall_cycles", c->stall);
	ms_json_u64(j, "false_stall_cycles", c->false_stall);
	ms_views_json_share(j, "stall_share", c->stall,
			    ms_summary_rw_sum(s->whole.total.counts.stall));
}

/* Of a sampled run: how far they may be off. */
static void intervals(struct ms_json *j, const struct ms_sharing *s,
		      const struct ms_sharing_intervals *within)
{
	if (s->whole.run->samplings.n == 0)
		return;
	ms_json_object(j, "intervals");
	ms_views_json_interval(j, "misses", within->misses);
	ms_views_json_interval(j, "true_sharing", within->truly);
	ms_views_json_interval(j, "false_sharing", within->falsely);
	ms_json_end(j);
}

static void set(struct ms_json *j, const char *key, const struct ms_run *run,
		const struct ms_sharing_processors *processors)
{
	ms_json_array(j, key);
	for (uint32_t p = 0; p < run->processors; p++)
		if (ms_sharing_processors_has(processors, p))
			ms_json_u64(j, NULL, p);
	ms_json_end(j);
}

static void one_access(struct ms_json *j, const struct ms_sharing *s,
		       const struct ms_sharing_access *a)
{
	const struct ms_run *run = s->whole.run;
	const struct ms_run_site *site = &run->sites.at[a->site];
	const struct ms_run_line *line = &run->lines.at[site->line];

	ms_json_object(j, NULL);
	ms_json_u64(j, "offset", a->offset);
	ms_json_text(j, "data", run->data.at[a->data].name);
	if (a->object != MS_NO_OFFSET)
		ms_json_u64(j, "object_offset", a->object);
	else
		ms_json_null(j, "object_offset");
	ms_json_text(j, "field", a->field);
	ms_json_text(j, "access", ms_run_site_kind_word(site->kind));
	ms_json_u64(j, "size", site->size);
	set(j, "processors", run, &a->processors);
	ms_json_text(j, "code", run->codes.at[line->code].name);
	ms_json_text(j, "module", run->codes.at[line->code].module);
	ms_json_u64(j, "module_offset", site->offset);
	ms_json_text(j, "file", line->file);
	ms_json_u64(j, "line", line->line);
	counts(j, s, &a->missed);
	intervals(j, s, &a->within);
	ms_json_u64(j, "causes_true_sharing", a->caused_truly);
	ms_json_u64(j, "causes_false_sharing", a->caused_falsely);
	ms_json_end(j);
}

static void one_line(struct ms_json *j, const struct ms_sharing *s,
		     const struct ms_sharing_line *line)
{
	const struct ms_run *run = s->whole.run;

	ms_json_object(j, NULL);
	if (line->line != MS_NO_OFFSET)
		ms_json_u64(j, "address", line->line);
	else
		ms_json_null(j, "address");
	ms_json_text(j, "data", run->data.at[line->data].name);
	ms_json_u64(j, "data_count", line->n_data);
	counts(j, s, &line->counts);
	intervals(j, s, &line->within);
	set(j, "missed_by", run, &line->missers);
	set(j, "written_by", run, &line->writers);
	ms_json_array(j, "accesses");
	for (size_t i = 0; i < line->accesses.n; i++)
		one_access(j, s, &line->accesses.at[i]);
	ms_json_end(j);
	ms_json_end(j);
}

static void one_data(struct ms_json *j, const struct ms_sharing *s, const struct ms_sharing_data *d)
{
	const struct ms_run *run = s->whole.run;
	const struct ms_run_data *data = &run->data.at[d->data];

	ms_json_object(j, NULL);
	ms_json_text(j, "name", data->name);
	ms_json_text(j, "full_name", data->full_name);
	ms_json_text(j, "kind", ms_run_data_kind_word(data->kind));
	ms_json_text(j, "type", data->type);
	ms_json_u64(j, "lines", d->lines);
	counts(j, s, &d->counts);
	intervals(j, s, &d->within);
	set(j, "missed_by", run, &d->missers);
	set(j, "written_by", run, &d->writers);
	ms_json_end(j);
}

static void place(struct ms_json *j, const char *key, const struct ms_run *run, uint32_t number,
		  uint32_t data)
{
	const struct ms_run_line *line = &run->lines.at[number];

	ms_json_object(j, key);
	ms_json_text(j, "data", run->data.at[data].name);
	ms_json_text(j, "code", run->codes.at[line->code].name);
	ms_json_text(j, "file", line->file);
	ms_json_u64(j, "line", line->line);
	ms_json_end(j);
}

static void one_pair(struct ms_json *j, const struct ms_sharing *s,
		     const struct ms_sharing_pair *pair)
{
	const struct ms_run *run = s->whole.run;

	ms_json_object(j, NULL);
	place(j, "missed", run, pair->line, pair->data);
	place(j, "written", run, pair->writer_line, pair->writer_data);
	counts(j, s, &pair->counts);
	intervals(j, s, &pair->within);
	set(j, "missed_by", run, &pair->missers);
	set(j, "written_by", run, &pair->writers);
	ms_json_end(j);
}

static void nodes(struct ms_json *j, const struct ms_run *run)
{
	ms_json_array(j, "processor_nodes");
	for (uint32_t p = 0; p < run->processors; p++)
		ms_json_u64(j, NULL, ms_sharing_processor_node(run, p));
	ms_json_end(j);
}

void ms_views_json_sharing(const struct ms_sharing *s, const struct ms_views_options *options,
			   FILE *out)
{
	const struct ms_run *run = s->whole.run;
	struct ms_json j;

	ms_views_json_begin_run(&j, run, out);
	ms_json_u64(&j, "processors", run->processors);
	nodes(&j, run);
	ms_json_u64(&j, "peer_latency", s->whole.cost.peer);
	ms_json_u64(&j, "remote_latency", s->whole.cost.remote);
	ms_json_end(&j);
	ms_json_object(&j, "totals");
	counts(&j, s, &s->total);
	intervals(&j, s, &s->within);
	ms_json_end(&j);
	ms_json_array(&j, "data");
	for (size_t i = 0; i < s->data.n; i++)
		one_data(&j, s, &s->data.at[i]);
	ms_json_end(&j);
	ms_json_array(&j, "pairs");
	for (size_t i = 0; i < s->pairs.n; i++)
		one_pair(&j, s, &s->pairs.at[i]);
	ms_json_end(&j);
	ms_json_u64(&j, "line_count", s->lines.n);
	ms_json_array(&j, "lines");
	for (size_t i = 0; i < ms_views_top(s->lines.n, options->top); i++)
		one_line(&j, s, &s->lines.at[i]);
	ms_json_end(&j);
	ms_json_end(&j);
}
