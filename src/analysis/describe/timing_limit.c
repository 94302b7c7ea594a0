/* analysis/describe/timing_limit.c - which part of the timing model a run could not use, and why.
 */
#include "analysis/describe/describe.h"

/* Whether the classes of dependence of all observed misses are not known. */
static bool has_no_registers(const struct ms_run *run)
{
	uint64_t unknown = 0;

	for (size_t i = 0; i < run->cells.n; i++) {
		const uint64_t *classes = run->cells.at[i].dependences;

		unknown += classes[MS_RUN_DEPENDENCE_UNKNOWN];
		for (size_t c = 0; c < MS_RUN_DEPENDENCES; c++)
			if (c != MS_RUN_DEPENDENCE_UNKNOWN && classes[c] > 0)
				return false;
	}
	return unknown > 0;
}

const char *ms_describe_timing_limit(const struct ms_run *run)
{
	if (run->ipc_milli == 0 || run->by_latency)
		return NULL;
	if (run->core == MS_RUN_OUT_OF_ORDER)
		return has_no_registers(run) ? "the trace has no registers" : NULL;
	if (run->processors > 1)
		return "several processors are simulated";
	if (run->samplings.n > 0 && run->samplings.at[0].sets > 1)
		return "only some sets are simulated";
	return run->instructions == 0 ? "the trace has no instructions" : "nothing was observed";
}
