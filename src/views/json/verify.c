/* views/json/verify.c - likewise as JSON. */
#include "views/verify.h"

#include <math.h>

#include "views/json/parts.h"

static void put_side(struct ms_json *j, const char *key, const char *command,
		     const struct ms_verify_side *side, size_t rounds)
{
	ms_json_object(j, key);
	ms_json_text(j, "command", command);
	ms_json_real(j, "median_seconds", side->median);
	ms_json_real(j, "fastest_seconds", side->fastest);
	ms_json_array(j, "seconds");
	for (size_t i = 0; i < rounds; i++)
		ms_json_real(j, NULL, side->seconds[i]);
	ms_json_end(j);
	ms_json_end(j);
}

static void put_prediction(struct ms_json *j, const struct ms_run_verification *s, int64_t run)
{
	if (s->kind == NULL) {
		ms_json_null(j, "prediction");
		return;
	}
	ms_json_object(j, "prediction");
	ms_json_i64(j, "run", run);
	ms_json_text(j, "kind", s->kind);
	ms_json_text(j, "data", s->data);
	ms_json_real(j, "predicted", s->predicted);
	ms_json_real(j, "low", s->predicted_low);
	ms_json_real(j, "high", s->predicted_high);
	ms_json_end(j);
}

void ms_views_json_verify(const struct ms_views_verify *v, const struct ms_views_options *options,
			  FILE *out)
{
	const struct ms_verify *m = v->verify;
	struct ms_json j;

	(void)options;
	ms_views_json_begin(&j, out);
	ms_json_u64(&j, "rounds", m->rounds);
	put_side(&j, "before", v->stored->before, &m->before, m->rounds);
	put_side(&j, "after", v->stored->after, &m->after, m->rounds);
	ms_json_object(&j, "gain");
	ms_json_real(&j, "measured", m->gain);
	ms_json_real(&j, "low", m->gain_low);
	ms_json_real(&j, "high", m->gain_high);
	ms_json_real(&j, "fastest", m->fastest_gain);
	ms_json_end(&j);
	put_prediction(&j, v->stored, v->run);
	ms_json_real(&j, "load", v->load >= 0 ? v->load : NAN);
	ms_json_end(&j);
}

static void put_stored_side(struct ms_json *j, const char *key, const char *command, double seconds)
{
	ms_json_object(j, key);
	ms_json_text(j, "command", command);
	ms_json_real(j, "median_seconds", seconds);
	ms_json_end(j);
}

static void put_verified(struct ms_json *j, const struct ms_run_verified *verified)
{
	const struct ms_run_verification *v = &verified->verification;

	ms_json_object(j, NULL);
	ms_json_i64(j, "run", verified->run);
	ms_json_text(j, "verified", v->verified);
	ms_json_u64(j, "rounds", v->rounds);
	put_stored_side(j, "before", v->before, v->before_seconds);
	put_stored_side(j, "after", v->after, v->after_seconds);
	ms_json_object(j, "gain");
	ms_json_real(j, "measured", v->measured);
	ms_json_real(j, "low", v->measured_low);
	ms_json_real(j, "high", v->measured_high);
	ms_json_end(j);
	put_prediction(j, v, verified->run);
	ms_json_end(j);
}

void ms_views_json_verified(const struct ms_run_verified_list *list,
			    const struct ms_views_options *options, FILE *out)
{
	struct ms_json j;

	(void)options;
	ms_views_json_begin(&j, out);
	ms_json_array(&j, "verifications");
	for (size_t i = 0; i < list->at.n; i++)
		put_verified(&j, &list->at.at[i]);
	ms_json_end(&j);
	ms_json_end(&j);
}
