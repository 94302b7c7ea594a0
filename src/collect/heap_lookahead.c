#include "collect/heap_lookahead.h"

#include "collect/events/events.h"

/* The object's range is prefetched this many records after the entry that points to it. */
enum { APART = 4 };

static bool is_event(const uint64_t *words, size_t n, size_t at)
{
	return at < n && ms_wire_kind_of(words[at]) != MS_WIRE_EXEC &&
	       ms_wire_words_of(words[at]) > 0 && ms_wire_words_of(words[at]) <= n - at;
}

static bool is_of_heap(uint32_t kind)
{
	return kind == MS_WIRE_FREE || kind == MS_WIRE_ALLOC;
}

/* The block that the record frees; 0: none, or one just allocated, which is in the cache. */
static uint64_t expect(struct ms_collect_lookahead *a, const struct ms_collect_worker *w,
		       const uint64_t *record)
{
	uint32_t kind = ms_wire_kind_of(record[0]);

	if (!is_of_heap(kind) || ms_wire_words_of(record[0]) < 2 || record[1] == a->last)
		return 0;
	a->last = record[1];
	EACH_SHARD(w, shard)
		ms_engine_prefetch_object(shard, record[1]);
	return kind == MS_WIRE_FREE ? record[1] : 0;
}

static void look_at(struct ms_collect_lookahead *a, const struct ms_collect_worker *w,
		    const uint64_t *record)
{
	uint64_t earlier = a->looked_ahead - a->processed >= APART
				   ? a->block[(a->looked_ahead - APART) % MS_COLLECT_LOOKAHEAD]
				   : 0;

	a->block[a->looked_ahead++ % MS_COLLECT_LOOKAHEAD] = expect(a, w, record);
	if (earlier != 0)
		EACH_SHARD(w, shard)
			ms_engine_prefetch_object_range(shard, earlier);
}

void ms_collect_look_ahead(struct ms_collect_lookahead *a, const struct ms_collect_worker *w,
			   const uint64_t *words, size_t n, size_t at)
{
	if (a->looked_ahead == a->processed) {
		a->at = at;
		/* Single events, as between short time slices, are not worth it. */
		if (!is_of_heap(ms_wire_kind_of(words[at])) &&
		    !is_event(words, n, at + ms_wire_words_of(words[at])))
			return;
	}
	while (a->looked_ahead - a->processed < MS_COLLECT_LOOKAHEAD && is_event(words, n, a->at)) {
		look_at(a, w, words + a->at);
		a->at += ms_wire_words_of(words[a->at]);
	}
	a->processed++;
}

static uint64_t block_of(uint64_t base, uint64_t word)
{
	uint64_t record[MS_WIRE_UNPACKED];

	ms_wire_unpack(base, word, record);
	return record[1];
}

static bool is_freed(uint64_t word)
{
	return (word & MS_WIRE_PACKED_ALLOC) == 0;
}

static void expect_packed(const struct ms_collect_worker *w, uint64_t base, const uint64_t *words,
			  size_t i)
{
	uint64_t block = block_of(base, words[i]);

	if (i > 0 && block == block_of(base, words[i - 1]))
		return;
	EACH_SHARD(w, shard)
		ms_engine_prefetch_object(shard, block);
}

void ms_collect_look_ahead_packed(const struct ms_collect_worker *w, uint64_t base,
				  const uint64_t *words, const uint16_t *partner, size_t n,
				  size_t i)
{
	for (size_t k = i == 0 ? 0 : i + MS_COLLECT_LOOKAHEAD - 1;
	     k < n && k < i + MS_COLLECT_LOOKAHEAD; k++)
		if (partner[k] == 0)
			expect_packed(w, base, words, k);
	if (i + APART < n && partner[i + APART] == 0 && is_freed(words[i + APART]))
		EACH_SHARD(w, shard)
			ms_engine_prefetch_object_range(shard, block_of(base, words[i + APART]));
}
