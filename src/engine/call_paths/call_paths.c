/* engine/call_paths/call_paths.c - what the filter and the shards record: see call_paths.h. */
#include "engine/call_paths/call_paths.h"

#include "base/mem.h"
#include "engine/call_paths/call_paths_state.h"
#include "engine/engine_priv.h"
#include "engine/variant_priv.h"

/* Calls of a block that have not returned, where one remains. */
enum { MOST_INSIDE = 8 };

void ms_engine_follow_calls(struct ms_engine *engine, uint32_t most_contexts)
{
	bool samples_sets = engine->windows != NULL && engine->windows->sets.every > 1;

	if (!engine->variant->follows_calls || samples_sets)
		return;
	struct ms_call_paths *paths = ms_alloc(sizeof(*paths));

	paths->shards = engine->shards;
	paths->batch_count = engine->batch_count;
	paths->exits = ms_pages_alloc(MS_CALL_PATHS_PAGES * sizeof(*paths->exits));
	paths->batch = ms_alloc(paths->batch_count * sizeof(*paths->batch));
	for (unsigned i = 0; i < paths->batch_count; i++)
		paths->batch[i].shares =
			ms_pages_alloc(paths->shards * sizeof(*paths->batch[i].shares));
	ms_call_paths_open_contexts(&paths->contexts,
				    most_contexts > 0 ? most_contexts : MS_ENGINE_MAX_CONTEXTS,
				    engine->shard[0].levels);
	engine->call_paths = paths;
	for (unsigned i = 0; i < engine->shards; i++)
		engine->shard[i].call_paths.is_on = true;
}

static void close_batch(struct ms_call_paths_batch *batch, unsigned shards)
{
	for (unsigned i = 0; i < shards; i++) {
		ms_vec_free(&batch->shares[i].misses);
		ms_vec_free(&batch->shares[i].positions);
	}
	ms_pages_free(batch->shares, shards * sizeof(*batch->shares));
	ms_vec_free(&batch->marks.at);
	ms_vec_free(&batch->marks.stacks);
}

void ms_call_paths_close(struct ms_call_paths *paths)
{
	if (paths == NULL)
		return;
	for (unsigned i = 0; i < paths->batch_count; i++)
		close_batch(&paths->batch[i], paths->shards);
	ms_free(paths->batch);
	for (uint32_t i = 0; i < paths->exit_count; i += MS_CALL_PATHS_PAGE)
		ms_free(paths->exits[i / MS_CALL_PATHS_PAGE]);
	ms_pages_free(paths->exits, MS_CALL_PATHS_PAGES * sizeof(*paths->exits));
	for (size_t i = 0; i < paths->stacks.n; i++)
		ms_call_paths_free_stack(&paths->stacks.at[i]);
	ms_vec_free(&paths->stacks);
	ms_call_paths_close_contexts(&paths->contexts);
	ms_free(paths);
}

uint64_t ms_call_paths_measure(const struct ms_engine *engine)
{
	const struct ms_call_paths *paths = engine->call_paths;

	return paths == NULL ? 0
			     : ms_call_paths_measure_contexts(&paths->contexts) +
				       paths->exit_count * sizeof(struct ms_call_paths_exit);
}

/* --- blocks --- */

static struct ms_call_paths_exit *add_exit(struct ms_call_paths *paths)
{
	struct ms_call_paths_exit **page = &paths->exits[paths->exit_count / MS_CALL_PATHS_PAGE];

	if (*page == NULL)
		*page = ms_alloc(MS_CALL_PATHS_PAGE * sizeof(**page));
	return &(*page)[paths->exit_count++ % MS_CALL_PATHS_PAGE];
}

