/*
 * analysis/hints/uncalibrated.c - times are estimated with figures that were not measured. The
 * latency of memory differs by a factor of four between machines of one processor family: virtual
 * machines and large shared caches have the longer ones.
 */
#include <string.h>

#include "analysis/hints/hints_priv.h"
#include "analysis/summary/rounded_shares.h"

/* Of compute and stall time: with less, latencies do not matter. */
#define LEAST_STALL 0.1

void ms_hints_add_uncalibrated(struct ms_text *out, const struct ms_summary *s)
{
	const struct ms_run *run = s->run;
	uint64_t stall = ms_summary_rw_sum(s->total.counts.stall);

	if (!s->cost.exposed || run->origins.n > 0 || strcmp(run->machine, "host") != 0 ||
	    strstr(run->machine_origin, "processor family") == NULL ||
	    ms_summary_share(stall, s->total.counts.compute + stall) < LEAST_STALL)
		return;
	ms_text_add(out, "Latencies are those of a processor family, and this machine's may be "
			 "several times as long. 'memspy machine --calibrate --save' measures them "
			 "once, for all later runs.");
}
