/*
 * kept_stack_name.c - decides whether the name of a function's variables on the stack may stay
 * between its calls.
 *
 * Calls of short functions are too frequent to be noticed: leaving generated code twice takes
 * longer than the function. If the function is called at the same stack pointer each time, and no
 * other code uses the memory between its calls, then the name can stay, and the calls need not be
 * noticed. Both are observed while they are noticed: the addresses of all references are in the
 * lane.
 *
 * While the name stays, each chunk of the lane is checked: blocks other than those that used the
 * variables before may not use the memory, but for a few. (A few: seldom executed paths.)
 */
#include "heap/kept_stack_name.h"

#include "heap/heap.h"
#include "runtime/lanes.h"
#include "wire/wire.h"

enum {
	ENOUGH_CALLS = 1024, /* between which no other code has used the memory */
	MOST_WORDS = 4096,   /* that a call, or the time between two, is observed for */
	FEW = 8,             /* one in so many uses may be by other blocks */
};

/* Finds the next execution in the lane that refers to the memory. */
static bool find_use(const struct ms_heap_kept_name *k, const uint64_t **at, const uint64_t *end,
		     uint32_t *exit)
{
	while (*at < end) {
		const uint64_t *head = *at, *ref = head + 1;
		uint32_t words = ms_wire_words_of(*head);

		*at += words > 0 ? words : 1;
		if (ms_wire_kind_of(*head) != MS_WIRE_EXEC)
			continue;
		while (ref < *at && *ref - k->start >= k->size)
			ref++;
		if (ref < *at) {
			*exit = ms_wire_arg_of(*head);
			return true;
		}
	}
	return false;
}

static bool is_known_exit(const struct ms_heap_kept_name *k, uint32_t exit)
{
	for (uint32_t i = 0; i < k->exits; i++)
		if (k->exit[i] == exit)
			return true;
	return false;
}

static void mark_position(struct ms_runtime_thread *t, struct ms_heap_kept_name *k)
{
	ms_runtime_end_packed_record(t);
	k->chunk = t->lane.filled;
	k->since = t->lane.cursor;
}

/* Whether the lane has all references since mark_position(). */
static bool has_all_since(struct ms_runtime_thread *t, const struct ms_heap_kept_name *k)
{
	ms_runtime_end_packed_record(t);
	return k->chunk == t->lane.filled && !t->stopped && k->since >= t->lane.chunk_start &&
	       k->since <= t->lane.cursor &&
	       t->lane.cursor <= t->lane.chunk_start + t->chunk_bytes &&
	       t->lane.cursor - k->since <= MOST_WORDS * 8;
}

void ms_heap_observe_call(struct ms_runtime_thread *t, const struct ms_heap_stack_frame *frame,
			  uint64_t start, uint64_t size)
{
	struct ms_heap_kept_name *k = ms_heap_get_kept_name(t);
	uint32_t exit;

	if (k->is_kept)
		return;
	if (k->frame.function != frame->function || k->frame.cfa != frame->cfa) {
		*k = (struct ms_heap_kept_name){ .frame = *frame, .start = start, .size = size };
		return;
	}
	if (k->is_interrupted) { /* nothing is known of the time since then */
		k->is_interrupted = false;
		return;
	}
	const uint64_t *at = (const uint64_t *)k->since;

	if (!k->has_returned || !has_all_since(t, k) ||
	    find_use(k, &at, (const uint64_t *)t->lane.cursor, &exit))
		k->private_uses = 0;
}

void ms_heap_mark_call(struct ms_runtime_thread *t)
{
	struct ms_heap_kept_name *k = ms_heap_get_kept_name(t);

	if (k->is_kept)
		return;
	k->has_returned = false;
	mark_position(t, k);
}

void ms_heap_interrupt_kept_name(struct ms_runtime_thread *t)
{
	ms_heap_get_kept_name(t)->is_interrupted = true;
}

/* False: there are too many. */
static bool add_exit(struct ms_heap_kept_name *k, uint32_t exit)
{
	if (is_known_exit(k, exit))
		return true;
	if (k->exits == MS_HEAP_KEPT_EXITS)
		return false;
	k->exit[k->exits++] = exit;
	return true;
}

void ms_heap_observe_return(struct ms_runtime_thread *t, const struct ms_heap_stack_frame *frame)
{
	struct ms_heap_kept_name *k = ms_heap_get_kept_name(t);
	const uint64_t *at = (const uint64_t *)k->since;
	bool used = false, known = true;
	uint32_t exit;

	if (k->is_kept || k->frame.function != frame->function || k->frame.cfa != frame->cfa)
		return;
	if (!has_all_since(t, k))
		return; /* the chunk has ended meanwhile: nothing is known of this call */
	while (find_use(k, &at, (const uint64_t *)t->lane.cursor, &exit)) {
		used = true;
		known = add_exit(k, exit) && known;
	}
	k->private_uses = used && known ? k->private_uses + 1 : 0;
}

void ms_heap_mark_return(struct ms_runtime_thread *t, const struct ms_heap_stack_frame *frame)
{
	struct ms_heap_kept_name *k = ms_heap_get_kept_name(t);

	if (k->is_kept || k->frame.function != frame->function || k->frame.cfa != frame->cfa)
		return;
	k->has_returned = true;
	mark_position(t, k);
}

bool ms_heap_may_keep_name(const struct ms_runtime_thread *t,
			   const struct ms_wire_stack_function *function)
{
	const struct ms_heap_kept_name *k = ms_heap_get_kept_name(t);

	return !k->is_kept && k->frame.function == function && k->private_uses >= ENOUGH_CALLS;
}

void ms_heap_learn_kept_name(struct ms_runtime_thread *t)
{
	struct ms_heap_kept_name *k = ms_heap_get_kept_name(t);

	if (!k->is_kept)
		return;
	k->is_learning = true;
	mark_position(t, k);
}

/* Of the first words since then; the next chunk, if this one ends before. */
static void learn_exits(struct ms_runtime_thread *t, struct ms_heap_kept_name *k)
{
	const uint64_t *from =
		(const uint64_t *)(k->chunk == t->lane.filled ? k->since : t->lane.chunk_start);
	const uint64_t *end = (const uint64_t *)t->lane.cursor, *at = from;
	uint32_t exit;

	if (end - from > MOST_WORDS)
		end = from + MOST_WORDS;
	while (find_use(k, &at, end, &exit))
		add_exit(k, exit);
	k->is_learning = end - from < MOST_WORDS && k->chunk == t->lane.filled;
}

void ms_heap_check_kept_name(struct ms_runtime_thread *t)
{
	struct ms_heap_kept_name *k = ms_heap_get_kept_name(t);
	uint64_t uses = 0, others = 0;
	uint32_t exit;

	if (!k->is_kept || k->is_disproved || t->stopped)
		return;
	ms_runtime_end_packed_record(t);
	const uint64_t *at = (const uint64_t *)t->lane.chunk_start;

	if (k->is_learning)
		learn_exits(t, k);
	while (find_use(k, &at, (const uint64_t *)t->lane.cursor, &exit)) {
		uses++;
		others += !is_known_exit(k, exit);
	}
	k->is_disproved = others > uses / FEW;
}
