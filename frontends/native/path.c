/*
 * path.c - call paths: unwound at an allocation, each sent once and then referred to by number.
 */
#include "maps/maps.h"
#include "recent.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "stack.h"
#include "unwind/unwind.h"
#include "wire/wire.h"

/* An open-addressing hash table of paths; the addresses are stored consecutively in chunks. */
struct entry {
	uint64_t hash;
	uint64_t start;
	uint32_t length;
	uint32_t number_plus_1;
};

static struct entry *table;
static uint64_t table_size; /* a power of two */
static uint32_t count;

enum { CHUNK_BITS = 17, CHUNK = 1 << CHUNK_BITS, CHUNKS = 4096 };
static uint64_t *chunks[CHUNKS];
static uint64_t used; /* words of all chunks */

/* Beginning with the outermost call. */
static uint64_t hash_of(const uint64_t *path, uint32_t n)
{
	uint64_t hash = 0;

	while (n > 0)
		hash = ms_path_hash(hash, path[--n]);
	return hash;
}

static const uint64_t *words_of(const struct entry *e)
{
	return &chunks[e->start >> CHUNK_BITS][e->start % CHUNK];
}

static bool same_words(const uint64_t *a, const uint64_t *b, uint32_t n)
{
	while (n > 0 && a[n - 1] == b[n - 1])
		n--;
	return n == 0;
}

static struct entry *find(uint64_t hash, const uint64_t *path, uint32_t n)
{
	uint64_t i = hash & (table_size - 1);

	while (table[i].number_plus_1 != 0) {
		struct entry *e = &table[i];

		if (e->hash == hash && e->length == n && same_words(words_of(e), path, n))
			return e;
		i = (i + 1) & (table_size - 1);
	}
	return &table[i];
}

static bool grow_table(void)
{
	struct entry *old = table;
	uint64_t old_size = table_size;
	struct entry *wider = ms_pages((old_size ? old_size * 2 : 4096) * sizeof(*wider));

	if (wider == NULL)
		return false;
	table = wider;
	table_size = old_size ? old_size * 2 : 4096;
	for (uint64_t i = 0; i < old_size; i++)
		if (old[i].number_plus_1 != 0)
			*find(old[i].hash, words_of(&old[i]), old[i].length) = old[i];
	ms_pages_free(old, old_size * sizeof(*old));
	return true;
}

static bool keep(const uint64_t *path, uint32_t n, uint64_t *start)
{
	uint64_t at = used % CHUNK + n <= CHUNK ? used : (used / CHUNK + 1) * CHUNK;
	uint64_t chunk = at >> CHUNK_BITS;

	if (chunk < CHUNKS && chunks[chunk] == NULL)
		chunks[chunk] = ms_pages(CHUNK * 8);
	if (chunk >= CHUNKS || chunks[chunk] == NULL)
		return false;
	ms_copy(&chunks[chunk][at % CHUNK], path, n * 8);
	*start = at;
	used = at + n;
	return true;
}

static uint32_t number_of(struct ms_thread *t, uint64_t hash, const uint64_t *path, uint32_t n)
{
	uint64_t start;
	uint32_t number = MS_WIRE_NO_PATH;

	ms_lock(MS_LOCK_PATHS);
	if ((uint64_t)count * 2 < table_size || grow_table()) {
		struct entry *e = find(hash, path, n);

		if (e->number_plus_1 == 0 && keep(path, n, &start)) {
			*e = (struct entry){ hash, start, n, ++count };
			ms_lane_event(t, MS_WIRE_PATH, count - 1, path, n, NULL, 0);
		}
		number = e->number_plus_1 - 1; /* all bits set if there was no memory */
	}
	ms_unlock(MS_LOCK_PATHS);
	return number;
}

uint32_t ms_path_number(struct ms_thread *t, const uint64_t *path, uint32_t n)
{
	return number_of(t, hash_of(path, n), path, n);
}

/* In the order of their numbers, as the reader requires. */
void ms_path_tell_again(struct ms_thread *t)
{
	const struct entry **by_number = ms_pages((count + 1) * sizeof(*by_number));

	if (by_number == NULL)
		return;
	for (uint64_t i = 0; i < table_size; i++)
		if (table[i].number_plus_1 != 0)
			by_number[table[i].number_plus_1 - 1] = &table[i];
	for (uint32_t i = 0; i < count; i++)
		ms_lane_event(t, MS_WIRE_PATH, i, words_of(by_number[i]), by_number[i]->length,
			      NULL, 0);
	ms_pages_free(by_number, (count + 1) * sizeof(*by_number));
}

/* --- from a frame on the stack --- */

/* Drops calls that repeat the previous ones: recursion through a cycle of a few functions. */
static uint32_t fold(uint64_t *path, uint32_t n)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < n; i++) {
		path[kept++] = path[i];
		for (uint32_t k = 1; k <= MS_PATH_CYCLE && 2 * k <= kept; k++)
			if (same_words(&path[kept - k], &path[kept - 2 * k], k))
				kept -= k;
	}
	return kept;
}

/* The number of a path with repetitions, or that is too long. */
static uint32_t number_folded(struct ms_thread *t, const uint64_t *whole, uint32_t n, bool cut)
{
	uint64_t *path = t->recent->path;

	ms_copy(path, whole, n * 8);
	n = fold(path, n);
	if (n > MS_WIRE_MAX_PATH - 1) {
		n = MS_WIRE_MAX_PATH - 1;
		cut = true;
	}
	if (cut)
		path[n++] = 0;
	return ms_path_number(t, path, n);
}

/* The number of the stack that has just been unwound, plus the pc of the call itself, if there is
 * one. */
static uint32_t number_here(struct ms_thread *t, uint64_t pc, bool called)
{
	struct ms_stack *s = &t->recent->stack;
	const struct ms_call_frame *call = s->first < MS_PATH_DEEPEST ? &s->calls[s->first] : NULL;
	uint32_t n = MS_PATH_DEEPEST - s->first + called;
	uint64_t *path = &s->pcs[s->first - called], hash = call != NULL ? call->hash : 0;
	bool repeats = call != NULL && call->repeats;

	if (called) {
		path[0] = pc;
		hash = ms_path_hash(hash, pc);
		repeats = repeats || ms_path_repeats(path, n);
	}
	return s->cut || repeats || n > MS_WIRE_MAX_PATH - 1 ? number_folded(t, path, n, s->cut)
							     : number_of(t, hash, path, n);
}

uint32_t ms_path_here(struct ms_thread *t, const struct ms_frame *frame, bool called)
{
	if (t->recent == NULL)
		t->recent = ms_pages(sizeof(*t->recent));
	if (t->recent == NULL)
		return MS_WIRE_NO_PATH;
	ms_stack_unwind(t, &t->recent->stack, frame, MS_PATH_DEEPEST - called);
	return number_here(t, frame->pc, called);
}

uint32_t ms_path_call(struct ms_thread *t, const struct ms_frame *frame)
{
	uint32_t number;

	ms_maps_find(t, frame->pc); /* a library may have been mapped while nothing was traced */
	number = ms_path_here(t, frame, true);
	if (number != MS_WIRE_NO_PATH && frame->sp >= t->stack && frame->sp < t->stack_end)
		ms_recent_add(t, frame, number);
	return number;
}