/* The only transfer that remains when calls inside the block have returned; UINT32_MAX: several. */
static uint32_t find_only_transfer(const struct ms_engine_block_calls *calls, uint32_t n)
{
	uint32_t remaining[MOST_INSIDE], count = 0;

	for (uint32_t i = 0; i < n; i++) {
		bool is_call = calls->transfer[i].kind == MS_ENGINE_TRANSFER_CALL;
		bool returns = calls->transfer[i].kind == MS_ENGINE_TRANSFER_RETURN;

		if (returns && count > 0 &&
		    calls->transfer[remaining[count - 1]].kind == MS_ENGINE_TRANSFER_CALL) {
			count--;
			continue;
		}
		if (count == MOST_INSIDE || (!is_call && i + 1 < n))
			return UINT32_MAX; /* a transfer after a return depends on its target */
		remaining[count++] = i;
	}
	return count == 1 && remaining[0] < UINT8_MAX ? remaining[0] : UINT32_MAX;
}

/* A return must be the last instruction: its target is the next execution. */
static bool is_simple(const struct ms_engine_transfer *transfer, uint32_t instructions)
{
	return transfer->kind == MS_ENGINE_TRANSFER_CALL ||
	       transfer->instruction + 1u == instructions;
}

static bool has_reference_after(const struct ms_engine_block *block, uint32_t instruction)
{
	for (uint32_t i = 0; i < block->refs; i++)
		if (block->ref[i].instruction > instruction)
			return true;
	return false;
}

static struct ms_call_paths_exit make_exit(const struct ms_engine_block *block, uint32_t number)
{
	const struct ms_engine_block_calls *calls = block->calls;
	struct ms_call_paths_exit exit = { .block = block,
					   .entry = block->entry,
					   .number = number,
					   .kind = MS_CALL_PATHS_SEVERAL };

	if (calls == NULL)
		return exit;
	uint32_t instructions = block->exit_instructions[number];

	exit.transfers = (uint16_t)ms_call_paths_count_before(calls, instructions);
	exit.is_balanced = calls->exit_calls[number] == MS_ENGINE_EXIT_BALANCED;
	exit.has_inside =
		exit.transfers > 0 && has_reference_after(block, calls->transfer[0].instruction);
	uint32_t only = find_only_transfer(calls, exit.transfers);
	if (only == UINT32_MAX || !is_simple(&calls->transfer[only], instructions))
		return exit;
	exit.pc = calls->transfer[only].pc;
	exit.function = calls->transfer[only].function;
	exit.call_site = calls->transfer[only].call_site;
	exit.kind = (uint8_t)calls->transfer[only].kind;
	exit.only = (uint8_t)only;
	return exit;
}

/* All shards receive all blocks; the first one adds them to the table. */
void ms_call_paths_add_block(struct ms_engine_shard *shard, const struct ms_engine_block *block)
{
	struct ms_call_paths *paths = shard->engine->call_paths;

	if (paths == NULL || shard->number != 0)
		return;
	for (uint32_t i = 0; i < block->exits; i++) {
		if (paths->exit_count >= MS_CALL_PATHS_PAGES * MS_CALL_PATHS_PAGE)
			return;
		*add_exit(paths) = make_exit(block, i);
	}
}

/* --- marks --- */

static void add_mark(struct ms_call_paths_filter *filter, size_t pending,
		     enum ms_call_paths_mark_kind kind, uint32_t exit)
{
	*ms_vec_add(&filter->marks.at) =
		(struct ms_call_paths_mark){ (uint32_t)pending, (uint32_t)pending,
					     exit & MS_CALL_PATHS_EXIT_MASK, kind,
					     MS_CALL_PATHS_NO_EXIT };
}

/* The first execution after an event, which may be the target of a return. */
void ms_call_paths_begin_filter(struct ms_engine_shard *shard, const uint64_t *words, size_t n)
{
	if (n == 0 || ms_wire_kind_of(words[0]) != MS_WIRE_EXEC)
		return;
	add_mark(&shard->call_paths, shard->filter.pending.n, MS_CALL_PATHS_ENTRY,
		 ms_wire_arg_of(words[0]));
	/* Room for a mark of each execution: it has at least one word. */
	ms_vec_reserve(&shard->call_paths.marks.at, n + 1);
}

