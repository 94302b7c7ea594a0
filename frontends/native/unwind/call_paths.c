/*
 * call_paths.c - call paths: unwound at an allocation, each sent once and then referred to by
 * number.
 */
#include "maps/maps.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "unwind/path_cache.h"
#include "unwind/stack_cache.h"
#include "unwind/unwind.h"
#include "wire/wire.h"

/* An open-addressing hash table of paths; the addresses are stored consecutively in chunks. */
struct numbered_path {
	uint64_t hash;
	uint64_t start;
	uint32_t length;
	uint32_t number_plus_1;
};

static struct numbered_path *table;
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
		hash = ms_unwind_hash_path(hash, path[--n]);
	return hash;
}

static const uint64_t *words_of(const struct numbered_path *e)
{
	return &chunks[e->start >> CHUNK_BITS][e->start % CHUNK];
}

static bool same_words(const uint64_t *a, const uint64_t *b, uint32_t n)
{
	while (n > 0 && a[n - 1] == b[n - 1])
		n--;
	return n == 0;
}

static struct numbered_path *find(uint64_t hash, const uint64_t *path, uint32_t n)
{
	uint64_t i = hash & (table_size - 1);

	while (table[i].number_plus_1 != 0) {
		struct numbered_path *e = &table[i];

		if (e->hash == hash && e->length == n && same_words(words_of(e), path, n))
			return e;
		i = (i + 1) & (table_size - 1);
	}
	return &table[i];
}

static bool grow_table(void)
{
	struct numbered_path *old = table;
	uint64_t old_size = table_size;
	struct numbered_path *wider =
		ms_runtime_map_pages((old_size ? old_size * 2 : 4096) * sizeof(*wider));

	if (wider == NULL)
		return false;
	table = wider;
	table_size = old_size ? old_size * 2 : 4096;
	for (uint64_t i = 0; i < old_size; i++)
		if (old[i].number_plus_1 != 0)
			*find(old[i].hash, words_of(&old[i]), old[i].length) = old[i];
	ms_runtime_unmap_pages(old, old_size * sizeof(*old));
	return true;
}

static bool store_path(const uint64_t *path, uint32_t n, uint64_t *start)
{
	uint64_t at = used % CHUNK + n <= CHUNK ? used : (used / CHUNK + 1) * CHUNK;
	uint64_t chunk = at >> CHUNK_BITS;

	if (chunk < CHUNKS && chunks[chunk] == NULL)
		chunks[chunk] = ms_runtime_map_pages(CHUNK * 8);
	if (chunk >= CHUNKS || chunks[chunk] == NULL)
		return false;
	ms_runtime_copy_bytes(&chunks[chunk][at % CHUNK], path, n * 8);
	*start = at;
	used = at + n;
	return true;
}

static uint32_t number_of(struct ms_runtime_thread *t, uint64_t hash, const uint64_t *path,
			  uint32_t n)
{
	uint64_t start;
	uint32_t number = MS_WIRE_NO_PATH;

	ms_runtime_lock(MS_RUNTIME_LOCK_PATHS);
	if ((uint64_t)count * 2 < table_size || grow_table()) {
		struct numbered_path *e = find(hash, path, n);

		if (e->number_plus_1 == 0 && store_path(path, n, &start)) {
			*e = (struct numbered_path){ hash, start, n, ++count };
			ms_runtime_write_event(t, MS_WIRE_PATH, count - 1, path, n, NULL, 0);
		}
		number = e->number_plus_1 - 1; /* all bits set if there was no memory */
	}
	ms_runtime_unlock(MS_RUNTIME_LOCK_PATHS);
	return number;
}

uint32_t ms_unwind_number_path(struct ms_runtime_thread *t, const uint64_t *path, uint32_t n)
{
	return number_of(t, hash_of(path, n), path, n);
}

/* In the order of their numbers, as the reader requires. */
void ms_unwind_report_all_paths(struct ms_runtime_thread *t)
{
	const struct numbered_path **by_number =
		ms_runtime_map_pages((count + 1) * sizeof(*by_number));

	if (by_number == NULL)
		return;
	for (uint64_t i = 0; i < table_size; i++)
		if (table[i].number_plus_1 != 0)
			by_number[table[i].number_plus_1 - 1] = &table[i];
	for (uint32_t i = 0; i < count; i++)
		ms_runtime_write_event(t, MS_WIRE_PATH, i, words_of(by_number[i]),
				       by_number[i]->length, NULL, 0);
	ms_runtime_unmap_pages(by_number, (count + 1) * sizeof(*by_number));
}

