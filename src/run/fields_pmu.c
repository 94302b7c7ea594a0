/* run/fields_pmu.c - the columns of virtual performance monitors, and their constraints. */
#include <inttypes.h>

#include "base/compiler.h"
#include "run/enum_words.h"
#include "run/fields.h"

static const char *const event_words[] = { "misses", "evictions", "latency", NULL };

#define ARRAY(name) offsetof(struct ms_run, name)
#define END_OF_LIST                            \
	{                                      \
		NULL, MS_FIELD_U32, 0, 0, NULL \
	}

#define AT(field) offsetof(struct ms_run_pmu, field)
const struct ms_run_field ms_run_pmu_fields[] = {
	{ "event", MS_FIELD_WORD, AT(event), 0, event_words },
	{ "level", MS_FIELD_MAYBE_INDEX, AT(level), ARRAY(levels), NULL },
	{ "period", MS_FIELD_U64, AT(period), 0, NULL },
	{ "adaptive", MS_FIELD_U32, AT(adaptive), 0, NULL },
	{ "wish", MS_FIELD_REAL, AT(wish), 0, NULL },
	{ "seed", MS_FIELD_U64, AT(seed), 0, NULL },
	{ "cost", MS_FIELD_U32, AT(cost), 0, NULL },
	{ "events", MS_FIELD_U64, AT(events), 0, NULL },
	{ "interrupts", MS_FIELD_U64, AT(interrupts), 0, NULL },
	{ "effective", MS_FIELD_REAL, AT(effective), 0, NULL },
	{ "handler_instructions", MS_FIELD_U64, AT(handler_instructions), 0, NULL },
	{ "handler_refs", MS_FIELD_U64, AT(handler_references), 0, NULL },
	{ "cycles", MS_FIELD_U64, AT(cycles), 0, NULL },
	{ "clean_cycles", MS_FIELD_U64, AT(clean_cycles), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_pmu_level, field)
const struct ms_run_field ms_run_pmu_level_fields[] = {
	{ "pmu", MS_FIELD_INDEX, AT(pmu), ARRAY(pmus), NULL },
	{ "level", MS_FIELD_INDEX, AT(level), ARRAY(levels), NULL },
	{ "misses", MS_FIELD_U64, AT(misses), 0, NULL },
	{ "monitor_misses", MS_FIELD_U64, AT(monitor_misses), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_pmu_sample, field)
const struct ms_run_field ms_run_pmu_sample_fields[] = {
	{ "pmu", MS_FIELD_INDEX, AT(pmu), ARRAY(pmus), NULL },
	{ "cell", MS_FIELD_INDEX, AT(cell), ARRAY(cells), NULL },
	{ "victim", MS_FIELD_MAYBE_INDEX, AT(victim), ARRAY(data), NULL },
	{ "count", MS_FIELD_U64, AT(count), 0, NULL },
	{ "events", MS_FIELD_U64, AT(events), 0, NULL },
	{ "latency", MS_FIELD_U64, AT(latency), 0, NULL },
	{ "monitor", MS_FIELD_U64, AT(monitor), 0, NULL },
	END_OF_LIST,
};
#undef AT

/* A monitor without a level counts latency. The period is a divisor, so it is not 0. */
static int check_pmu(const struct ms_run *run, size_t i, struct ms_err *err)
{
	const struct ms_run_pmu *pmu = &run->pmus.at[i];

	if (pmu->level == MS_NONE && pmu->event != MS_RUN_PMU_LATENCY)
		return ms_fail(err, MS_EBUG, "pmu %zu of the run counts %s, and at no level", i,
			       ms_run_pmu_event_word(pmu->event));
	if (pmu->period == 0)
		return ms_fail(err, MS_EBUG, "pmu %zu of the run has a period of 0", i);
	if (pmu->adaptive > 1 || !(pmu->wish >= 0) || !(pmu->effective >= 0))
		return ms_fail(err, MS_EBUG,
			       "pmu %zu of the run has adaptive %" PRIu32 ", wish %g and "
			       "effective %g, expected 0 or 1, and nothing negative",
			       i, pmu->adaptive, pmu->wish, pmu->effective);
	return MS_OK;
}

/* Each monitor has figures for each level, also if they are 0: readers rely on it. */
int ms_run_check_pmus(const struct ms_run *run, struct ms_err *err)
{
	size_t levels = run->levels.n, wanted = run->pmus.n * levels;

	for (size_t i = 0; i < run->pmus.n; i++)
		MS_TRY(check_pmu(run, i, err));
	if (run->pmu_levels.n != wanted)
		return ms_fail(err, MS_EBUG,
			       "%zu monitors and %zu levels have %zu rows of pmu_level, expected "
			       "%zu",
			       run->pmus.n, levels, run->pmu_levels.n, wanted);
	for (size_t i = 0; i < wanted; i++)
		if (run->pmu_levels.at[i].pmu != i / levels ||
		    run->pmu_levels.at[i].level != i % levels)
			return ms_fail(err, MS_EBUG,
				       "pmu_level %zu is of pmu %" PRIu32 " and level %" PRIu32
				       ", expected %zu and %zu",
				       i, run->pmu_levels.at[i].pmu, run->pmu_levels.at[i].level,
				       i / levels, i % levels);
	return MS_OK;
}

const char *ms_run_pmu_event_word(uint32_t event)
{
	return event < MS_COUNT(event_words) - 1 ? event_words[event] : "unknown";
}