void ms_call_paths_begin_slice(struct ms_engine_shard *shard, const uint64_t *words, size_t pending)
{
	add_mark(&shard->call_paths, pending, MS_CALL_PATHS_THREAD, shard->call_paths.thread);
	add_mark(&shard->call_paths, pending, MS_CALL_PATHS_ENTRY, ms_wire_arg_of(words[0]));
}

bool ms_call_paths_is_marked(const struct ms_engine_shard *shard,
			     const struct ms_engine_block *block, uint32_t exit)
{
	return shard->call_paths.is_on && block->calls != NULL &&
	       block->calls->exit_calls[exit] != MS_ENGINE_EXIT_NO_CALLS;
}

void ms_call_paths_mark_part(struct ms_call_paths_marks *marks, uint32_t exit, uint32_t transfer,
			     size_t pending, uint32_t next)
{
	*ms_vec_add(&marks->at) = (struct ms_call_paths_mark){ transfer, (uint32_t)pending,
							       exit & MS_CALL_PATHS_EXIT_MASK,
							       MS_CALL_PATHS_PART, next };
}

/* With several processors, the thread is marked where its time slice begins. */
void ms_engine_follow_thread(struct ms_engine_shard *shard, uint32_t thread)
{
	shard->call_paths.thread = thread;
	if (shard->call_paths.is_on && shard->processors == NULL)
		add_mark(&shard->call_paths, shard->filter.pending.n, MS_CALL_PATHS_THREAD, thread);
}

/* The number of accesses of the batch so far. */
static size_t count_pending(const struct ms_engine_shard *shard)
{
	return shard->processors != NULL ? shard->processors->batch.n : shard->filter.pending.n;
}

void ms_engine_set_calls(struct ms_engine_shard *shard, uint32_t thread,
			 const struct ms_engine_stack *stack)
{
	struct ms_call_paths_filter *filter = &shard->call_paths;

	if (!filter->is_on)
		return;
	add_mark(filter, count_pending(shard), MS_CALL_PATHS_STACK, thread);
	filter->marks.at.at[filter->marks.at.n - 1].next = (uint32_t)filter->marks.stacks.n;
	*ms_vec_add(&filter->marks.stacks) = stack;
}

void ms_engine_forget_calls(struct ms_engine_shard *shard)
{
	if (shard->call_paths.is_on)
		add_mark(&shard->call_paths, count_pending(shard), MS_CALL_PATHS_THREAD,
			 MS_CALL_PATHS_NO_THREAD);
}

/* Other shards may have filtered batches since, and other threads may have run in them. */
void ms_call_paths_begin_batch(struct ms_engine_shard *shard)
{
	struct ms_call_paths_filter *filter = &shard->call_paths;

	if (!filter->is_on)
		return;
	filter->marks.at.n = 0;
	filter->marks.stacks.n = 0;
	add_mark(filter, 0, MS_CALL_PATHS_THREAD, filter->thread);
}

/* Where several shards simulate, each has some of the pending accesses. */
static void list_positions(const struct ms_engine_shard *shard, struct ms_call_paths_batch *batch)
{
	const struct ms_engine *engine = shard->engine;
	const struct ms_filter_pending_list *all = &shard->filter.pending;

	if (engine->shards <= 1 || engine->group_mask == 0)
		return;
	for (unsigned i = 0; i < engine->shards; i++) {
		batch->shares[i].positions.n = 0;
		ms_vec_reserve(&batch->shares[i].positions, all->n);
	}
	for (size_t i = 0; i < all->n; i++) {
		uint64_t line = all->at[i].line & ~MS_FILTER_SAME_REFERENCE;
		unsigned owner = ms_engine_find_owner(engine, line << shard->first_shift);
		struct ms_call_paths_share *share = &batch->shares[owner];

		share->positions.at[share->positions.n++] = (uint32_t)i;
	}
}

void ms_call_paths_hand_over(struct ms_engine_shard *shard, unsigned batch_index)
{
	struct ms_call_paths *paths = shard->engine->call_paths;

	if (paths == NULL)
		return;
	struct ms_call_paths_batch *batch = &paths->batch[batch_index];
	struct ms_call_paths_marks empty = batch->marks;

	batch->marks = shard->call_paths.marks;
	shard->call_paths.marks = empty;
	shard->call_paths.marks.at.n = 0;
	shard->call_paths.marks.stacks.n = 0;
	list_positions(shard, batch);
}

