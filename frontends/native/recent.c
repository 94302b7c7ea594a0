/*
 * recent.c - caches call paths by pc and stack pointer of a call, and by the stack words that
 * determine them.
 *
 * Several callers of one pc may have the same stack pointer, as callers of `operator new` in one
 * function, or of a program's own xmalloc(). Then the entry is a fork: it selects by the first word
 * that differs, so that only one path is compared completely.
 */
#include "recent.h"

#include "kept.h"
#include "runtime/libc_substitutes.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "stack.h"
#include "sys.h"
#include "unwind/unwind.h"

static const uint64_t VALUE = (UINT64_C(1) << MS_RECENT_VALUE_BITS) - 1;

/* The first word that differs now; r->depth: none does. */
static uint32_t first_other(const struct ms_recent *r, const uint64_t *stack)
{
	uint32_t i = 0;

	while (i < r->depth &&
	       ((stack[r->words[i] >> MS_RECENT_VALUE_BITS] ^ r->words[i]) & VALUE) == 0)
		i++;
	return i;
}

const struct ms_recent *ms_recent_again(struct ms_thread *t, uint64_t pc, uint64_t sp)
{
	if (t->recent == NULL || sp < t->stack || sp >= t->stack_end)
		return NULL;
	const struct ms_recent *r = ms_recent_candidate(t->recent, pc, sp);

	return r != NULL && r->depth != 0 && first_other(r, ms_recent_stack(sp)) == r->depth ? r
											     : NULL;
}

/* Its entry, or the entry to use: a free one, or one of the two alternately. */
static struct ms_recent *place(struct ms_recents *all, uint64_t pc, uint64_t sp, uint32_t way)
{
	struct ms_recent *r = ms_recent_find(all, pc, sp, way);
	uint32_t at = ms_recent_place(pc, sp, way);

	if (r != NULL)
		return r;
	at ^= all->all[at].pc != 0 && (all->all[at ^ 1].pc == 0 || all->turn++ % 2 != 0);
	r = &all->all[at];
	r->pc = pc;
	r->sp = sp;
	r->way = way;
	r->depth = r->fork = 0;
	return r;
}

static void copy(struct ms_recent *to, const struct ms_recent *from)
{
	if (to == from)
		return;
	to->number = from->number;
	to->next = from->next;
	to->fork = from->fork;
	to->depth = from->depth;
	ms_copy(to->words, from->words, from->depth * 8);
	for (uint32_t i = to->depth; i % MS_RECENT_GROUP != 0; i++)
		to->words[i] = to->words[0];
}

/* The entry for a path that was not found: after all forks, and after a new one if another path is
 * there. */
static struct ms_recent *place_for(struct ms_recents *all, uint64_t pc, uint64_t sp)
{
	const uint64_t *stack = ms_recent_stack(sp);
	struct ms_recent *r = place(all, pc, sp, 0);

	for (uint32_t turn = 0; turn < MS_RECENT_FORKS && r->fork != 0; turn++)
		r = place(all, pc, sp, ms_recent_way(r->way, stack[r->fork - 1]));
	uint32_t i = first_other(r, stack), way = r->way;
	if (i == r->depth)
		return r;
	uint32_t slot = (uint32_t)(r->words[i] >> MS_RECENT_VALUE_BITS);
	copy(place(all, pc, sp, ms_recent_way(way, r->words[i] & VALUE)), r);
	r->fork = (uint16_t)(slot + 1);
	r->depth = 0;
	return place(all, pc, sp, ms_recent_way(way, stack[slot] & VALUE));
}

/* A word of the stack, as it is cached; 0: it cannot be. */
static uint64_t packed_word(uint64_t sp, uint64_t at, uint64_t value)
{
	uint64_t word = at / 8 - sp / 8 + MS_RECENT_BELOW;

	return at % 8 == 0 && word < UINT16_MAX ? word << MS_RECENT_VALUE_BITS | (value & VALUE)
						: 0;
}

/* The words that determine the stack as just unwound; 0: they cannot be cached. */
static uint32_t pack_words(const struct ms_stack *s, const struct ms_frame *frame, uint64_t *packed)
{
	uint32_t n = 0, all = MS_STACK_WORDS - s->first_word + s->by_fp;

	if (!s->known || s->first == MS_PATH_DEEPEST || all > MS_RECENT_WORDS)
		return 0;
	if (s->by_fp)
		packed[n++] = packed_word(frame->sp, frame->sp - 8 * MS_RECENT_BELOW,
					  frame->kept[MS_KEPT_FP]);
	for (uint32_t i = s->first_word; i < MS_STACK_WORDS; i++)
		if ((packed[n++] = packed_word(frame->sp, s->words[i].at, s->words[i].value)) == 0)
			return 0;
	return n;
}

void ms_recent_add(struct ms_thread *t, const struct ms_frame *frame, uint32_t number)
{
	uint64_t *packed = t->recent->packed;
	uint32_t n = pack_words(&t->recent->stack, frame, packed);

	if (n == 0)
		return;
	if (t->recent->added < MS_RECENT_MANY && ++t->recent->added == MS_RECENT_MANY)
		ms_pages_join(t->recent->all, sizeof(t->recent->all));
	struct ms_recent *r = place_for(t->recent, frame->pc, frame->sp);
	r->number = number;
	ms_copy(r->words, packed, n * 8);
	for (uint32_t i = n; i % MS_RECENT_GROUP != 0; i++)
		r->words[i] = packed[0];
	r->fork = 0;
	r->depth = (uint16_t)n;
	if (t->recent_last != NULL)
		t->recent_last->next = (uint32_t)((uint8_t *)r - (uint8_t *)t->recent);
	t->recent_last = r;
	t->recent_next = ms_recent_at(t->recent, r->next);
}

/* A thread that searches meanwhile finds nothing, or what it has just added. */
void ms_recent_forget(void)
{
	enum { DONTNEED = 4 };
	_Static_assert(offsetof(struct ms_recents, all) == 0 &&
			       sizeof(((struct ms_recents *)0)->all) % MS_PAGE == 0,
		       "whole pages");

	for (struct ms_thread *t = ms_thread_next(NULL); t != NULL; t = ms_thread_next(t))
		if (t->recent != NULL)
			ms_sys(__NR_madvise, (long)t->recent->all, sizeof(t->recent->all), DONTNEED,
			       0, 0, 0);
}
