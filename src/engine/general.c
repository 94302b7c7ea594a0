/*
 * engine/general.c - an access where levels replace, write and take lines in any way.
 *
 * A load asks level after level until one has the line, which then comes into those before it, the
 * farthest first. A store is a load up to the first level that takes lines on a store; before that
 * it goes around, and behind a level that writes through it goes on. Nobody waits for what goes on:
 * it changes what the levels hold, and is counted as no miss.
 *
 * A line is in at most one of a level and the exclusive levels behind it: it leaves those when it
 * comes into that level, and only what that level pushes out comes back to them. Its record there
 * says "here" also while it is nearer, in the same nest. An exclusive cache of several nests may
 * hold what another of them has: what leaves it for a nest is pushed out by that reference, and
 * what comes to it may be there.
 */
#include "engine/general.h"

#include <assert.h>

#include "engine/coherence.h"
#include "engine/engine_priv.h"
#include "engine/monitor.h"
#include "stream/wire.h"

/* --- one level --- */

static bool find_and_use(const struct access *a, unsigned k, struct seat *seat)
{
	const struct bank *bank = a->path[k];

	*seat = ms_bank_find(bank, a->line >> bank->up);
	if (seat->way == MS_BANK_NOWHERE)
		return false;
	ms_bank_use(bank, *seat);
	return true;
}

static void note_miss(struct access *a, unsigned k)
{
	struct bank *bank = a->path[k];
	uint64_t line = a->line >> bank->up;

	if (!a->waits)
		return;
	a->old[k] = *ms_access_word(bank, line);
	assert((a->old[k] & 1) == 0); /* gone, or never here */
	a->covered[k] = bank->prefetches && ms_streams_miss(&bank->streams, line);
	a->missed = k + 1;
	if (MS_UNLIKELY(ms_line_is_lost(a->old[k])))
		ms_coherence_note(a, k);
}

/* --- lines that leave, and lines that come --- */

uint32_t ms_access_evict(const struct access *a, unsigned k, uint32_t *word)
{
	uint32_t owner = ms_line_data(*word);

	ms_tally_pair(&a->shard->tallies, ms_shard_tally(a->shard, a->cell), k, PAIR_EVICTS, owner);
	ms_move(&a->shard->movements, k, owner, -1);
	*word = ms_line_gone(a->cell->data);
	return owner;
}

/* The same, and a monitor is told which line it is, in the bank's lines. */
static uint32_t evict(const struct access *a, unsigned k, const struct bank *bank, uint64_t line,
		      uint32_t *word)
{
	struct monitor *monitor = a->shard->general->monitor;
	uint32_t owner = ms_access_evict(a, k, word);

	if (MS_UNLIKELY(monitor != NULL))
		ms_monitor_evicted(monitor, k, line << (bank->up + a->shard->first_shift), owner);
	return owner;
}

/* The line that leaves bank i of a nest is nearer: exclusive levels would have got it back. */
static unsigned take_from_exclusive(const struct access *a, const struct nest *nest, unsigned i,
				    unsigned level, uint32_t *word, uint32_t loss)
{
	unsigned n = 0;

	for (unsigned j = i + 1; j < nest->n && nest->first + j < level; j++) {
		uint32_t *other = word + (j - i);

		if (!nest->bank[j].exclusive)
			break;
		if ((*other & 1) == 0)
			continue;
		*other = loss != 0 ? ms_line_lost(loss) : ms_line_gone(a->cell->data);
		n++;
	}
	return n;
}

unsigned ms_access_take_away(const struct access *a, struct nest *nest, unsigned level,
			     uint64_t line, uint64_t lines, uint32_t loss)
{
	unsigned n = 0;

	for (unsigned i = nest->n; i-- > 0;) {
		const struct bank *bank = &nest->bank[i];

		if (nest->first + i >= level)
			continue;
		for (uint64_t at = line >> bank->up; at <= (line + lines - 1) >> bank->up; at++) {
			struct seat seat = ms_bank_find(bank, at);

			if (seat.way == MS_BANK_NOWHERE)
				continue;
			uint32_t *word = ms_access_word(bank, at);
			if (loss == 0) {
				evict(a, nest->first + i, bank, at, word);
			} else {
				ms_move(&a->shard->movements, nest->first + i, ms_line_data(*word),
					-1);
				*word = ms_line_lost(loss);
			}
			ms_bank_empty(bank, seat);
			n += 1 + take_from_exclusive(a, nest, i, level, word, loss);
		}
	}
	return n;
}

/* An inclusive bank has lost a line: so do all nearer ones that lead to it. */
static void leave_nearer(const struct access *a, unsigned k, uint64_t line)
{
	const struct bank *bank = a->path[k];
	uint64_t first = line << bank->up, lines = UINT64_C(1) << bank->up;

	ms_access_take_away(a, bank->nest, k, first, lines, 0);
	if (a->coherence != NULL)
		ms_coherence_leave(a, k, first, lines);
}

static struct seat make_room(const struct access *a, unsigned k, uint64_t line);

static void fill(const struct access *a, unsigned k, uint64_t line, uint32_t *word, uint32_t owner)
{
	struct seat seat = make_room(a, k, line);

	if (MS_UNLIKELY(ms_line_is_lost(*word)))
		ms_coherence_regain(a, line << a->path[k]->up, *word);
	*word = ms_line_here(owner);
	ms_bank_put(a->path[k], seat, line);
	ms_move(&a->shard->movements, k, owner, 1);
}

