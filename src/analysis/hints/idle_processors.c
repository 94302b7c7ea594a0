/*
 * analysis/hints/idle_processors.c - several processors are simulated since the program has
 * threads, but one at a time was busy: a compressor whose helpers write files. Each miss is charged
 * its whole latency then, which a simulation of one processor would overlap.
 */
#include "analysis/hints/hints_priv.h"
#include "analysis/summary/rounded_shares.h"

/* Processors: beyond that, misses by sharing and contention may matter. */
#define MOST_BUSY 1.1
/* Of compute and stall time: with less, latencies do not matter. */
#define LEAST_STALL 0.1

void ms_hints_add_idle_processors(struct ms_text *out, const struct ms_summary *s)
{
	const struct ms_summary_counts *counts = &s->total.counts;
	uint64_t stall = ms_summary_rw_sum(counts->stall), cycles = counts->compute + stall;
	const struct ms_run *run = s->run;

	if (run->processors < 2 || run->ipc_milli == 0 || s->cost.exposed ||
	    ms_run_has_measured_time(run) || run->origins.n > 0 || !(counts->normalised > 0) ||
	    (double)cycles > MOST_BUSY * counts->normalised ||
	    ms_summary_share(stall, cycles) < LEAST_STALL)
		return;
	ms_text_addf(out,
		     "%u processors are simulated, but on average %.1f were busy; each miss is "
		     "charged its whole latency. 'memspy run --processors 1' estimates how much of "
		     "it the processor hides, and is closer to the program's time.",
		     run->processors, (double)cycles / counts->normalised);
}
