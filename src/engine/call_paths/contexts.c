/* engine/call_paths/contexts.c - see contexts.h. */
#include "engine/call_paths/contexts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "engine/call_paths/shadow_stack.h"

/* More rows than this: the misses of further ones count for MS_ENGINE_OTHER_CONTEXTS. */
enum { MAX_ROWS = 1 << 21, SMALLEST_TABLE = 1024 };

void ms_call_paths_open_contexts(struct ms_call_paths_contexts *contexts, uint32_t most,
				 unsigned levels)
{
	*contexts = (struct ms_call_paths_contexts){ .most = most, .levels = levels };
	contexts->recent_counts =
		ms_alloc(MS_CALL_PATHS_RECENT_COUNTS * sizeof(*contexts->recent_counts));
	contexts->recent_calls =
		ms_alloc(MS_CALL_PATHS_RECENT_CALLS * sizeof(*contexts->recent_calls));
	for (uint32_t i = 0; i < MS_ENGINE_SPECIAL_CONTEXTS; i++)
		*ms_vec_add(&contexts->at) =
			(struct ms_engine_total_context){ i, MS_ENGINE_NO_CALL_SITE };
}

void ms_call_paths_close_contexts(struct ms_call_paths_contexts *contexts)
{
	ms_vec_free(&contexts->at);
	ms_map_free(&contexts->number_of);
	ms_vec_free(&contexts->rows);
	ms_vec_free(&contexts->misses);
	ms_free(contexts->table);
	ms_free(contexts->recent_counts);
	ms_free(contexts->recent_calls);
}

/* --- the tree --- */

/* The outermost call of the same site, or MS_CALL_PATHS_NOT_FOUND. */
static uint32_t find_recursive(const struct ms_call_paths_contexts *contexts, uint32_t context,
			       uint32_t call_site)
{
	while (context >= MS_ENGINE_SPECIAL_CONTEXTS &&
	       contexts->at.at[context].call_site != call_site)
		context = contexts->at.at[context].parent;
	return context >= MS_ENGINE_SPECIAL_CONTEXTS ? context : MS_CALL_PATHS_NOT_FOUND;
}

/* The context of a function that this call site calls in the context `parent`. */
static uint32_t call_context(struct ms_call_paths_contexts *contexts, uint32_t parent,
			     uint32_t call_site)
{
	if (parent == MS_ENGINE_OTHER_CONTEXTS)
		return parent;
	uint32_t number = ms_map_get(&contexts->number_of, parent, call_site);
	if (number != MS_MAP_NONE)
		return number;
	number = find_recursive(contexts, parent, call_site);
	if (number == MS_CALL_PATHS_NOT_FOUND) {
		/* They are pruned after the batch. */
		if (contexts->at.n >= 2 * (size_t)contexts->most)
			return MS_ENGINE_OTHER_CONTEXTS;
		number = (uint32_t)contexts->at.n;
		*ms_vec_add(&contexts->at) = (struct ms_engine_total_context){ parent, call_site };
	}
	*ms_map_at(&contexts->number_of, parent, call_site) = number;
	return number;
}

/* The same. A program makes few different calls at a time: a small table has most of them. */
static uint32_t recent_call_context(struct ms_call_paths_contexts *contexts, uint32_t parent,
				    uint32_t call_site)
{
	uint32_t hash = (parent * UINT32_C(0x9e3779b1) ^ call_site) * UINT32_C(0x85ebca6b);
	struct ms_call_paths_call *recent =
		&contexts->recent_calls[hash >> 16 & (MS_CALL_PATHS_RECENT_CALLS - 1)];

	/* No call leads to the context 0: the entry is not empty. */
	if (recent->parent != parent || recent->call_site != call_site || recent->context == 0)
		*recent = (struct ms_call_paths_call){ parent, call_site,
						       call_context(contexts, parent, call_site) };
	return recent->context;
}

/* Contexts are looked up only where there are misses, and remembered in the frames. */
uint32_t ms_call_paths_find_context(struct ms_call_paths_contexts *contexts,
				    struct ms_call_paths_stack *stack)
{
	size_t i = stack->frames.n;

	while (i > 0 && stack->frames.at[i - 1].context == MS_CALL_PATHS_NOT_FOUND)
		i--;
	uint32_t context = i > 0 ? stack->frames.at[i - 1].context : stack->base;
	for (; i < stack->frames.n; i++) {
		context = recent_call_context(contexts, context, stack->frames.at[i].call_site);
		stack->frames.at[i].context = context;
	}
	return context;
}

/* --- misses --- */

static uint64_t hash_of(const struct ms_call_paths_row *row)
{
	return ms_hash((uint64_t)row->site << 32 | row->data, row->context);
}

