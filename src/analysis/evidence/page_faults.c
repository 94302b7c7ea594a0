/*
 * analysis/evidence/page_faults.c - the kernel's time for the first uses of pages. It is no part of
 * simulated times, but of the processor time that a remedy changes.
 */
#include "analysis/evidence/bins.h"

/* A page fault takes about so long, with clearing the page: 0.5 to 0.7 us on a machine of one's
 * own, 1.6 us in the virtual machine of docs/accuracy/advice.md. */
#define FAULT_SECONDS 1e-6
#define PAGE          4096.0

double ms_evidence_page_faults(const struct ms_evidence_bins *bins, uint32_t data)
{
	const struct ms_summary *s = bins->summary;
	double bytes = 0;

	/* The cost model of in-order machines is one without a kernel. */
	if (!s->cost.exposed || ms_run_has_measured_time(s->run))
		return 0;
	for (size_t i = 0; i < s->data.at.n; i++)
		if (data == MS_NONE || s->data.at.at[i].data == data)
			bytes += ms_evidence_touched_entry(s->run, &s->data.at.at[i]);
	return bytes / PAGE * FAULT_SECONDS * s->run->clock_mhz * 1e6;
}
