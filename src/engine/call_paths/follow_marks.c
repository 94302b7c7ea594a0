/*
 * engine/call_paths/follow_marks.c - follows the calls and returns of a batch, and counts its
 * misses by context.
 */
#include "engine/call_paths/call_paths_state.h"
#include "engine/engine_priv.h"

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
static MS_NOINLINE struct ms_call_paths_miss take_miss_of_shards(struct follower *f)
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

MS_INLINE struct ms_call_paths_miss take_miss(struct follower *f)
{
	if (f->paths->shards > 1)
		return take_miss_of_shards(f);
	struct ms_call_paths_share *only = &f->batch->shares[0];
	const struct ms_call_paths_miss *taken = &only->misses.at[only->next++];

	f->next = only->next < only->misses.n ? taken[1].position : UINT32_MAX;
	return *taken;
}

/* --- the stack --- */

MS_INLINE const struct ms_call_paths_exit *find_exit(const struct ms_call_paths *paths,
						     uint32_t exit)
{
	return exit < paths->exit_count
		       ? &paths->exits[exit / MS_CALL_PATHS_PAGE][exit % MS_CALL_PATHS_PAGE]
		       : NULL;
}

static struct ms_call_paths_stack *stack_of(struct ms_call_paths *paths, uint32_t thread)
{
	while (paths->stacks.n <= thread)
		ms_vec_add(&paths->stacks);
	return &paths->stacks.at[thread];
}

static struct ms_call_paths_stack *current_stack(struct ms_call_paths *paths)
{
	return stack_of(paths, paths->thread);
}

static void empty_stack(struct ms_call_paths_stack *stack)
{
	stack->frames.n = 0;
	stack->pending = 0;
	stack->is_unsure = stack->is_partial = false;
	stack->base = MS_ENGINE_ROOT_CONTEXT;
}

static void forget_stacks(struct ms_call_paths *paths)
{
	for (size_t i = 0; i < paths->stacks.n; i++)
		empty_stack(&paths->stacks.at[i]);
}

/* Where a transfer leads. */
struct target {
	uint64_t pc; /* 0: not known yet */
	uint64_t function;
};

static void transfer_to(struct ms_call_paths_stack *stack,
			const struct ms_engine_transfer *transfer, struct target target)
{
	if (transfer->kind == MS_ENGINE_TRANSFER_CALL)
		ms_call_paths_push(stack, transfer->pc, transfer->call_site, transfer->function);
	else if (target.pc == 0)
		stack->pending = transfer->kind + 1u;
	else if (transfer->kind == MS_ENGINE_TRANSFER_RETURN)
		ms_call_paths_pop(stack, target.pc);
	else
		ms_call_paths_switch_stack(stack, target.pc, target.function);
}

/* The block that is left by the next exit. */
static struct target target_of(const struct ms_call_paths *paths, uint32_t exit)
{
	const struct ms_call_paths_exit *next = find_exit(paths, exit);

	return next != NULL ? (struct target){ next->entry, next->block->function }
			    : (struct target){ 0, 0 };
}

/* Applies one transfer of an execution that was left by the exit. */
static void apply_transfer(const struct ms_call_paths *paths, struct ms_call_paths_stack *stack,
			   const struct ms_call_paths_exit *exit, uint32_t number, uint32_t next)
{
	const struct ms_engine_transfer *t = &exit->block->calls->transfer[number];
	bool is_last = t->instruction + 1u >= exit->block->exit_instructions[exit->number];

	transfer_to(stack, t,
		    is_last ? target_of(paths, next)
			    : (struct target){ t->next_pc, t->next_function });
}

/* A call, where nothing has to be searched or made. */
MS_INLINE bool push_fast(struct ms_call_paths_stack *stack, const struct ms_call_paths_exit *exit)
{
	if (stack->is_unsure || stack->frames.n >= stack->frames.cap ||
	    stack->frames.n >= MS_CALL_PATHS_MAX_DEPTH)
		return false;
	stack->frames.at[stack->frames.n++] =
		(struct ms_call_paths_frame){ exit->pc, exit->function, exit->call_site,
					      MS_CALL_PATHS_NOT_FOUND };
	return true;
}

/* A return to the newest call, which most returns are. */
MS_INLINE bool pop_fast(struct ms_call_paths_stack *stack, const struct ms_call_paths_exit *next)
{
	if (stack->frames.n == 0 || next == NULL ||
	    !ms_call_paths_is_return_of(&stack->frames.at[stack->frames.n - 1], next->entry))
		return false;
	stack->frames.n--;
	return true;
}

/* The same for an exit with one transfer, its last instruction. */
MS_INLINE void apply_only_transfer(const struct ms_call_paths *paths,
				   struct ms_call_paths_stack *stack,
				   const struct ms_call_paths_exit *exit, uint32_t next)
{
	if (exit->kind == MS_ENGINE_TRANSFER_CALL ? push_fast(stack, exit)
						  : pop_fast(stack, find_exit(paths, next)))
		return;
	transfer_to(stack, &exit->block->calls->transfer[exit->only], target_of(paths, next));
}

