/*
 * engine/call_paths/follow_marks.c - follows the calls and returns of a batch, and counts its
 * misses by context.
 */
#include "engine/call_paths/call_paths_state.h"
#include "engine/engine_priv.h"

enum { NO_THREAD = (1 << 30) - 1 };

/* Prefetch distance, in marks. */
enum { AHEAD = 8 };

/* --- misses in the order of their positions --- */

struct follower {
	struct ms_call_paths *paths;
	struct ms_call_paths_batch *batch;
	struct ms_call_paths_stack *stack;
	uint32_t next; /* position of the next miss; UINT32_MAX: none */
};

/* The shard that has the next miss, or NULL. */
static struct ms_call_paths_share *find_next(struct follower *f)
{
	struct ms_call_paths_share *first = NULL;

	f->next = UINT32_MAX;
	for (unsigned i = 0; i < f->paths->shards; i++) {
		struct ms_call_paths_share *share = &f->batch->shares[i];

		if (share->next < share->misses.n &&
		    share->misses.at[share->next].position < f->next) {
			first = share;
			f->next = share->misses.at[share->next].position;
		}
	}
	return first;
}

/*
 * A reference whose lines belong to several shards has a miss in each of them. Takes the next miss,
 * with the largest number of levels of all.
 */
static struct ms_call_paths_miss take_miss(struct follower *f)
{
	struct ms_call_paths_share *share = find_next(f);
	struct ms_call_paths_miss miss = share->misses.at[share->next++];

	while ((share = find_next(f)) != NULL && f->next == miss.position) {
		if (share->misses.at[share->next].missed > miss.missed)
			miss.missed = share->misses.at[share->next].missed;
		share->next++;
	}
	return miss;
}

/* --- the stack --- */

MS_INLINE const struct ms_call_paths_exit *find_exit(const struct ms_call_paths *paths,
						     uint32_t exit)
{
	return exit < paths->exit_count
		       ? &paths->exits[exit / MS_CALL_PATHS_PAGE][exit % MS_CALL_PATHS_PAGE]
		       : NULL;
}

static struct ms_call_paths_stack *current_stack(struct ms_call_paths *paths)
{
	while (paths->stacks.n <= paths->thread)
		ms_vec_add(&paths->stacks);
	return &paths->stacks.at[paths->thread];
}

static void forget_stacks(struct ms_call_paths *paths)
{
	for (size_t i = 0; i < paths->stacks.n; i++) {
		paths->stacks.at[i].frames.n = 0;
		paths->stacks.at[i].pending = 0;
		paths->stacks.at[i].is_unsure = false;
		paths->stacks.at[i].base = MS_ENGINE_ROOT_CONTEXT;
	}
}

/* target: of the transfer; 0: not known yet. */
static void transfer_to(struct ms_call_paths_stack *stack,
			const struct ms_engine_transfer *transfer, uint64_t target)
{
	if (transfer->kind == MS_ENGINE_TRANSFER_CALL)
		ms_call_paths_push(stack, transfer->pc, transfer->call_site, target);
	else if (target == 0)
		stack->pending = transfer->kind + 1u;
	else if (transfer->kind == MS_ENGINE_TRANSFER_RETURN)
		ms_call_paths_pop(stack, target);
	else
		ms_call_paths_switch_stack(stack, target);
}

MS_INLINE uint64_t entry_of(const struct ms_call_paths *paths, uint32_t exit)
{
	const struct ms_call_paths_exit *next = find_exit(paths, exit);

	return next != NULL ? next->entry : 0;
}

/* Applies one transfer of an execution that was left by the exit. */
static void apply_transfer(const struct ms_call_paths *paths, struct ms_call_paths_stack *stack,
			   const struct ms_call_paths_exit *exit, uint32_t number, uint32_t next)
{
	const struct ms_engine_transfer *transfer = &exit->block->calls->transfer[number];
	bool is_last = transfer->instruction + 1u >= exit->block->exit_instructions[exit->number];

	transfer_to(stack, transfer, is_last ? entry_of(paths, next) : transfer->next_pc);
}

/* A call, where nothing has to be searched or made. */
MS_INLINE bool push_fast(struct ms_call_paths_stack *stack, const struct ms_call_paths_exit *exit,
			 uint64_t entry)
{
	if (stack->is_unsure || stack->frames.n >= stack->frames.cap ||
	    stack->frames.n >= MS_CALL_PATHS_MAX_DEPTH)
		return false;
	stack->frames.at[stack->frames.n++] =
		(struct ms_call_paths_frame){ exit->pc, entry, exit->call_site,
					      MS_CALL_PATHS_NOT_FOUND };
	return true;
}

/* The same for an exit with one transfer, its last instruction. */
MS_INLINE void apply_only_transfer(const struct ms_call_paths *paths,
				   struct ms_call_paths_stack *stack,
				   const struct ms_call_paths_exit *exit, uint32_t next)
{
	uint64_t target = entry_of(paths, next);

	if (exit->kind == MS_ENGINE_TRANSFER_RETURN && stack->frames.n > 0 &&
	    ms_call_paths_is_return_of(&stack->frames.at[stack->frames.n - 1], target))
		stack->frames.n--;
	else if (exit->kind != MS_ENGINE_TRANSFER_CALL || !push_fast(stack, exit, target))
		transfer_to(stack,
			    &(struct ms_engine_transfer){ .pc = exit->pc,
							  .call_site = exit->call_site,
							  .kind = exit->kind },
			    target);
}

