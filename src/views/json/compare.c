/* views/json/compare.c - two runs from different sources side by side, as JSON. */
#include "views/compare.h"

#include <math.h>

#include "base/json.h"
#include "views/json/parts.h"

static void json_side(struct ms_json *j, const char *key, const struct ms_accuracy_compared *x)
{
	ms_json_object(j, key);
	if (x->rank > 0)
		ms_json_u64(j, "rank", x->rank);
	else
		ms_json_null(j, "rank");
	ms_json_real(j, "share", x->share.share);
	ms_json_real(j, "share_low", x->share.low);
	ms_json_real(j, "share_high", x->share.high);
	ms_json_end(j);
}

static void json_run(struct ms_json *j, const char *key, const struct ms_run *run)
{
	struct ms_arena arena = MS_ARENA_INIT;

	ms_json_object(j, key);
	ms_json_i64(j, "id", run->id);
	ms_json_text(j, "tag", run->tag);
	ms_json_text(j, "program", run->program);
	ms_json_text(j, "source", ms_accuracy_source_text(run, &arena));
	ms_json_end(j);
	ms_arena_free(&arena);
}

void ms_views_json_compare(const struct ms_accuracy_sources *c, const struct ms_views_options *o,
			   FILE *out)
{
	struct ms_json j;

	(void)o;
	ms_views_json_begin(&j, out);
	json_run(&j, "first", c->of[0].run);
	json_run(&j, "second", c->of[1].run);
	ms_json_array(&j, "rows");
	for (size_t i = 0; i < c->rows.n; i++) {
		ms_json_object(&j, NULL);
		ms_json_text(&j, "name", c->rows.at[i].name);
		json_side(&j, "first", &c->rows.at[i].in[0]);
		json_side(&j, "second", &c->rows.at[i].in[1]);
		ms_json_end(&j);
	}
	ms_json_end(&j);
	ms_json_real(&j, "above", c->above);
	ms_json_u64(&j, "judged", c->judged);
	ms_json_u64(&j, "in_order", c->first);
	ms_json_u64(&j, "within", c->within);
	ms_json_real(&j, "worst", c->worst);
	ms_json_text(&j, "worst_name", c->worst_name);
	if (isfinite(c->correlation))
		ms_json_real(&j, "correlation", c->correlation);
	else
		ms_json_null(&j, "correlation");
	ms_json_end(&j);
}
