/* views/json/accuracy.c - a sampled run beside the whole one, as JSON. */
#include "views/accuracy.h"

#include <math.h>

#include "analysis/confidence_intervals/miss_rate_estimators.h"
#include "base/json.h"

static void json_level(struct ms_json *j, const struct ms_accuracy_level *l, bool several)
{
	ms_json_object(j, NULL);
	ms_json_text(j, "name", l->name);
	ms_json_real(j, "true", l->rate);
	ms_json_u64(j, "known", l->sampled.known);
	ms_json_u64(j, "unknown", l->sampled.unknown);
	ms_json_u64(j, "generations", l->sampled.generations);
	ms_json_real(j, "generations_each", l->sampled.generations_each);
	ms_json_real(j, "low", l->sampled.low);
	ms_json_real(j, "high", l->sampled.high);
	ms_json_bool(j, "inside", l->covered);
	ms_json_array(j, "estimates");
	for (unsigned k = 0; k < MS_ESTIMATORS; k++) {
		ms_json_object(j, NULL);
		ms_json_text(j, "name", ms_intervals_estimator_names[k]);
		ms_json_real(j, "rate", l->sampled.rate[k]);
		ms_json_real(j, "mu", l->sampled.mu[k]);
		ms_json_real(j, "error", l->sampled.rate[k] - l->rate);
		ms_json_real(j, "relative_error",
			     l->rate > 0 ? l->sampled.rate[k] / l->rate - 1 : NAN);
		ms_json_end(j);
	}
	ms_json_end(j);
	ms_json_real(j, "first", l->causes[MS_CAUSE_FIRST]);
	ms_json_real(j, "sampled_first", l->sampled_causes[MS_CAUSE_FIRST]);
	ms_json_real(j, "replaced", l->causes[MS_CAUSE_REPLACED]);
	ms_json_real(j, "sampled_replaced", l->sampled_causes[MS_CAUSE_REPLACED]);
	ms_json_real(j, "not_seen", l->not_seen);
	if (several) {
		ms_json_object(j, "invalidations");
		ms_json_real(j, "true", l->lost);
		ms_json_real(j, "rate", l->sampled.lost);
		ms_json_real(j, "low", l->sampled.lost_low);
		ms_json_real(j, "high", l->sampled.lost_high);
		ms_json_bool(j, "inside", l->lost_covered);
		ms_json_end(j);
	}
	ms_json_end(j);
}

static void json_bins(struct ms_json *j, const struct ms_accuracy *a)
{
	ms_json_array(j, "bins");
	for (size_t i = 0; i < a->bins.n; i++) {
		const struct ms_accuracy_bin *b = &a->bins.at[i];

		ms_json_object(j, NULL);
		ms_json_text(j, "name", b->name);
		ms_json_u64(j, "rank", b->rank);
		if (b->sampled_rank > 0)
			ms_json_u64(j, "sampled_rank", b->sampled_rank);
		else
			ms_json_null(j, "sampled_rank");
		ms_json_real(j, "share", b->share);
		ms_json_real(j, "sampled_share", b->sampled_share);
		ms_json_end(j);
	}
	ms_json_end(j);
}

void ms_views_json_accuracy(const struct ms_accuracy *a, const struct ms_views_options *options,
			    FILE *out)
{
	const struct ms_run_sampling *s = &a->sampled->samplings.at[0];
	struct ms_json j;

	(void)options;
	ms_json_init(&j, out);
	ms_json_object(&j, NULL);
	ms_json_u64(&j, "schema_version", 1);
	ms_json_i64(&j, "whole", a->whole->id);
	ms_json_i64(&j, "sampled", a->sampled->id);
	ms_json_real(&j, "ratio", s->ratio);
	ms_json_u64(&j, "window", s->window);
	ms_json_u64(&j, "sets", s->sets);
	ms_json_u64(&j, "windows", s->windows);
	ms_json_u64(&j, "references", s->references);
	ms_json_real(&j, "total", s->total);
	ms_json_real(&j, "total_low", s->total_low);
	ms_json_real(&j, "total_high", s->total_high);
	ms_json_u64(&j, "true_total", a->references);
	ms_json_bool(&j, "total_inside", a->covered);
	ms_json_array(&j, "levels");
	for (size_t i = 0; i < a->levels.n; i++)
		json_level(&j, &a->levels.at[i], a->whole->processors > 1);
	ms_json_end(&j);
	ms_json_real(&j, "through", a->through);
	ms_json_u64(&j, "in_order", a->in_order);
	ms_json_u64(&j, "swapped", a->swapped);
	ms_json_u64(&j, "unmet", a->unclaimed);
	if (a->judged)
		ms_json_u64(&j, "wrong", a->wrong);
	else
		ms_json_null(&j, "wrong");
	json_bins(&j, a);
	ms_json_end(&j);
}
