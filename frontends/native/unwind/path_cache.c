/*
 * path_cache.c - caches call paths by pc and stack pointer of a call, and by the stack words that
 * determine them.
 *
 * Several callers of one pc may have the same stack pointer, as callers of `operator new` in one
 * function, or of a program's own xmalloc(). Then the entry is a fork: it selects by the first word
 * that differs, so that only one path is compared completely.
 */
#include "unwind/path_cache.h"

#include "callee_saved.h"
#include "raw_syscall.h"
#include "runtime/libc_substitutes.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "unwind/stack_cache.h"
#include "unwind/unwind.h"

static const uint64_t VALUE = (UINT64_C(1) << MS_UNWIND_PATH_CACHE_VALUE_BITS) - 1;

/* The first word that differs now; r->depth: none does. */
static uint32_t find_first_difference(const struct ms_unwind_path_cache_entry *r,
				      const uint64_t *stack)
{
	uint32_t i = 0;

	while (i < r->depth &&
	       ((stack[r->words[i] >> MS_UNWIND_PATH_CACHE_VALUE_BITS] ^ r->words[i]) & VALUE) == 0)
		i++;
	return i;
}

const struct ms_unwind_path_cache_entry *ms_unwind_find_cached_path(struct ms_runtime_thread *t,
								    uint64_t pc, uint64_t sp)
{
	if (t->path_cache == NULL || sp < t->stack || sp >= t->stack_end)
		return NULL;
	const struct ms_unwind_path_cache_entry *r =
		ms_unwind_find_candidate(t->path_cache, pc, sp);

	return r != NULL && r->depth != 0 &&
			       find_first_difference(r, ms_unwind_get_compared_stack(sp)) ==
				       r->depth
		       ? r
		       : NULL;
}

/* Its entry, or the entry to use: a free one, or one of the two alternately. */
static struct ms_unwind_path_cache_entry *
get_or_make_entry(struct ms_unwind_path_cache *all, uint64_t pc, uint64_t sp, uint32_t fork_key)
{
	struct ms_unwind_path_cache_entry *r = ms_unwind_find_entry(all, pc, sp, fork_key);
	uint32_t at = ms_unwind_hash_call(pc, sp, fork_key);

	if (r != NULL)
		return r;
	at ^= all->all[at].pc != 0 && (all->all[at ^ 1].pc == 0 || all->replace_toggle++ % 2 != 0);
	r = &all->all[at];
	r->pc = pc;
	r->sp = sp;
	r->fork_key = fork_key;
	r->depth = r->fork = 0;
	return r;
}

static void copy_entry(struct ms_unwind_path_cache_entry *to,
		       const struct ms_unwind_path_cache_entry *from)
{
	if (to == from)
		return;
	to->number = from->number;
	to->next = from->next;
	to->fork = from->fork;
	to->depth = from->depth;
	ms_runtime_copy_bytes(to->words, from->words, from->depth * 8);
	for (uint32_t i = to->depth; i % MS_UNWIND_PATH_CACHE_COMPARE_WORDS != 0; i++)
		to->words[i] = to->words[0];
}

/* The entry for a path that was not found: after all forks, and after a new one if another path is
 * there. */
static struct ms_unwind_path_cache_entry *find_insert_entry(struct ms_unwind_path_cache *all,
							    uint64_t pc, uint64_t sp)
{
	const uint64_t *stack = ms_unwind_get_compared_stack(sp);
	struct ms_unwind_path_cache_entry *r = get_or_make_entry(all, pc, sp, 0);

	for (uint32_t round = 0; round < MS_UNWIND_PATH_CACHE_MAX_FORKS && r->fork != 0; round++)
		r = get_or_make_entry(all, pc, sp,
				      ms_unwind_hash_fork(r->fork_key, stack[r->fork - 1]));
	uint32_t i = find_first_difference(r, stack), fork_key = r->fork_key;
	if (i == r->depth)
		return r;
	uint32_t slot = (uint32_t)(r->words[i] >> MS_UNWIND_PATH_CACHE_VALUE_BITS);
	copy_entry(
		get_or_make_entry(all, pc, sp, ms_unwind_hash_fork(fork_key, r->words[i] & VALUE)),
		r);
	r->fork = (uint16_t)(slot + 1);
	r->depth = 0;
	return get_or_make_entry(all, pc, sp, ms_unwind_hash_fork(fork_key, stack[slot] & VALUE));
}