static uint32_t *find_entry(const struct ms_call_paths_contexts *contexts,
			    const struct ms_call_paths_row *row)
{
	size_t mask = contexts->table_size - 1;
	size_t i = hash_of(row) & mask;

	while (contexts->table[i] != 0 &&
	       !ms_call_paths_is_same(&contexts->rows.at[contexts->table[i] - 1], row))
		i = (i + 1) & mask;
	return &contexts->table[i];
}

static void grow_table(struct ms_call_paths_contexts *contexts)
{
	ms_free(contexts->table);
	contexts->table_size = contexts->table_size > 0 ? contexts->table_size * 2 : SMALLEST_TABLE;
	contexts->table = ms_alloc(contexts->table_size * sizeof(*contexts->table));
	for (uint32_t i = 0; i < contexts->rows.n; i++)
		*find_entry(contexts, &contexts->rows.at[i]) = i + 1;
}

static size_t find_row(struct ms_call_paths_contexts *contexts, struct ms_call_paths_row row)
{
	if (contexts->rows.n * 2 >= contexts->table_size)
		grow_table(contexts);
	uint32_t *entry = find_entry(contexts, &row);
	if (*entry == 0 && contexts->rows.n >= MAX_ROWS) {
		row.context = MS_ENGINE_OTHER_CONTEXTS;
		entry = find_entry(contexts, &row);
	}
	if (*entry == 0) {
		*ms_vec_add(&contexts->rows) = row;
		ms_vec_reserve(&contexts->misses, contexts->levels);
		contexts->misses.n += contexts->levels;
		*entry = (uint32_t)contexts->rows.n;
	}
	return *entry - 1;
}

static void add_to_row(struct ms_call_paths_contexts *contexts,
		       const struct ms_call_paths_count *count)
{
	if (contexts->last >= contexts->rows.n ||
	    !ms_call_paths_is_same(&contexts->rows.at[contexts->last], &count->row))
		contexts->last = find_row(contexts, count->row);
	uint64_t *misses = &contexts->misses.at[contexts->last * contexts->levels];
	for (unsigned level = 0; level < count->missed; level++)
		misses[level] += count->count;
}

static void add_waiting(struct ms_call_paths_contexts *contexts)
{
	for (unsigned i = 0; i < contexts->waiting_count; i++)
		add_to_row(contexts, &contexts->waiting[i]);
	contexts->waiting_count = 0;
}

static void wait_for_row(struct ms_call_paths_contexts *contexts,
			 const struct ms_call_paths_count *count)
{
	if (contexts->waiting_count == MS_CALL_PATHS_WAITING)
		add_waiting(contexts);
	contexts->waiting[contexts->waiting_count++] = *count;
	if (contexts->table_size > 0)
		__builtin_prefetch(
			&contexts->table[hash_of(&count->row) & (contexts->table_size - 1)]);
}

void ms_call_paths_flush_misses(struct ms_call_paths_contexts *contexts)
{
	for (unsigned i = 0; i < MS_CALL_PATHS_RECENT_COUNTS; i++) {
		struct ms_call_paths_count *recent = &contexts->recent_counts[i];

		if (recent->count > 0)
			wait_for_row(contexts, recent);
		recent->count = 0;
	}
	add_waiting(contexts);
}

void ms_call_paths_replace_count(struct ms_call_paths_contexts *contexts,
				 struct ms_call_paths_count *recent,
				 const struct ms_call_paths_row *row, uint32_t missed)
{
	if (recent->count > 0)
		wait_for_row(contexts, recent);
	*recent = (struct ms_call_paths_count){ *row, missed, 0 };
}

/* --- pruning --- */

bool ms_call_paths_is_full(const struct ms_call_paths_contexts *contexts)
{
	return contexts->at.n > contexts->most;
}

/* By context: its misses at all levels, with those of the calls below it. */
static uint64_t *sum_misses(const struct ms_call_paths_contexts *contexts)
{
	uint64_t *sums = ms_alloc(contexts->at.n * sizeof(*sums));

	for (size_t i = 0; i < contexts->rows.n; i++)
		for (unsigned level = 0; level < contexts->levels; level++)
			sums[contexts->rows.at[i].context] +=
				contexts->misses.at[i * contexts->levels + level];
	/* Parents have lower numbers. */
	for (size_t i = contexts->at.n; i-- > MS_ENGINE_SPECIAL_CONTEXTS;)
		sums[contexts->at.at[i].parent] += sums[i];
	return sums;
}

