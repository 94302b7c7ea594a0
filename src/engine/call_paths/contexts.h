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

#include "base/compiler.h"
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

/* Misses of a row that are not added to it yet. */
struct ms_call_paths_count {
	struct ms_call_paths_row row;
	uint32_t missed; /* number of levels, from the first */
	uint32_t count;
};

/* Counts wait for their rows, which are being prefetched. */
enum { MS_CALL_PATHS_WAITING = 32 };
/* Recent counts, and recent calls: powers of two. */
enum { MS_CALL_PATHS_RECENT_COUNTS = 1024, MS_CALL_PATHS_RECENT_CALLS = 4096 };

/* A call that was looked up. */
struct ms_call_paths_call {
	uint32_t parent;
	uint32_t call_site;
	uint32_t context;
};

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
	struct ms_call_paths_count waiting[MS_CALL_PATHS_WAITING];
	unsigned waiting_count;
	struct ms_call_paths_count *recent_counts;
	struct ms_call_paths_call *recent_calls;
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
MS_INLINE bool ms_call_paths_is_same(const struct ms_call_paths_row *a,
				     const struct ms_call_paths_row *b)
{
	return ((a->context ^ b->context) | (a->site ^ b->site) | (a->data ^ b->data)) == 0;
}

/* Adds a recent count to its row, and uses its place for another row. */
void ms_call_paths_replace_count(struct ms_call_paths_contexts *contexts,
				 struct ms_call_paths_count *recent,
				 const struct ms_call_paths_row *row, uint32_t missed);

/*
 * A reference missed this number of levels, from the first. Most misses of a batch equal others:
 * they are counted in a small table first.
 */
MS_INLINE void ms_call_paths_count_miss(struct ms_call_paths_contexts *contexts,
					const struct ms_call_paths_row *row, uint32_t missed)
{
	uint32_t hash =
		(row->site * UINT32_C(0x9e3779b1) + row->data + missed) * UINT32_C(0x85ebca6b) ^
		row->context * UINT32_C(0xc2b2ae35);
	struct ms_call_paths_count *recent =
		&contexts->recent_counts[hash >> 16 & (MS_CALL_PATHS_RECENT_COUNTS - 1)];

	if (MS_UNLIKELY(!ms_call_paths_is_same(&recent->row, row) || recent->missed != missed))
		ms_call_paths_replace_count(contexts, recent, row, missed);
	recent->count++;
}

/* Adds all counts to their rows; before totals are listed. */
void ms_call_paths_flush_misses(struct ms_call_paths_contexts *contexts);
/* Adds contexts and their misses to the totals. */
void ms_call_paths_list_contexts(const struct ms_call_paths_contexts *contexts,
				 struct ms_engine_totals *totals);
uint64_t ms_call_paths_measure_contexts(const struct ms_call_paths_contexts *contexts);

#endif
