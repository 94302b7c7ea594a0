/*
 * engine/settle.c - what the sieve kept, through the levels.
 *
 * The lines of a batch fall through the levels together: what one level misses is what the next one
 * is asked for. After each level the misses' causes are counted. So each pass does one thing, and
 * what it will need from far memory is asked for ahead of it.
 */
#include "engine/engine_priv.h"

/* So many are asked for ahead. */
enum { GROUP = 16 };

/* --- the first level --- */

static bool is_mine(const struct ms_shard *shard, uint64_t line)
{
	return ms_engine_owner(shard->engine, line << shard->first_shift) == shard->number;
}

bool ms_shard_is_split(const struct ms_shard *shard, const struct falling *at,
		       const struct falling *end)
{
	bool mine = is_mine(shard, at->line);

	for (const struct falling *f = at + 1; f < end && f->reference == at->reference; f++)
		if (is_mine(shard, f->line) != mine)
			return true;
	return false;
}

/* Whether the first level missed a line that the sieve could not judge; or false: it is only one
 * that the sieve held at its end. */
static bool is_missed(struct ms_shard *shard, struct falling *f)
{
	if (shard->engine->sifters == 1)
		return true;
	f->victim = ms_cache_bring(&shard->first, f->line);
	return f->victim != f->line && f->cell != NULL;
}

/* This shard's lines of what the sieve kept, less those that were in the first level. */
static void take_own(struct ms_shard *shard, const struct batch *batch)
{
	const struct falling *at = batch->lines, *end = at + batch->n;
	struct falling *out;
	bool split = false;

	shard->falling.n = 0;
	ms_vec_reserve(&shard->falling, batch->n + 1);
	out = shard->falling.at;
	for (; at < end; at++) {
		bool mine = is_mine(shard, at->line);

		if (at == batch->lines || at[-1].reference != at->reference)
			split = MS_UNLIKELY(at + 1 < end && at[1].reference == at->reference) &&
				ms_shard_is_split(shard, at, end);
		*out = *at;
		out->split = split;
		/* A victim makes it sure; then others' lines are skipped without a branch. */
		if (MS_LIKELY(at->victim != MS_LINE_NONE && at->cell != NULL))
			out += mine;
		else if (mine && is_missed(shard, out))
			out++;
	}
	shard->falling.n = (size_t)(out - shard->falling.at);
}

/* --- the other levels --- */

/* Keeps of the lines those that miss the level; returns their number. */
static size_t fall_through(const struct cache *cache, struct falling *lines, size_t n)
{
	struct falling *at = lines, *out = lines, *end = lines + n;

	while (at < end) {
		struct falling *group = at + GROUP < end ? at + GROUP : end;

		if (cache->far)
			for (const struct falling *f = at; f < group; f++)
				ms_cache_expect(cache, f->line >> cache->up);
		for (; at < group; at++) {
			uint64_t line = at->line >> cache->up;
			uint64_t was = ms_cache_bring(cache, line);

			*out = *at;
			out->victim = was;
			out += was != line;
		}
	}
	return (size_t)(out - lines);
}

/* --- whose fault it was --- */

void ms_note_split(struct split_list *splits, const struct falling *f, unsigned level,
		   uint32_t record)
{
	*ms_vec_add(&splits->at) = (struct split){
		.line = f->line,
		.reference = f->reference,
		.site = f->cell->site,
		.data = f->cell->data,
		.level = level,
		.record = record,
		.phase = f->phase,
	};
}

/* The records of a line that came into the level, and of the one that left (NULL: none). */
struct records {
	uint32_t *came;
	uint32_t *left;
};

static void find_records(struct ms_shard *shard, const struct falling *f, unsigned level,
			 struct records *records)
{
	uint32_t up = level > 0 ? shard->cache[level].up : 0;

	records->came = ms_lines_at(&shard->lines, f->line >> up << up);
	__builtin_prefetch(records->came);
	records->left = NULL;
	if (f->victim == MS_LINE_NONE)
		return;
	records->left = ms_lines_at(&shard->lines, f->victim << up);
	__builtin_prefetch(records->left);
}

/* first: no earlier line of the same reference missed the level. */
static void blame(struct ms_shard *shard, unsigned slot, const struct falling *f, unsigned level,
		  const struct records *records, bool first)
{
	uint32_t record = records->came[level];

	if (records->left != NULL) {
		ms_tally_pair(&shard->tallies, ms_shard_tally(shard, f->cell), level, PAIR_EVICTS,
			      ms_line_data(records->left[level]));
		records->left[level] = ms_line_gone(f->cell->data);
	}
	records->came[level] = ms_line_here(f->cell->data);
	if (first)
		ms_shard_count_miss(shard, slot, f, level, record);
}

static void blame_all(struct ms_shard *shard, unsigned slot, unsigned level,
		      const struct falling *lines, size_t n)
{
	const struct falling *at = lines, *end = lines + n;
	struct records records[GROUP];

	while (at < end) {
		const struct falling *group = at + GROUP < end ? at + GROUP : end;
		struct records *r = records;

		for (const struct falling *f = at; f < group; f++)
			find_records(shard, f, level, r++);
		for (r = records; at < group; at++) {
			bool first = at == lines || at[-1].reference != at->reference;

			blame(shard, slot, at, level, r++, first);
		}
	}
}

static void settle_plain(struct ms_shard *shard, unsigned slot)
{
	struct batch *batch = &shard->engine->batch[slot];
	struct falling *lines = batch->lines;
	size_t n = batch->n;

	/* Where one shard does all, what the sieve kept is what the first level missed. */
	if (shard->engine->shards > 1) {
		take_own(shard, batch);
		lines = shard->falling.at;
		n = shard->falling.n;
	}
	__atomic_store_n(&shard->misses, shard->misses + n, __ATOMIC_RELAXED);
	for (unsigned level = 0; level < shard->levels && n > 0; level++) {
		if (level > 0)
			n = fall_through(&shard->cache[level], lines, n);
		blame_all(shard, slot, level, lines, n);
	}
}

void ms_shard_settle(struct ms_shard *shard, unsigned slot)
{
	if (shard->processors != NULL)
		ms_processors_settle(shard, slot);
	else if (shard->general == NULL)
		settle_plain(shard, slot);
	else
		ms_general_settle(shard, slot);
}
