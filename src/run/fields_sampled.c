/* run/fields_sampled.c - the columns of sampled runs, and their constraints. */
#include <inttypes.h>
#include <math.h>

#include "base/compiler.h"
#include "run/enum_words.h"
#include "run/fields.h"

#define ARRAY(name) offsetof(struct ms_run, name)
#define END_OF_LIST                            \
	{                                      \
		NULL, MS_FIELD_U32, 0, 0, NULL \
	}

#define AT(field) offsetof(struct ms_run_sampling, field)
const struct ms_run_field ms_run_sampling_fields[] = {
	{ "ratio", MS_FIELD_REAL, AT(ratio), 0, NULL },
	{ "window", MS_FIELD_U64, AT(window), 0, NULL },
	{ "sets", MS_FIELD_U64, AT(sets), 0, NULL },
	{ "seed", MS_FIELD_U64, AT(seed), 0, NULL },
	{ "windows", MS_FIELD_U64, AT(windows), 0, NULL },
	{ "refs", MS_FIELD_U64, AT(references), 0, NULL },
	{ "total", MS_FIELD_REAL, AT(total), 0, NULL },
	{ "exact", MS_FIELD_U32, AT(exact), 0, NULL },
	{ "scale", MS_FIELD_REAL, AT(scale), 0, NULL },
	{ "time_scale", MS_FIELD_REAL, AT(time_scale), 0, NULL },
	{ "parts", MS_FIELD_U32, AT(parts), 0, NULL },
	{ "wanted", MS_FIELD_REAL, AT(wanted), 0, NULL },
	{ "total_low", MS_FIELD_REAL, AT(total_low), 0, NULL },
	{ "total_high", MS_FIELD_REAL, AT(total_high), 0, NULL },
	{ "alone", MS_FIELD_REAL, AT(alone), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_sampled_level, field)
const struct ms_run_field ms_run_sampled_level_fields[] = {
	{ "level", MS_FIELD_INDEX, AT(level), ARRAY(levels), NULL },
	{ "frames", MS_FIELD_U64, AT(frames), 0, NULL },
	{ "unknown", MS_FIELD_U64, AT(unknown), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_sampled_life, field)
const struct ms_run_field ms_run_sampled_life_fields[] = {
	{ "level", MS_FIELD_INDEX, AT(level), ARRAY(levels), NULL },
	{ "data", MS_FIELD_INDEX, AT(data), ARRAY(data), NULL },
	{ "generations", MS_FIELD_U64, AT(generations), 0, NULL },
	{ "dead", MS_FIELD_U64, AT(dead), 0, NULL },
	{ "whole", MS_FIELD_U64, AT(whole), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_sampled_reference, field)
const struct ms_run_field ms_run_sampled_reference_fields[] = {
	{ "cell", MS_FIELD_INDEX, AT(cell), ARRAY(cells), NULL },
	{ "part", MS_FIELD_U32, AT(part), 0, NULL },
	{ "refs", MS_FIELD_U64, AT(references), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_sampled_miss, field)
const struct ms_run_field ms_run_sampled_miss_fields[] = {
	{ "cell", MS_FIELD_INDEX, AT(cell), ARRAY(cells), NULL },
	{ "level", MS_FIELD_INDEX, AT(level), ARRAY(levels), NULL },
	{ "part", MS_FIELD_U32, AT(part), 0, NULL },
	{ "known", MS_FIELD_U64, AT(known), 0, NULL },
	{ "unknown_hits", MS_FIELD_U64, AT(unknown_hits), 0, NULL },
	{ "unknown_misses", MS_FIELD_U64, AT(unknown_misses), 0, NULL },
	{ "unseen_known", MS_FIELD_U64, AT(unseen_known), 0, NULL },
	{ "unseen_unknown", MS_FIELD_U64, AT(unseen_unknown), 0, NULL },
	{ "lost", MS_FIELD_U64, AT(lost), 0, NULL },
	{ "surely_lost", MS_FIELD_U64, AT(surely_lost), 0, NULL },
	END_OF_LIST,
};
#undef AT

static bool is_sound(const struct ms_run_sampling *s)
{
	return s->ratio > 0 && s->ratio <= 1 && s->sets >= 1 && s->parts >= 1 &&
	       s->parts <= MS_RUN_PARTS_MOST && s->exact <= 1 && s->scale >= 1 &&
	       isfinite(s->scale) && s->time_scale >= 1 && isfinite(s->time_scale) &&
	       s->total >= 0 && isfinite(s->total) && s->wanted >= 0 && s->wanted <= 1;
}

/* Each part belongs to one stratum. */
static bool are_sound_strata(const struct ms_run *run)
{
	uint64_t parts = 0;

	if (run->samplings.n == 2)
		return false;
	for (size_t i = 1; i < run->samplings.n; i++) {
		if (!is_sound(&run->samplings.at[i]))
			return false;
		parts += run->samplings.at[i].parts;
	}
	return run->samplings.n <= 1 || parts == run->samplings.at[0].parts;
}

static int check_parts(const struct ms_run *run, uint32_t parts, struct ms_err *err)
{
	for (size_t i = 0; i < run->sampled_references.n; i++)
		if (run->sampled_references.at[i].part >= parts)
			return ms_fail(err, MS_EBUG,
				       "sampled references of part %" PRIu32 ", and there are "
				       "only %" PRIu32,
				       run->sampled_references.at[i].part, parts);
	for (size_t i = 0; i < run->sampled_misses.n; i++)
		if (run->sampled_misses.at[i].part >= parts)
			return ms_fail(err, MS_EBUG,
				       "sampled misses of part %" PRIu32 ", and there are "
				       "only %" PRIu32,
				       run->sampled_misses.at[i].part, parts);
	return MS_OK;
}

int ms_run_check_sampled(const struct ms_run *run, struct ms_err *err)
{
	size_t rows = run->sampled_levels.n + run->sampled_lives.n + run->sampled_references.n +
		      run->sampled_misses.n;

	if (run->samplings.n == 0 && rows > 0)
		return ms_fail(err, MS_EBUG,
			       "no row of sampling and %zu of what was sampled, expected one, or "
			       "nothing of both",
			       rows);
	if (run->samplings.n == 0)
		return MS_OK;
	const struct ms_run_sampling *s = &run->samplings.at[0];
	if (!is_sound(s))
		return ms_fail(err, MS_EBUG,
			       "sampling with ratio %g, one of %" PRIu64 " sets, %" PRIu32
			       " parts and scales %g and %g, expected a ratio up to 1, up to %d "
			       "parts, and at least 1 of all others",
			       s->ratio, s->sets, s->parts, s->scale, s->time_scale,
			       MS_RUN_PARTS_MOST);
	if (!are_sound_strata(run))
		return ms_fail(err, MS_EBUG,
			       "%zu strata of sampling, with %" PRIu32
			       " parts in all, expected two or more that have as many",
			       run->samplings.n - 1, s->parts);
	if (run->sampled_levels.n != run->levels.n)
		return ms_fail(err, MS_EBUG, "%zu levels have %zu rows of sampled_level",
			       run->levels.n, run->sampled_levels.n);
	return check_parts(run, s->parts, err);
}
