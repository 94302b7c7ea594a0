/*
 * engine/call_paths/contexts.h - the tree of calling contexts, and the misses of each.
 *
 * A context is a call site and the context in which it was executed. A recursive call has the
 * context of the outermost call of the same site, so that the depth of a recursion does not matter.
 */
#ifndef MS_ENGINE_CALL_PATHS_CONTEXTS_H
#define MS_ENGINE_CALL_PATHS_CONTEXTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "engine/engine_totals.h"

struct ms_call_paths_stack;

/* Misses of one site on one data in one context. */
struct ms_call_paths_row {
	uint32_t context;
	uint32_t site;
	uint32_t data;
};

/* A miss that waits for its row, which is being prefetched. */
struct ms_call_paths_waiting {
	struct ms_call_paths_row row;
	uint32_t missed; /* number of levels, from the first */
};

enum { MS_CALL_PATHS_WAITING = 32 };

struct ms_call_paths_contexts {
	MS_VEC(struct ms_engine_total_context) at; /* by number */
	struct ms_map number_of;                   /* (parent, call site) */
	uint32_t most;
	uint64_t pruned; /* how often contexts with few misses were removed */
	unsigned levels;
	MS_VEC(struct ms_call_paths_row) rows;
	MS_VEC(uint64_t) misses; /* by row and level */
	uint32_t *table;         /* hash table of rows: numbers + 1, 0: an empty entry */
	size_t table_size;       /* a power of two */
	size_t last;             /* the row that was counted last */
	struct ms_call_paths_waiting waiting[MS_CALL_PATHS_WAITING];
	unsigned waiting_count;
};

void ms_call_paths_open_contexts(struct ms_call_paths_contexts *contexts, uint32_t most,
				 unsigned levels);
void ms_call_paths_close_contexts(struct ms_call_paths_contexts *contexts);
/* The context of code that executes with this stack. */
uint32_t ms_call_paths_find_context(struct ms_call_paths_contexts *contexts,
				    struct ms_call_paths_stack *stack);
/*
 * Whether there are as many contexts as are kept. Then those with the fewest misses, calls below
 * them included, are removed, and their misses count as those of MS_ENGINE_OTHER_CONTEXTS: half of
 * the contexts remain, with other numbers. No stack may keep a number.
 */
bool ms_call_paths_is_full(const struct ms_call_paths_contexts *contexts);
void ms_call_paths_prune(struct ms_call_paths_contexts *contexts);
/* A reference missed this number of levels, from the first. */
void ms_call_paths_count_miss(struct ms_call_paths_contexts *contexts,
			      const struct ms_call_paths_row *row, unsigned missed);
/* Counts the misses that wait; before totals are listed. */
void ms_call_paths_flush_misses(struct ms_call_paths_contexts *contexts);
/* Adds contexts and their misses to the totals. */
void ms_call_paths_list_contexts(const struct ms_call_paths_contexts *contexts,
				 struct ms_engine_totals *totals);
uint64_t ms_call_paths_measure_contexts(const struct ms_call_paths_contexts *contexts);

#endif
