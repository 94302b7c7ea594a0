/* run/join_check.c - which runs may be joined. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "run/enum_words.h"
#include "run/join.h"

/* Of a run: which figures it has, for messages. */
static const char *kind_of(const struct ms_run *run)
{
	if (ms_run_is_joined(run))
		return "joined already";
	return ms_run_is_measured(run) ? "sampled on the real machine" : "simulated";
}

static int check_kinds(const struct ms_run *simulated, const struct ms_run *measured,
		       struct ms_err *err)
{
	bool simulates = !ms_run_is_measured(simulated) && !ms_run_is_joined(simulated);

	if (simulates && ms_run_is_measured(measured))
		return MS_OK;
	return ms_fail(err, MS_EUSAGE,
		       "run @%" PRId64 " is %s and run @%" PRId64 " is %s, expected one that is "
		       "simulated (`memspy run`) and one that is sampled (`memspy sample`)",
		       simulated->id, kind_of(simulated), measured->id, kind_of(measured));
}

/* Programs without a build-id are taken for the same if they have one name. */
static int check_builds(const struct ms_run *a, const struct ms_run *b, struct ms_err *err)
{
	const char *names[] = { ms_base_name(a->program), ms_base_name(b->program) };

	if (a->build_id == NULL && b->build_id == NULL && strcmp(names[0], names[1]) == 0)
		return MS_OK;
	if (a->build_id != NULL && b->build_id != NULL && strcmp(a->build_id, b->build_id) == 0)
		return MS_OK;
	return ms_fail(err, MS_EUSAGE,
		       "runs @%" PRId64 " (%s, build-id %s) and @%" PRId64
		       " (%s, build-id %s) are not of the same build, so that their instructions "
		       "cannot be matched; profile one build with both `memspy run` and `memspy "
		       "sample`",
		       a->id, names[0], a->build_id != NULL ? a->build_id : "unknown", b->id,
		       names[1], b->build_id != NULL ? b->build_id : "unknown");
}

static int check_samples(const struct ms_run *measured, struct ms_err *err)
{
	const struct ms_run_hardware *h = &measured->hardware.at[0];

	if (h->unit != MS_RUN_NANOSECONDS)
		return ms_fail(err, MS_EUSAGE,
			       "run @%" PRId64 " has samples of %s (%s), which are not time; "
			       "`memspy sample --event timer` measures it",
			       measured->id, h->unit == MS_RUN_CYCLES ? "latency" : "events",
			       ms_run_source_word(h->source));
	if (h->samples == 0)
		return ms_fail(err, MS_EUSAGE, "run @%" PRId64 " has no samples", measured->id);
	return MS_OK;
}

int ms_run_check_join(const struct ms_run *simulated, const struct ms_run *measured,
		      struct ms_err *err)
{
	MS_TRY(check_kinds(simulated, measured, err));
	MS_TRY(check_samples(measured, err));
	return check_builds(simulated, measured, err);
}