static void end_pending(struct ms_call_paths_stack *stack, struct target target)
{
	uint32_t kind = stack->pending - 1;

	stack->pending = 0;
	if (kind == MS_ENGINE_TRANSFER_RETURN)
		ms_call_paths_pop(stack, target.pc);
	else
		ms_call_paths_switch_stack(stack, target.pc, target.function);
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

static void count_some_of_shards(struct follower *f, uint32_t end, uint32_t context)
{
	do {
		struct ms_call_paths_miss miss = take_miss_of_shards(f);
		struct ms_call_paths_row row = { context, miss.site, miss.data };

		ms_call_paths_count_miss(&f->paths->contexts, &row, miss.missed);
	} while (f->next < end);
}

/* Counts the misses before `end` for the present stack: there is at least one. */
static MS_NOINLINE void count_some(struct follower *f, uint32_t end)
{
	struct ms_call_paths_contexts *contexts = &f->paths->contexts;
	uint32_t context = ms_call_paths_find_context(contexts, f->stack);

	if (f->paths->shards > 1) {
		count_some_of_shards(f, end, context);
		return;
	}
	struct ms_call_paths_share *only = &f->batch->shares[0];
	const struct ms_call_paths_miss *miss = only->misses.at + only->next;
	const struct ms_call_paths_miss *last = only->misses.at + only->misses.n;
	do {
		struct ms_call_paths_row row = { context, miss->site, miss->data };

		ms_call_paths_count_miss(contexts, &row, miss->missed);
		miss++;
	} while (miss < last && miss->position < end);
	only->next = (size_t)(miss - only->misses.at);
	f->next = miss < last ? miss->position : UINT32_MAX;
}

MS_INLINE void count_until(struct follower *f, uint32_t end)
{
	if (MS_UNLIKELY(f->next < end))
		count_some(f, end);
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
	if (exit->is_balanced && f->next >= mark->to)
		return;
	if (exit->kind == MS_CALL_PATHS_SEVERAL || (exit->has_inside && f->next < mark->to)) {
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
	if (f->stack->pending == 0)
		return;
	struct target target = target_of(f->paths, mark->exit);

	count_until(f, mark->to);
	if (target.pc != 0)
		end_pending(f->stack, target);
}

static void follow_thread(struct follower *f, const struct ms_call_paths_mark *mark)
{
	count_until(f, mark->to);
	if (mark->exit == MS_CALL_PATHS_NO_THREAD) {
		forget_stacks(f->paths);
		return;
	}
	f->paths->thread = mark->exit;
	f->stack = current_stack(f->paths);
}

static void follow_stack(struct follower *f, const struct ms_call_paths_mark *mark)
{
	const struct ms_engine_stack *known = f->batch->marks.stacks.at[mark->next];
	struct ms_call_paths_stack *stack;

	count_until(f, mark->to);
	stack = stack_of(f->paths, mark->exit);
	empty_stack(stack);
	for (uint32_t i = 0; i < known->n; i++)
		ms_call_paths_push(stack, known->call[i].pc, known->call[i].call_site,
				   known->call[i].function);
	stack->is_partial = true;
	f->stack = current_stack(f->paths); /* stacks may have moved */
}

/* Frames remember the numbers of their contexts. */
static void prune(struct ms_call_paths *paths)
{
	if (!ms_call_paths_is_full(&paths->contexts))
		return;
	ms_call_paths_flush_misses(&paths->contexts);
	ms_call_paths_prune(&paths->contexts);
	for (size_t i = 0; i < paths->stacks.n; i++) {
		struct ms_call_paths_stack *stack = &paths->stacks.at[i];

		if (stack->base != MS_ENGINE_ROOT_CONTEXT)
			stack->base = MS_ENGINE_OTHER_CONTEXTS;
		for (size_t k = 0; k < stack->frames.n; k++)
			stack->frames.at[k].context = MS_CALL_PATHS_NOT_FOUND;
	}
}

void ms_call_paths_finish_batch(struct ms_engine *engine, unsigned batch_index)
{
	struct ms_call_paths *paths = engine->call_paths;
	static void (*const follow[])(struct follower *, const struct ms_call_paths_mark *) = {
		[MS_CALL_PATHS_EXECUTION] = follow_execution,
		[MS_CALL_PATHS_PART] = follow_part,
		[MS_CALL_PATHS_ENTRY] = follow_entry,
		[MS_CALL_PATHS_THREAD] = follow_thread,
		[MS_CALL_PATHS_STACK] = follow_stack,
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
	prune(paths);
	for (unsigned i = 0; i < paths->shards; i++) {
		batch->shares[i].misses.n = 0;
		batch->shares[i].next = 0;
	}
}

void ms_call_paths_add_totals(const struct ms_engine *engine, struct ms_engine_totals *totals)
{
	if (engine->call_paths == NULL)
		return;
	ms_call_paths_flush_misses(&engine->call_paths->contexts);
	ms_call_paths_list_contexts(&engine->call_paths->contexts, totals);
}