static void end_pending(struct ms_call_paths_stack *stack, uint64_t target)
{
	uint32_t kind = stack->pending - 1;

	stack->pending = 0;
	if (kind == MS_ENGINE_TRANSFER_RETURN)
		ms_call_paths_pop(stack, target);
	else
		ms_call_paths_switch_stack(stack, target);
}

/* --- marks --- */

static void count_miss(struct follower *f, const struct ms_call_paths_miss *miss)
{
	struct ms_call_paths_contexts *contexts = &f->paths->contexts;

	ms_call_paths_count_miss(
		contexts,
		&(struct ms_call_paths_row){ ms_call_paths_find_context(contexts, f->stack),
					     miss->site, miss->data },
		miss->missed);
}

/* Counts the misses before `end` for the present stack. */
MS_INLINE void count_until(struct follower *f, uint32_t end)
{
	while (MS_UNLIKELY(f->next < end)) {
		struct ms_call_paths_miss miss = take_miss(f);

		count_miss(f, &miss);
	}
}

/* The number of transfers that a block executes before the references of this site. */
static uint32_t transfers_before(const struct ms_engine_block *block, uint32_t site)
{
	for (uint32_t i = 0; i < block->refs; i++)
		if (block->ref[i].site == site)
			return ms_call_paths_count_before(block->calls, block->ref[i].instruction);
	return 0;
}

/*
 * A mark of a balanced exit can stand for several executions in a row, so that the next miss may be
 * at an earlier transfer than the one before.
 */
static uint32_t count_inside(struct follower *f, const struct ms_call_paths_exit *exit,
			     const struct ms_call_paths_mark *mark)
{
	size_t depth = f->stack->frames.n;
	uint32_t applied = 0;

	while (f->next < mark->to) {
		struct ms_call_paths_miss miss = take_miss(f);
		uint32_t before = transfers_before(exit->block, miss.site);

		if (before < applied && f->stack->frames.n >= depth) {
			f->stack->frames.n = depth;
			applied = 0;
		}
		for (; applied < before && applied < exit->transfers; applied++)
			apply_transfer(f->paths, f->stack, exit, applied, mark->next);
		count_miss(f, &miss);
	}
	return applied;
}

static void follow_several(struct follower *f, const struct ms_call_paths_exit *exit,
			   const struct ms_call_paths_mark *mark)
{
	count_until(f, mark->from);
	uint32_t applied = count_inside(f, exit, mark);
	if (applied == 0 && exit->is_balanced)
		return;
	for (; applied < exit->transfers; applied++)
		apply_transfer(f->paths, f->stack, exit, applied, mark->next);
}

static void follow_execution(struct follower *f, const struct ms_call_paths_mark *mark)
{
	const struct ms_call_paths_exit *exit = find_exit(f->paths, mark->exit);

	if (exit == NULL || exit->transfers == 0)
		return;
	if (exit->kind == MS_CALL_PATHS_SEVERAL) {
		follow_several(f, exit, mark);
		return;
	}
	count_until(f, mark->to);
	apply_only_transfer(f->paths, f->stack, exit, mark->next);
}

static void follow_part(struct follower *f, const struct ms_call_paths_mark *mark)
{
	const struct ms_call_paths_exit *exit = find_exit(f->paths, mark->exit);

	count_until(f, mark->to);
	if (exit != NULL && mark->from < exit->transfers)
		apply_transfer(f->paths, f->stack, exit, mark->from, mark->next);
}

static void follow_entry(struct follower *f, const struct ms_call_paths_mark *mark)
{
	uint64_t entry;

	if (f->stack->pending == 0)
		return;
	count_until(f, mark->to);
	if ((entry = entry_of(f->paths, mark->exit)) != 0)
		end_pending(f->stack, entry);
}

static void follow_thread(struct follower *f, const struct ms_call_paths_mark *mark)
{
	count_until(f, mark->to);
	if (mark->exit == NO_THREAD) {
		forget_stacks(f->paths);
		return;
	}
	f->paths->thread = mark->exit;
	f->stack = current_stack(f->paths);
}

void ms_call_paths_finish_batch(struct ms_engine *engine, unsigned batch_index)
{
	struct ms_call_paths *paths = engine->call_paths;
	static void (*const follow[])(struct follower *, const struct ms_call_paths_mark *) = {
		[MS_CALL_PATHS_EXECUTION] = follow_execution,
		[MS_CALL_PATHS_PART] = follow_part,
		[MS_CALL_PATHS_ENTRY] = follow_entry,
		[MS_CALL_PATHS_THREAD] = follow_thread,
	};

	if (paths == NULL)
		return;
	struct ms_call_paths_batch *batch = &paths->batch[batch_index];
	struct follower f = { paths, batch, current_stack(paths), 0 };
	const struct ms_call_paths_mark *mark = batch->marks.at.at;

	find_next(&f);
	for (size_t i = 0; i < batch->marks.at.n; i++, mark++) {
		if (i + AHEAD < batch->marks.at.n)
			__builtin_prefetch(find_exit(paths, mark[AHEAD].exit));
		if (MS_LIKELY(mark->kind == MS_CALL_PATHS_EXECUTION))
			follow_execution(&f, mark);
		else
			follow[mark->kind](&f, mark);
	}
	count_until(&f, UINT32_MAX);
	ms_call_paths_flush_misses(&paths->contexts);
	for (unsigned i = 0; i < paths->shards; i++) {
		batch->shares[i].misses.n = 0;
		batch->shares[i].next = 0;
	}
}

void ms_call_paths_add_totals(const struct ms_engine *engine, struct ms_engine_totals *totals)
{
	if (engine->call_paths != NULL)
		ms_call_paths_list_contexts(&engine->call_paths->contexts, totals);
}