static int by_size(const void *a, const void *b)
{
	return ms_cmp_u64(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* Contexts need more misses than this, so that at most half of the limit remain. */
static uint64_t find_threshold(const struct ms_call_paths_contexts *contexts, const uint64_t *sums)
{
	uint64_t *sorted = ms_alloc(contexts->at.n * sizeof(*sorted));
	size_t kept = contexts->most / 2;

	memcpy(sorted, sums, contexts->at.n * sizeof(*sorted));
	qsort(sorted, contexts->at.n, sizeof(*sorted), by_size);
	uint64_t threshold = sorted[contexts->at.n - 1 - (kept < contexts->at.n ? kept : 0)];
	ms_free(sorted);
	return threshold;
}

/* By old number: the new one. A context that remains has more misses than any below it. */
static uint32_t *renumber(struct ms_call_paths_contexts *contexts)
{
	uint64_t *sums = sum_misses(contexts), threshold = find_threshold(contexts, sums);
	uint32_t *to = ms_alloc(contexts->at.n * sizeof(*to));
	size_t n = MS_ENGINE_SPECIAL_CONTEXTS;

	for (uint32_t i = 0; i < contexts->at.n; i++) {
		struct ms_engine_total_context c = contexts->at.at[i];

		if (i < MS_ENGINE_SPECIAL_CONTEXTS) {
			to[i] = i;
		} else if (sums[i] > threshold) {
			to[i] = (uint32_t)n;
			contexts->at.at[n++] =
				(struct ms_engine_total_context){ to[c.parent], c.call_site };
		} else {
			to[i] = MS_ENGINE_OTHER_CONTEXTS;
		}
	}
	contexts->at.n = n;
	ms_free(sums);
	return to;
}

static void rebuild_numbers(struct ms_call_paths_contexts *contexts)
{
	ms_map_free(&contexts->number_of);
	contexts->number_of = (struct ms_map)MS_MAP_INIT;
	for (uint32_t i = MS_ENGINE_SPECIAL_CONTEXTS; i < contexts->at.n; i++)
		*ms_map_at(&contexts->number_of, contexts->at.at[i].parent,
			   contexts->at.at[i].call_site) = i;
}

/* Adds each row to that of its new context. */
static void rebuild_rows(struct ms_call_paths_contexts *contexts, const uint32_t *to)
{
	struct ms_call_paths_contexts old = *contexts;

	contexts->rows.at = NULL;
	contexts->rows.n = contexts->rows.cap = 0;
	contexts->misses.at = NULL;
	contexts->misses.n = contexts->misses.cap = 0;
	contexts->table = NULL;
	contexts->table_size = 0;
	for (size_t i = 0; i < old.rows.n; i++) {
		struct ms_call_paths_row row = old.rows.at[i];

		row.context = to[row.context];
		size_t at = find_row(contexts, row);
		for (unsigned level = 0; level < contexts->levels; level++)
			contexts->misses.at[at * contexts->levels + level] +=
				old.misses.at[i * contexts->levels + level];
	}
	contexts->last = 0;
	ms_vec_free(&old.rows);
	ms_vec_free(&old.misses);
	ms_free(old.table);
}

void ms_call_paths_prune(struct ms_call_paths_contexts *contexts)
{
	uint32_t *to = renumber(contexts);

	rebuild_numbers(contexts);
	rebuild_rows(contexts, to);
	memset(contexts->recent_calls, 0,
	       MS_CALL_PATHS_RECENT_CALLS * sizeof(*contexts->recent_calls));
	contexts->pruned++;
	ms_free(to);
}

/* --- totals --- */

static int by_context_site_data(const void *a, const void *b)
{
	const struct ms_engine_total_path_miss *x = a, *y = b;
	int c = ms_cmp_u64(x->context, y->context);

	if (c == 0)
		c = ms_cmp_u64(x->site, y->site);
	if (c == 0)
		c = ms_cmp_u64(x->data, y->data);
	return c != 0 ? c : ms_cmp_u64(x->level, y->level);
}

void ms_call_paths_list_contexts(const struct ms_call_paths_contexts *contexts,
				 struct ms_engine_totals *totals)
{
	for (size_t i = 0; i < contexts->at.n; i++)
		*ms_vec_add(&totals->contexts) = contexts->at.at[i];
	for (size_t i = 0; i < contexts->rows.n; i++)
		for (unsigned level = 0; level < contexts->levels; level++) {
			const struct ms_call_paths_row *row = &contexts->rows.at[i];
			uint64_t misses = contexts->misses.at[i * contexts->levels + level];

			if (misses > 0)
				*ms_vec_add(&totals->path_misses) =
					(struct ms_engine_total_path_miss){ row->context, row->site,
									    row->data, level,
									    misses };
		}
	if (totals->path_misses.n > 0)
		qsort(totals->path_misses.at, totals->path_misses.n,
		      sizeof(*totals->path_misses.at), by_context_site_data);
}

uint64_t ms_call_paths_measure_contexts(const struct ms_call_paths_contexts *contexts)
{
	return contexts->at.cap * sizeof(*contexts->at.at) +
	       contexts->rows.cap * sizeof(*contexts->rows.at) +
	       contexts->misses.cap * sizeof(*contexts->misses.at) +
	       contexts->table_size * sizeof(*contexts->table) + ms_map_bytes(&contexts->number_of);
}
