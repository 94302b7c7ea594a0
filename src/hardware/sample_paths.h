/*
 * hardware/sample_paths.h - call paths of samples. The runtime unwinds the stack of the thread that
 * a timer has stopped; its calls become a context, and the time of the sample is counted for it.
 */
#ifndef MS_HARDWARE_SAMPLE_PATHS_H
#define MS_HARDWARE_SAMPLE_PATHS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "name/name.h"

/* The time of samples of one site and data, by context. */
struct ms_hardware_path_row {
	uint32_t site;
	uint32_t data;
	uint32_t context;
	uint64_t latency;
};

struct ms_hardware_paths {
	bool are_known;           /* there was a stack */
	struct ms_map context_of; /* (parent and module, offset) to contexts */
	MS_VEC(struct ms_name_context) contexts;
	MS_VEC(uint32_t) pending; /* by thread: the context of its next sample */
	struct ms_map row_of;     /* (site and data, context) to rows */
	MS_VEC(struct ms_hardware_path_row) rows;
};

enum { MS_HARDWARE_MAX_CONTEXTS = 65536 };

void ms_hardware_paths_close(struct ms_hardware_paths *paths);
/* The context of a call that a function with this context makes. */
uint32_t ms_hardware_add_call(struct ms_hardware_paths *paths, uint32_t context,
			      struct ms_bins_bound_pc call);
/* The next sample of the thread has this context ... */
void ms_hardware_set_context(struct ms_hardware_paths *paths, uint32_t thread, uint32_t context);
/* ... which is returned once; without one: the root. */
uint32_t ms_hardware_take_context(struct ms_hardware_paths *paths, uint32_t thread);
void ms_hardware_count_context(struct ms_hardware_paths *paths, uint32_t context, uint32_t site,
			       uint32_t data, uint64_t latency);

struct ms_hardware;
/* Fills in the run's paths; its cells and samples must exist, in the order of hardware's rows. */
void ms_hardware_add_paths(struct ms_hardware *hardware, struct ms_name_state *naming);

#endif