/* A word of the stack, as it is cached; 0: it cannot be. */
static uint64_t packed_word(uint64_t sp, uint64_t at, uint64_t value)
{
	uint64_t word = at / 8 - sp / 8 + MS_UNWIND_PATH_CACHE_WORDS_BELOW_SP;

	return at % 8 == 0 && word < UINT16_MAX
		       ? word << MS_UNWIND_PATH_CACHE_VALUE_BITS | (value & VALUE)
		       : 0;
}

/* The words that determine the stack as just unwound; 0: they cannot be cached. */
static uint32_t pack_words(const struct ms_unwind_cached_stack *s,
			   const struct ms_unwind_frame *frame, uint64_t *packed)
{
	uint32_t n = 0, all = MS_UNWIND_MAX_STACK_WORDS - s->first_word + s->by_fp;

	if (!s->known || s->first == MS_UNWIND_MAX_DEPTH || all > MS_UNWIND_PATH_CACHE_MAX_WORDS)
		return 0;
	if (s->by_fp)
		packed[n++] =
			packed_word(frame->sp, frame->sp - 8 * MS_UNWIND_PATH_CACHE_WORDS_BELOW_SP,
				    frame->callee_saved[MS_UNWIND_CALLEE_SAVED_FP]);
	for (uint32_t i = s->first_word; i < MS_UNWIND_MAX_STACK_WORDS; i++)
		if ((packed[n++] = packed_word(frame->sp, s->words[i].at, s->words[i].value)) == 0)
			return 0;
	return n;
}

void ms_unwind_cache_path(struct ms_runtime_thread *t, const struct ms_unwind_frame *frame,
			  uint32_t number)
{
	uint64_t *packed = t->path_cache->packed;
	uint32_t n = pack_words(&t->path_cache->stack, frame, packed);

	if (n == 0)
		return;
	if (t->path_cache->added < MS_UNWIND_PATH_CACHE_HUGE_PAGES_FROM &&
	    ++t->path_cache->added == MS_UNWIND_PATH_CACHE_HUGE_PAGES_FROM)
		ms_runtime_use_huge_pages(t->path_cache->all, sizeof(t->path_cache->all));
	struct ms_unwind_path_cache_entry *r =
		find_insert_entry(t->path_cache, frame->pc, frame->sp);
	r->number = number;
	ms_runtime_copy_bytes(r->words, packed, n * 8);
	for (uint32_t i = n; i % MS_UNWIND_PATH_CACHE_COMPARE_WORDS != 0; i++)
		r->words[i] = packed[0];
	r->fork = 0;
	r->depth = (uint16_t)n;
	if (t->path_last != NULL)
		t->path_last->next = (uint32_t)((uint8_t *)r - (uint8_t *)t->path_cache);
	t->path_last = r;
	t->path_next = ms_unwind_get_entry_at(t->path_cache, r->next);
}

void ms_unwind_empty_path_cache(struct ms_runtime_thread *t)
{
	enum { DONTNEED = 4 };

	if (t->path_cache != NULL)
		ms_runtime_syscall(__NR_madvise, (long)t->path_cache, sizeof(*t->path_cache),
				   DONTNEED, 0, 0, 0);
}

/* A thread that searches meanwhile finds nothing, or what it has just added. */
void ms_unwind_clear_path_caches(void)
{
	enum { DONTNEED = 4 };
	_Static_assert(offsetof(struct ms_unwind_path_cache, all) == 0 &&
			       sizeof(((struct ms_unwind_path_cache *)0)->all) %
					       MS_RUNTIME_PAGE_BYTES ==
				       0,
		       "whole pages");

	for (struct ms_runtime_thread *t = ms_runtime_get_next_thread(NULL); t != NULL;
	     t = ms_runtime_get_next_thread(t))
		if (t->path_cache != NULL)
			ms_runtime_syscall(__NR_madvise, (long)t->path_cache->all,
					   sizeof(t->path_cache->all), DONTNEED, 0, 0, 0);
}
