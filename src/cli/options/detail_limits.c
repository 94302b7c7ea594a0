#include "cli/options/detail_limits.h"

#include <stdio.h>

#include "base/compiler.h"

static bool samples_sets(const struct ms_machine *machine,
			 const struct ms_stream_sampling *sampling)
{
	(void)machine;
	return sampling != NULL && sampling->sets.every > 1;
}

/* Simulations that do not follow calls: see ms_engine_follow_calls(). */
static const struct {
	bool (*applies)(const struct ms_machine *machine,
			const struct ms_stream_sampling *sampling);
	const char *what, *remedy;
} without_calls[] = {
	{ samples_sets, "--sample-sets", "omit one of them" },
};

void ms_options_warn_call_paths(const struct ms_collect_bin_limits *limits,
				const struct ms_machine *machine,
				const struct ms_stream_sampling *sampling)
{
	for (size_t i = 0; limits->call_paths && i < MS_COUNT(without_calls); i++)
		if (without_calls[i].applies(machine, sampling)) {
			fprintf(stderr, "memspy: --call-paths has no effect with %s; %s\n",
				without_calls[i].what, without_calls[i].remedy);
			return;
		}
}