/* What the level pushed out comes to the exclusive one behind it. */
static void come_back(const struct access *a, unsigned k, uint64_t line, uint32_t *word,
		      uint32_t owner)
{
	const struct bank *from = a->path[k], *to = a->path[k + 1];
	struct seat seat = ms_bank_find(to, line);

	word = to->nest == from->nest ? word + 1 : ms_access_word(to, line);
	if (seat.way == MS_BANK_NOWHERE) {
		fill(a, k + 1, line, word, owner);
		return;
	}
	ms_move_over(&a->shard->movements, k + 1, owner, ms_line_data(*word));
	*word = ms_line_here(owner);
	ms_bank_use(to, seat);
}

static void push_out(const struct access *a, unsigned k, struct seat seat)
{
	const struct bank *bank = a->path[k];
	uint64_t line = ms_bank_line(bank, seat);
	uint32_t *word = ms_access_word(bank, line);
	uint32_t owner = evict(a, k, bank, line, word);

	ms_bank_empty(bank, seat);
	if (bank->inclusive)
		leave_nearer(a, k, line);
	if (k + 1 < a->levels && a->path[k + 1]->exclusive)
		come_back(a, k, line, word, owner);
	if (a->coherence != NULL && bank->nest->kind == 0)
		ms_coherence_pushed_out(a, bank, line, word, NULL);
}

/* An empty way of the line's set. */
static struct seat make_room(const struct access *a, unsigned k, uint64_t line)
{
	const struct bank *bank = a->path[k];
	struct seat seat = ms_bank_room(bank, ms_bank_set_of(bank, line));

	if (ms_bank_line(bank, seat) != MS_LINE_NONE)
		push_out(a, k, seat);
	return seat;
}

/* --- loads and stores --- */

/* What an exclusive level had to give comes nearer. */
static void take(const struct access *a, unsigned k, struct seat seat)
{
	const struct bank *bank = a->path[k];
	uint32_t *word = ms_access_word(bank, ms_bank_line(bank, seat));
	unsigned to = k - 1;

	ms_move(&a->shard->movements, k, ms_line_data(*word), -1);
	while (a->path[to]->exclusive)
		to--;
	if (bank->nest != a->path[to]->nest)
		*word = ms_line_gone(a->cell->data);
	ms_bank_empty(bank, seat);
}

/* Brings the line into `from`, which is not exclusive, and the levels between it and the line. */
static void load(struct access *a, unsigned from)
{
	struct seat seat = { 0, MS_BANK_NOWHERE };
	unsigned k = from;

	while (k < a->levels && !find_and_use(a, k, &seat))
		note_miss(a, k++);
	if (a->coherence != NULL)
		ms_coherence_read(a, k);
	if (k > from && k < a->levels && a->path[k]->exclusive)
		take(a, k, seat);
	while (k-- > from) {
		const struct bank *bank = a->path[k];
		uint64_t line = a->line >> bank->up;

		if (!bank->exclusive)
			fill(a, k, line, ms_access_word(bank, line), a->cell->data);
	}
}

void ms_access_load(struct access *a)
{
	load(a, 0);
}

void ms_access_store(struct access *a)
{
	struct seat seat;

	for (unsigned k = 0; k < a->levels; k++) {
		const struct bank *bank = a->path[k];

		if (!find_and_use(a, k, &seat)) {
			if (bank->around || bank->exclusive) {
				note_miss(a, k);
				continue;
			}
			load(a, k);
		}
		if (!bank->through)
			break;
		a->waits = false;
	}
}

/* --- one processor --- */

/* Most are there: then it is used, and that is all, unless the write goes on. */
static bool is_simple_hit(struct bank **path, const struct cell *cell, uint64_t line)
{
	const struct bank *first = path[0];
	struct seat seat = ms_bank_find(first, line);

	if (seat.way == MS_BANK_NOWHERE || (cell->kind != MS_WIRE_READ && first->through))
		return false;
	ms_bank_use(first, seat);
	return true;
}

unsigned ms_general_access(struct ms_shard *shard, struct cell *cell, uint64_t line)
{
	struct bank **path = ms_general_path(shard->general, 0);

	if (is_simple_hit(path, cell, line))
		return 0;
	struct access a = {
		.shard = shard,
		.path = path,
		.levels = shard->levels,
		.cell = cell,
		.line = line,
		.waits = true,
		.old = shard->general->old,
		.covered = shard->general->covered,
	};

	if (cell->kind != MS_WIRE_WRITE)
		ms_access_load(&a);
	if (cell->kind != MS_WIRE_READ)
		ms_access_store(&a);
	if (a.missed > 0)
		__atomic_store_n(&shard->misses, shard->misses + 1, __ATOMIC_RELAXED);
	return a.missed;
}

/* A reference misses a level once, by the first of its lines that does. */
static void settle_span(struct ms_shard *shard, unsigned slot, const struct doubt *first,
			const struct span *span, size_t to)
{
	const struct general *general = shard->general;
	struct falling f = { .phase = span->phase };
	unsigned missed = 0;

	for (size_t i = span->from; i < to; i++) {
		f.line = first[i].line & ~(MS_LINE_GOES_ON | MS_LINE_SPLIT);
		f.cell = first[i].cell;
		f.split = (first[i].line & MS_LINE_SPLIT) != 0;
		if ((first[i].line & MS_LINE_GOES_ON) == 0) {
			f.reference = (uint32_t)i;
			missed = 0;
		}
		unsigned now = ms_general_access(shard, f.cell, f.line);
		for (; missed < now; missed++) {
			ms_shard_count_miss(shard, slot, &f, missed, general->old[missed]);
			if (general->covered[missed])
				ms_shard_tally(shard, f.cell)->level[missed].covered++;
		}
	}
}

void ms_general_settle(struct ms_shard *shard, unsigned slot, const struct doubts *share)
{
	for (size_t i = 0; i < share->spans.n; i++) {
		const struct span *s = &share->spans.at[i];
		size_t to = ms_span_end(share, i);

		settle_span(shard, slot, share->at, s, to);
	}
}
