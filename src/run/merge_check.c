/* run/merge_check.c - which runs have figures that can be added up. */
#include "run/merge_runs.h"

static const char *check_hardware(const struct ms_run *a, const struct ms_run *b)
{
	if ((a->hardware.n > 0) != (b->hardware.n > 0))
		return "one is sampled on the real machine, the other is not";
	if (a->hardware.n > 0 && (a->hardware.at[0].source != b->hardware.at[0].source ||
				  a->hardware.at[0].unit != b->hardware.at[0].unit))
		return "the samples have other sources";
	return NULL;
}

const char *ms_run_why_not_merged(const struct ms_run *a, const struct ms_run *b)
{
	const char *reason = check_hardware(a, b);

	if (reason != NULL)
		return reason;
	if ((a->samplings.n > 0) != (b->samplings.n > 0))
		return a->samplings.n > 0 ? "it is simulated as a whole, the others in windows"
					  : "it is simulated in windows, the others as a whole";
	if (a->levels.n != b->levels.n)
		return "its machine has another number of cache levels";
	for (size_t i = 0; i < a->levels.n; i++)
		if (a->levels.at[i].latency != b->levels.at[i].latency ||
		    a->levels.at[i].line != b->levels.at[i].line)
			return "its machine has other latencies or lines";
	if (a->memory_latency != b->memory_latency || a->core != b->core)
		return "its machine has other latencies, or another core";
	if (a->misses_only != b->misses_only || a->division != b->division)
		return "it has other kinds of figures (--misses-only, --conflicts)";
	return NULL;
}
