/* views/json/line_use.c - how much of fetched lines is used, how they are accessed, as JSON. */
#include "analysis/line_use/line_use.h"
#include "analysis/line_use/access_kind.h"
#include "analysis/line_use/reuse.h"
#include "analysis/line_use/working_set.h"
#include "base/mem.h"
#include "views/json/parts.h"

void ms_views_json_line_use_of_level(struct ms_json *j, const struct ms_run_level *level,
				     const struct ms_line_use *use)
{
	ms_json_object(j, NULL);
	ms_json_text(j, "name", level->name);
	ms_json_u64(j, "line", level->line);
	if (use->lines > 0) {
		ms_json_real(j, "used_bytes", use->used);
		ms_json_real(j, "low", use->low);
		ms_json_real(j, "high", use->high);
	}
	if (use->written_lines > 0)
		ms_json_real(j, "written_bytes", use->written);
	ms_json_end(j);
}

static void put_levels(struct ms_json *j, const struct ms_run *run, const bool *code,
		       const bool *data)
{
	ms_json_array(j, "line_use");
	for (uint32_t level = 0; level < run->levels.n; level++) {
		struct ms_line_use use = ms_line_use_of(run, level, code, data);

		if (use.lines > 0 || use.written_lines > 0)
			ms_views_json_line_use_of_level(j, &run->levels.at[level], &use);
	}
	ms_json_end(j);
}

static void put_access(struct ms_json *j, const struct ms_run *run, const bool *code,
		       const bool *data)
{
	struct ms_line_use_access access = ms_line_use_find_access(run, code, data);

	ms_json_object(j, "access");
	ms_json_text(j, "kind", ms_line_use_kind_word(access.kind));
	if (access.share > 0) {
		ms_json_real(j, "stride", (double)access.stride);
		ms_json_real(j, "stride_share", access.share);
		ms_json_u64(j, "strides", access.number);
	}
	ms_json_end(j);
}

static void put_curve(struct ms_json *j, const struct ms_run *run, const bool *data)
{
	struct ms_line_use_curve curve;

	ms_line_use_make_curve(run, data, &curve);
	ms_json_array(j, "miss_curve");
	for (size_t i = 0; i < curve.at.n; i++) {
		ms_json_object(j, NULL);
		ms_json_u64(j, "size", curve.at.at[i].size);
		ms_json_real(j, "misses", curve.at.at[i].misses);
		ms_json_real(j, "low", curve.at.at[i].low);
		ms_json_real(j, "high", curve.at.at[i].high);
		ms_json_end(j);
	}
	ms_json_end(j);
	ms_vec_free(&curve.at);
}

static void put_place(struct ms_json *j, const struct ms_run *run, const char *key, uint32_t line)
{
	const struct ms_run_line *l = &run->lines.at[line];

	ms_json_object(j, key);
	ms_json_text(j, "code", run->codes.at[l->code].name);
	if (l->file != NULL)
		ms_json_text(j, "file", l->file);
	ms_json_u64(j, "line", l->line);
	ms_json_end(j);
}

static void put_reuses(struct ms_json *j, const struct ms_run *run, const bool *code,
		       const bool *data)
{
	double *factors = ms_line_use_find_reuse_factors(run);

	ms_json_array(j, "reuse");
	for (size_t i = 0; i < run->reuses.n; i++) {
		const struct ms_run_reuse *r = &run->reuses.at[i];

		if ((data != NULL && !data[r->data]) ||
		    (code != NULL && !code[run->lines.at[r->to_line].code]))
			continue;
		struct ms_line_use_distance between = ms_line_use_get_distance(run, r);

		ms_json_object(j, NULL);
		ms_json_text(j, "data", run->data.at[r->data].name);
		put_place(j, run, "from", r->from_line);
		put_place(j, run, "to", r->to_line);
		ms_json_real(j, "misses", factors[r->data] * r->count);
		ms_json_real(j, "bytes_between", between.bytes);
		ms_json_real(j, "bytes_between_low", between.low);
		ms_json_real(j, "bytes_between_high", between.high);
		ms_json_end(j);
	}
	ms_json_end(j);
	ms_free(factors);
}

void ms_views_json_line_use(struct ms_json *j, const struct ms_run *run, const bool *code,
			    const bool *data)
{
	if (run->strides.n > 0)
		put_access(j, run, code, data);
	if (run->line_uses.n == 0)
		return;
	put_levels(j, run, code, data);
	if (code == NULL)
		put_curve(j, run, data);
	put_reuses(j, run, code, data);
}
