/*
 * engine/settle.c - what the sieve kept, through the levels.
 *
 * The lines of a batch fall through the levels together: what one level misses is what the next one
 * is asked for. After each level the misses' causes are counted. So each pass does one thing, and
 * what it will need from far memory is asked for ahead of it.
 */
#include "engine/charges.h"
#include "engine/engine_priv.h"
#include "engine/fall.h"

/* So many are asked for ahead. */
enum { AHEAD = 16 };

/* --- whose fault it was --- */

void ms_shard_note_split(struct ms_shard *shard, unsigned slot, const struct falling *f,
			 unsigned level, uint32_t record)
{
	const struct doubts *share = &shard->engine->batch[slot].shares[shard->number];

	*ms_vec_add(&shard->splits[slot].at) = (struct split){
		.line = f->line,
		.reference = ms_doubts_reference(share, f->reference),
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

MS_INLINE void find_records(struct ms_shard *shard, struct falling *f, unsigned level, uint32_t up,
			    struct records *records)
{
	if (level == 0)
		f->record = ms_lines_at(&shard->lines, f->line);
	records->came = up == 0 ? f->record : ms_lines_at(&shard->lines, f->line >> up << up);
	__builtin_prefetch(records->came);
	records->left = NULL;
	if (f->victim == MS_LINE_NONE)
		return;
	records->left = ms_lines_at(&shard->lines, f->victim << up);
	__builtin_prefetch(records->left);
}

/* first: no earlier line of the same reference missed the level. */
MS_INLINE void blame(struct charges *charges, const struct falling *f,
		     const struct records *records, bool first)
{
	const unsigned level = charges->level;
	uint32_t record = records->came[level], data = f->cell->data, left = MS_LINE_NEVER;

	if (records->left != NULL) {
		left = records->left[level];
		records->left[level] = ms_line_gone(data);
	}
	records->came[level] = ms_line_here(data);
	if (MS_LIKELY(first && !f->split))
		ms_charge(charges, f, record, left);
	else
		ms_charge_apart(charges, f, record, left, first);
}

/* What is asked for stays in a ring of as many as are asked for ahead. */
void ms_charges_blame(struct charges *charges, unsigned level, struct falling *lines, size_t n)
{
	struct ms_shard *shard = charges->shard;
	uint32_t up = level > 0 ? shard->cache[level].up : 0, last = UINT32_MAX;
	struct records records[AHEAD];

	charges->level = level;
	for (size_t i = 0; i < n && i < AHEAD; i++)
		find_records(shard, &lines[i], level, up, &records[i]);
	for (size_t i = 0; i < n; i++) {
		struct records found = records[i % AHEAD];

		if (i + AHEAD < n)
			find_records(shard, &lines[i + AHEAD], level, up, &records[i % AHEAD]);
		blame(charges, &lines[i], &found, lines[i].reference != last);
		last = lines[i].reference;
	}
	ms_charges_enter(charges);
}

/* What the first level misses of the share. */
static size_t fall_first(struct ms_shard *shard, const struct doubts *share)
{
	size_t n = 0;

	shard->falling.n = 0;
	ms_vec_reserve(&shard->falling, share->n + 1);
	for (size_t i = 0; i < share->spans.n; i++) {
		const struct span *s = &share->spans.at[i];
		size_t to = ms_span_end(share, i);

		n += shard->first.way->first(&shard->first, NULL, share, s, to,
					     shard->falling.at + n);
	}
	return n;
}

static void settle_plain(struct ms_shard *shard, unsigned slot, const struct doubts *share)
{
	size_t n = fall_first(shard, share);
	struct falling *lines = shard->falling.at;
	struct charges charges = { .shard = shard, .slot = slot };

	__atomic_store_n(&shard->misses, shard->misses + n, __ATOMIC_RELAXED);
	for (unsigned level = 0; level < shard->levels && n > 0; level++) {
		if (level > 0)
			n = ms_fall_through(&shard->cache[level], NULL, lines, n);
		ms_charges_blame(&charges, level, lines, n);
	}
}

void ms_shard_settle(struct ms_shard *shard, unsigned slot)
{
	struct doubts *share = &shard->engine->batch[slot].shares[shard->number];

	ms_movements_begin(&shard->movements, slot);
	if (shard->processors != NULL)
		ms_processors_settle(shard, slot);
	else if (shard->engine->monitor != NULL)
		ms_monitor_settle(shard, slot, share);
	else if (shard->engine->windows != NULL)
		ms_windows_settle(shard, slot, share);
	else if (shard->general == NULL)
		settle_plain(shard, slot, share);
	else
		ms_general_settle(shard, slot, share);
	share->n = 0;
	share->spans.n = 0;
	share->joints.n = 0;
	if (++shard->epoch_batches == shard->engine->epoch) {
		shard->epoch_batches = 0;
		ms_tallies_take_pairs(&shard->tallies,
				      &shard->engine->batch[slot].pairs[shard->number]);
	}
}
