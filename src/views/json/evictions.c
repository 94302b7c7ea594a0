/* views/json/evictions.c - which data evicts which, as JSON. */
#include "views/evictions.h"

#include "analysis/confidence_intervals/intervals.h"
#include "base/json.h"
#include "views/json/parts.h"

/* Of a sampled run: how far two figures may be off. */
static void intervals(struct ms_json *j, const struct ms_run *run, const char *first,
		      struct ms_intervals_bounds first_within, const char *second,
		      struct ms_intervals_bounds second_within)
{
	if (run->samplings.n == 0)
		return;
	ms_json_object(j, "intervals");
	ms_views_json_interval(j, first, first_within);
	ms_views_json_interval(j, second, second_within);
	ms_json_end(j);
}

static void one_level(struct ms_json *j, const struct ms_evictions *e, uint32_t i)
{
	const struct ms_evictions_level *level = &e->levels[i];
	const struct ms_run *run = e->whole.run;

	ms_json_object(j, NULL);
	ms_json_text(j, "name", run->levels.at[i].name);
	ms_json_u64(j, "misses", level->misses);
	ms_json_u64(j, "evictions", level->evictions);
	ms_json_u64(j, "by_itself", level->itself);
	ms_views_json_share(j, "by_itself_share", level->itself, level->evictions);
	ms_json_u64(j, "replacement_stall_cycles", level->stall);
	ms_json_u64(j, "chosen", level->chosen);
	intervals(j, run, "evictions", level->within, "replacement_stall_cycles",
		  level->stall_within);
	ms_json_end(j);
}

static bool is_touched(const struct ms_evictions_data *d)
{
	return d->evicted > 0 || d->evicts > 0;
}

static void one_data(struct ms_json *j, const struct ms_evictions *e,
		     const struct ms_summary_entry *entry, uint32_t level)
{
	const struct ms_evictions_data *d = ms_evictions_of(e, level, entry->data);
	const struct ms_run *run = e->whole.run;

	ms_json_object(j, NULL);
	ms_json_text(j, "level", run->levels.at[level].name);
	ms_json_text(j, "name", entry->name);
	ms_json_text(j, "full_name", run->data.at[entry->data].full_name);
	ms_json_u64(j, "misses", ms_summary_entry_misses(&e->whole, entry, level));
	ms_json_u64(j, "evicted", d->evicted);
	ms_json_u64(j, "evicts", d->evicts);
	ms_json_u64(j, "by_itself", d->itself);
	intervals(j, run, "evicted", d->evicted_within, "evicts", d->evicts_within);
	ms_json_end(j);
}

/* What belongs to a pair, and to a place as well. */
static void pair(struct ms_json *j, const struct ms_evictions *e, const struct ms_evictions_row *p)
{
	const struct ms_run *run = e->whole.run;

	ms_json_text(j, "level", run->levels.at[p->level].name);
	ms_json_text(j, "evicted", run->data.at[p->victim].name);
	ms_json_text(j, "evicted_by", run->data.at[p->evictor].name);
	ms_json_u64(j, "evictions", p->count);
	ms_views_json_low_high(j, run, p->within);
	ms_views_json_share(j, "share", p->count, ms_evictions_of(e, p->level, p->victim)->evicted);
}

static void one_pair(struct ms_json *j, const struct ms_evictions *e,
		     const struct ms_evictions_row *p)
{
	ms_json_object(j, NULL);
	pair(j, e, p);
	ms_json_end(j);
}

static void one_place(struct ms_json *j, const struct ms_evictions *e,
		      const struct ms_evictions_row *p)
{
	const struct ms_run_line *line = &e->whole.run->lines.at[p->line];
	const struct ms_run_code *code = &e->whole.run->codes.at[line->code];

	ms_json_object(j, NULL);
	pair(j, e, p);
	ms_json_text(j, "code", code->name);
	ms_json_text(j, "module", code->module);
	ms_json_text(j, "file", line->file);
	ms_json_u64(j, "line", line->line);
	ms_json_end(j);
}

/* Of each level those that stall the most, where there is a limit. */
static void list_data(struct ms_json *j, const struct ms_evictions *e, size_t top)
{
	ms_json_array(j, "data");
	for (uint32_t level = 0; level < e->whole.run->levels.n; level++) {
		size_t n = 0;

		for (size_t i = 0; i < e->whole.data.at.n && (top == 0 || n < top); i++) {
			const struct ms_summary_entry *entry = &e->whole.data.at.at[i];

			if (!ms_evictions_has_level(e, level) ||
			    !is_touched(ms_evictions_of(e, level, entry->data)))
				continue;
			one_data(j, e, entry, level);
			n++;
		}
	}
	ms_json_end(j);
}

static void list_places(struct ms_json *j, const char *key, const struct ms_evictions *e,
			const struct ms_evictions_rows *places, size_t top,
			void (*one)(struct ms_json *, const struct ms_evictions *,
				    const struct ms_evictions_row *))
{
	uint32_t level = MS_NONE;
	size_t n = 0;

	ms_json_array(j, key);
	for (size_t i = 0; i < places->at.n; i++) {
		n = places->at.at[i].level == level ? n + 1 : 1;
		level = places->at.at[i].level;
		if (top == 0 || n <= top)
			one(j, e, &places->at.at[i]);
	}
	ms_json_end(j);
}

void ms_views_json_evictions(const struct ms_evictions *e, const struct ms_views_options *options,
			     FILE *out)
{
	const struct ms_run *run = e->whole.run;
	struct ms_json j;

	ms_views_json_begin_run(&j, run, out);
	ms_json_end(&j);
	ms_json_array(&j, "levels");
	for (uint32_t i = 0; i < run->levels.n; i++)
		one_level(&j, e, i);
	ms_json_end(&j);
	list_data(&j, e, options->top);
	list_places(&j, "pairs", e, &e->pairs, options->top, one_pair);
	list_places(&j, "places", e, &e->places, options->top, one_place);
	ms_views_json_occupancy_array(&j, e);
	ms_json_end(&j);
}
