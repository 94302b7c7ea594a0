/* analysis/sharing/processor_sets.h - sets of processors, and their text in reports. */
#ifndef MS_ANALYSIS_SHARING_PROCESSOR_SETS_H
#define MS_ANALYSIS_SHARING_PROCESSOR_SETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "run/run.h"

/* A set of processors: bit p % 64 of word p / 64. */
struct ms_sharing_processors {
	uint64_t *words;
};

bool ms_sharing_processors_has(const struct ms_sharing_processors *set, uint32_t processor);
/* "0-3,7", and the nodes that these processors are on likewise. */
void ms_sharing_processors_text(const struct ms_sharing_processors *set, const struct ms_run *run,
				struct ms_text *out);
void ms_sharing_processors_nodes(const struct ms_sharing_processors *set, const struct ms_run *run,
				 struct ms_text *out);
uint32_t ms_sharing_processor_node(const struct ms_run *run, uint32_t processor);

#endif