/* --- from a frame on the stack --- */

/* Drops calls that repeat the previous ones: recursion through a cycle of a few functions. */
static uint32_t drop_repetitions(uint64_t *path, uint32_t n)
{
	uint32_t length = 0;

	for (uint32_t i = 0; i < n; i++) {
		path[length++] = path[i];
		for (uint32_t k = 1; k <= MS_UNWIND_MAX_CYCLE && 2 * k <= length; k++)
			if (same_words(&path[length - k], &path[length - 2 * k], k))
				length -= k;
	}
	return length;
}

/* The number of a path with repetitions, or that is too long. */
static uint32_t number_folded(struct ms_runtime_thread *t, const uint64_t *whole, uint32_t n,
			      bool cut)
{
	uint64_t *path = t->path_cache->path;

	ms_runtime_copy_bytes(path, whole, n * 8);
	n = drop_repetitions(path, n);
	if (n > MS_WIRE_MAX_PATH - 1) {
		n = MS_WIRE_MAX_PATH - 1;
		cut = true;
	}
	if (cut)
		path[n++] = 0;
	return ms_unwind_number_path(t, path, n);
}

/* The number of the stack that has just been unwound, plus the pc of the call itself, if there is
 * one. */
static uint32_t number_stack(struct ms_runtime_thread *t, uint64_t pc, bool called)
{
	struct ms_unwind_cached_stack *s = &t->path_cache->stack;
	const struct ms_unwind_cached_call *call =
		s->first < MS_UNWIND_MAX_DEPTH ? &s->calls[s->first] : NULL;
	uint32_t n = MS_UNWIND_MAX_DEPTH - s->first + called;
	uint64_t *path = &s->pcs[s->first - called], hash = call != NULL ? call->hash : 0;
	bool repeats = call != NULL && call->repeats;

	if (called) {
		path[0] = pc;
		hash = ms_unwind_hash_path(hash, pc);
		repeats = repeats || ms_unwind_begins_with_cycle(path, n);
	}
	return s->cut || repeats || n > MS_WIRE_MAX_PATH - 1 ? number_folded(t, path, n, s->cut)
							     : number_of(t, hash, path, n);
}

static bool has_path_cache(struct ms_runtime_thread *t)
{
	if (t->path_cache == NULL)
		t->path_cache = ms_runtime_map_pages(sizeof(*t->path_cache));
	return t->path_cache != NULL;
}

/* Of a deep stack, the outermost and the innermost calls matter most. */
void ms_unwind_report_calls(struct ms_runtime_thread *t, const struct ms_unwind_frame *frame)
{
	enum { OUTER = MS_WIRE_MAX_PATH / 2, INNER = MS_WIRE_MAX_PATH - OUTER };

	if (!has_path_cache(t))
		return;
	struct ms_unwind_cached_stack *s = &t->path_cache->stack;

	ms_unwind_unwind_stack(t, s, frame, MS_UNWIND_MAX_DEPTH);
	const uint64_t *calls = &s->pcs[s->first];
	uint32_t n = MS_UNWIND_MAX_DEPTH - s->first;
	if (n > MS_WIRE_MAX_PATH) {
		uint64_t *some = t->path_cache->path;

		ms_runtime_copy_bytes(some, calls, INNER * 8);
		ms_runtime_copy_bytes(some + INNER, calls + n - OUTER, OUTER * 8);
		calls = some;
		n = MS_WIRE_MAX_PATH;
	}
	ms_runtime_write_event(t, MS_WIRE_CALLS, t->number, calls, n, NULL, 0);
}

uint32_t ms_unwind_get_path(struct ms_runtime_thread *t, const struct ms_unwind_frame *frame,
			    bool called)
{
	if (!has_path_cache(t))
		return MS_WIRE_NO_PATH;
	ms_unwind_unwind_stack(t, &t->path_cache->stack, frame, MS_UNWIND_MAX_DEPTH - called);
	return number_stack(t, frame->pc, called);
}

uint32_t ms_unwind_get_call_path(struct ms_runtime_thread *t, const struct ms_unwind_frame *frame)
{
	uint32_t number;

	ms_maps_find_or_scan_module(
		t, frame->pc); /* a library may have been mapped while nothing was traced */
	number = ms_unwind_get_path(t, frame, true);
	if (number != MS_WIRE_NO_PATH && frame->sp >= t->stack && frame->sp < t->stack_end)
		ms_unwind_cache_path(t, frame, number);
	return number;
}
