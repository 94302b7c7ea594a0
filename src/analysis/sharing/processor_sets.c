#include "analysis/sharing/processor_sets.h"

#include <inttypes.h>

bool ms_sharing_processors_has(const struct ms_sharing_processors *set, uint32_t processor)
{
	return (set->words[processor / 64] >> processor % 64 & 1) != 0;
}

uint32_t ms_sharing_processor_node(const struct ms_run *run, uint32_t processor)
{
	uint32_t node = run->node_processors != 0 ? processor / run->node_processors : 0;

	return node < run->nodes ? node : run->nodes - 1;
}

/* Adds first to last; `open` is whether something stands before it. */
static void add_range(struct ms_text *out, bool open, uint32_t first, uint32_t last)
{
	ms_text_addf(out, "%s%" PRIu32, open ? "," : "", first);
	if (last > first)
		ms_text_addf(out, "%s%" PRIu32, last > first + 1 ? "-" : ",", last);
}

static void add_set(struct ms_text *out, const bool *in, uint32_t n)
{
	bool open = false;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t first = i;

		if (!in[i])
			continue;
		while (i + 1 < n && in[i + 1])
			i++;
		add_range(out, open, first, i);
		open = true;
	}
}

void ms_sharing_processors_text(const struct ms_sharing_processors *set, const struct ms_run *run,
				struct ms_text *out)
{
	bool in[MS_RUN_PROCESSORS_MOST];

	for (uint32_t p = 0; p < run->processors; p++)
		in[p] = ms_sharing_processors_has(set, p);
	add_set(out, in, run->processors);
}

void ms_sharing_processors_nodes(const struct ms_sharing_processors *set, const struct ms_run *run,
				 struct ms_text *out)
{
	bool in[MS_RUN_PROCESSORS_MOST] = { false };

	for (uint32_t p = 0; p < run->processors; p++)
		if (ms_sharing_processors_has(set, p))
			in[ms_sharing_processor_node(run, p)] = true;
	add_set(out, in, run->nodes);
}