/* --- misses --- */

static struct ms_call_paths_share *find_share(const struct ms_engine_shard *shard,
					      unsigned batch_index)
{
	return &shard->engine->call_paths->batch[batch_index].shares[shard->number];
}

/* The position of a missed line's reference in the batch. */
MS_INLINE uint32_t find_position(const struct ms_engine_shard *shard, unsigned batch_index,
				 const struct ms_call_paths_share *share,
				 const struct ms_caches_miss *f)
{
	if (MS_UNLIKELY(f->split))
		return ms_filter_find_reference(ms_engine_get_share(shard, batch_index),
						f->reference);
	return share->positions.n > 0 ? share->positions.at[f->reference] : f->reference;
}

/* A reference misses a level once, whatever the number of its lines. */
static void record_first(const struct ms_engine_shard *shard, unsigned batch_index,
			 struct ms_call_paths_share *share, const struct ms_caches_miss *lines,
			 size_t n)
{
	struct ms_call_paths_miss *miss;
	uint32_t last = UINT32_MAX;

	share->recorded = share->misses.n;
	ms_vec_reserve(&share->misses, n);
	miss = share->misses.at + share->misses.n;
	for (size_t i = 0; i < n; i++) {
		const struct ms_caches_miss *f = &lines[i];

		if (f->reference != last)
			*miss++ = (struct ms_call_paths_miss){ find_position(shard, batch_index,
									     share, f),
							       1, f->cell->site, f->cell->data };
		last = f->reference;
	}
	share->misses.n = (size_t)(miss - share->misses.at);
}

/* The lines that missed a further level are some of those that missed the first, in order. */
static void record_further(const struct ms_engine_shard *shard, unsigned batch_index,
			   struct ms_call_paths_share *share, const struct ms_caches_miss *lines,
			   size_t n)
{
	struct ms_call_paths_miss *miss = share->misses.at + share->recorded;
	uint32_t last = UINT32_MAX;

	for (size_t i = 0; i < n; i++) {
		if (lines[i].reference == last)
			continue;
		last = lines[i].reference;
		uint32_t position = find_position(shard, batch_index, share, &lines[i]);
		while (miss->position != position)
			miss++;
		miss->missed++;
	}
}

void ms_call_paths_record_misses(struct ms_engine_shard *shard, unsigned batch_index,
				 unsigned level, const struct ms_caches_miss *lines, size_t n)
{
	if (shard->engine->call_paths == NULL)
		return;
	struct ms_call_paths_share *share = find_share(shard, batch_index);

	if (level == 0)
		record_first(shard, batch_index, share, lines, n);
	else
		record_further(shard, batch_index, share, lines, n);
}

static void record_miss(struct ms_call_paths_share *share, uint32_t position,
			const struct ms_count_cell *cell, unsigned missed)
{
	struct ms_call_paths_miss *last = share->misses.at + share->misses.n;

	if (share->misses.n == 0 || last[-1].position != position)
		*ms_vec_add(&share->misses) =
			(struct ms_call_paths_miss){ position, missed, cell->site, cell->data };
	else if (last[-1].missed < missed)
		last[-1].missed = missed;
}

void ms_call_paths_record_miss(struct ms_engine_shard *shard, unsigned batch_index,
			       const struct ms_caches_miss *f, unsigned missed)
{
	if (shard->engine->call_paths == NULL || missed == 0)
		return;
	struct ms_call_paths_share *share = find_share(shard, batch_index);

	record_miss(share, find_position(shard, batch_index, share, f), f->cell, missed);
}

void ms_call_paths_record_reference(struct ms_engine_shard *shard, unsigned batch_index,
				    uint32_t position, const struct ms_count_cell *cell,
				    unsigned missed)
{
	record_miss(find_share(shard, batch_index), position, cell, missed);
}
