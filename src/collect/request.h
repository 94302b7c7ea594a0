/* collect/request.h - what the caller wants of a collection: machines, sampling, limits, callbacks.
 */
#ifndef MS_COLLECT_REQUEST_H
#define MS_COLLECT_REQUEST_H

#include "collect/collect.h"

struct ms_collect_setup {
	const struct ms_machine *const *machines;
	size_t machine_count;
	const struct ms_machine *several; /* see struct ms_launch_options, as the next one */
	const char *why_one;
	uint64_t seed;                    /* of the lengths of slices */
	const struct ms_pmu_config *pmus; /* by machine, then pmu_count each */
	size_t pmu_count;
	const struct ms_launch_cpus *cpus;
	const struct ms_stream_sampling *sampling; /* NULL: the whole program is simulated */
	bool misses_only;                          /* hits are not attributed to data */
	uint32_t line_rate;                        /* see ms_engine_select_lines() */
	bool attached;                             /* to a process that ran before */
	struct ms_collect_bin_limits limits;
	void (*progress)(const struct ms_collect_progress *progress, void *arg);
	void *progress_arg;
	void (*counted)(const struct ms_run *run, void *arg); /* of the options, at the end */
	void *counted_arg;
};

#endif
