/* engine/loop.c - what loops have in common on all processors: see loop.h. */
#include "engine/loop.h"
#include "engine/march.h"

/* Comparing does not pay where most turns differ: then it is not tried for a while. */
enum { MOST_IN_VAIN = 4, PAUSE = 64 };

const struct loop_way *ms_loop_choose(void)
{
	const struct loop_way *way = ms_loop_ways;

	while (way->works != NULL && !way->works())
		way++;
	return way;
}

/* --- turns of a block --- */

/* How many of the block's references, from the first, come again every `period`. */
static uint32_t repeated(const struct ms_block *block, uint32_t period)
{
	uint32_t n = period;

	while (n < block->refs && block->ref[n].site == block->ref[n - period].site)
		n++;
	return n;
}

/* The whole of an execution is a turn, too, as it may come again. */
uint32_t ms_loop_period(const struct ms_block *block, uint32_t refs, uint32_t most)
{
	most = most < MS_LOOP_PERIOD ? most : MS_LOOP_PERIOD;
	for (uint32_t period = 1; period <= most && period <= refs && refs <= MS_LOOP_REFS;
	     period++)
		if (repeated(block, period) >= refs)
			return period;
	return 0;
}

/* Turns are compared only where the data of each reference is known. */
void ms_loop_find_periods(const struct ms_shard *shard, const struct ms_block *block,
			  struct shard_exit *exits)
{
	if (shard->first_shift != MS_LOOP_SHIFT || shard->first.mask == 0 ||
	    shard->general != NULL || shard->keeps_all || shard->misses_only ||
	    shard->cells.parts > 0)
		return;
	for (uint32_t i = 0; i < block->exits; i++)
		exits[i].period = (uint16_t)ms_loop_period(block, exits[i].refs, shard->first.ways);
}

/* --- what is known of a loop --- */

static void number_references(struct loop *loop)
{
	for (uint32_t bit = 0; bit < MS_LOOP_REFS; bit++) {
		uint32_t slot = bit % loop->refs;

		loop->slot[bit] = (uint8_t)slot;
		loop->word[bit] = (uint8_t)(bit + bit / loop->refs + 1);
		loop->starts |= (uint64_t)(slot % loop->period == 0) << bit;
	}
}

struct loop *ms_loop_make(struct ms_arena *arena, uint32_t refs, uint32_t period)
{
	struct loop *loop = ms_arena_take(arena, sizeof(*loop));
	uint32_t room = (refs / MS_LOOP_MARGIN + 2) * MS_LOOP_MARGIN;
	uint32_t whole = refs / period * period;
	uint64_t *words = ms_arena_take(arena, 5 * room * sizeof(*words));

	*loop = (struct loop){
		.refs = refs,
		.period = period,
		.turns = refs / period,
		.first = (UINT64_C(1) << period) - 1,
		.rest = whole < refs ? (UINT64_MAX >> (64 - refs)) & ~UINT64_C(0) << whole : 0,
		.start = words,
		.size = words + room,
		.room = words + 2 * (size_t)room,
		.by_turn = words + 3 * (size_t)room,
		.by_execution = words + 4 * (size_t)room,
		.next_pause = 1,
	};
	number_references(loop);
	return loop;
}

/* What slots have met last changes when they are bound, and between stretches of executions. */
static struct loop *learn(struct ms_shard *shard, struct shard_exit *exit)
{
	struct loop *loop = exit->loop != NULL
				    ? exit->loop
				    : ms_loop_make(&shard->arena, exit->refs, exit->period);

	exit->loop = loop;
	loop->known = shard->known;
	for (uint32_t i = 0; i < loop->refs; i++) {
		const struct slot *slot = &exit->slots[i];

		loop->start[i] = slot->place->start;
		loop->size[i] = slot->place->size;
		loop->room[i] = slot->room;
	}
	ms_march_learn(loop, exit->slots);
	return loop;
}

/* --- executions --- */

/* Whether a line is kept is mostly what `changed` says: to guess it is faster than to wait for the
 * most recent line of its set. */
static struct doubt *meet(const struct ms_shard *shard, const struct shard_exit *exit,
			  const uint64_t *at, const struct turns *turns, struct doubt *out)
{
	const struct loop *loop = exit->loop;
	uint64_t *const recent = shard->recent, mask = shard->first.mask;

	for (uint64_t left = turns->doubtful; left != 0; left &= left - 1) {
		unsigned bit = (unsigned)__builtin_ctzll(left);
		uint64_t line = at[loop->word[bit]] >> MS_LOOP_SHIFT;
		uint64_t *most_recent = &recent[line & mask], guess = turns->changed >> bit & 1;
		bool kept = *most_recent != line;

		*out = (struct doubt){ line, exit->slots[loop->slot[bit]].cell };
		*most_recent = line;
		out += guess;
		if (MS_UNLIKELY(kept != guess))
			out += kept ? 1 : -1;
	}
	return out;
}

static void judge(struct shard_exit *exit, bool paid)
{
	struct loop *loop = exit->loop;

	loop->in_vain = paid ? 0 : loop->in_vain + 1;
	if (loop->in_vain < MOST_IN_VAIN)
		return;
	loop->in_vain = 0;
	exit->pause = PAUSE;
}

static const uint64_t *sift_plainly(struct ms_shard *shard, struct shard_exit *exit,
				    const uint64_t *at, uint64_t n, struct doubt **out)
{
	for (; n > 0; n--, at += exit->refs + 1) {
		exit->count++;
		*out = ms_sieve_meet(shard, exit, at + 1, *out);
	}
	return at;
}

/* Compares some turns; false: their addresses were not as the loop says. */
static bool sift_turns(struct ms_shard *shard, struct shard_exit *exit, struct loop_place *place,
		       const uint64_t **at, struct doubt **out)
{
	const struct loop *loop = exit->loop;
	bool joined = place->slots == exit->slots && place->period == loop->period;
	struct turns turns = shard->loop_way->compare(loop, *at, place->end, joined);

	if (MS_UNLIKELY(turns.odd != 0)) {
		*at = sift_plainly(shard, exit, *at, turns.n, out);
		ms_sieve_bind(shard);
		judge(exit, false);
		ms_loop_leave(place);
		return false;
	}
	*out = meet(shard, exit, *at, &turns, *out);
	exit->count += turns.n;
	*at += turns.n * (loop->refs + 1);
	judge(exit, 2 * (uint64_t)__builtin_popcountll(turns.doubtful) <= turns.n * loop->refs);
	return true;
}

const uint64_t *ms_loop_sift(struct ms_shard *shard, struct shard_exit *exit,
			     struct loop_place *place, const uint64_t *at, struct doubt **out)
{
	struct loop *loop = exit->loop;
	const uint64_t head = *at;

	do {
		if (loop == NULL || loop->known != shard->known)
			loop = learn(shard, exit);
		size_t marched = ms_march_sift(shard, exit, at, place->end, out);

		if (marched > 0)
			at += marched;
		else if (!sift_turns(shard, exit, place, &at, out))
			break;
		place->slots = exit->slots;
		place->period = loop->rest == 0 ? loop->period : 0;
	} while (place->end - at > loop->refs + MS_LOOP_MARGIN && *at == head && exit->pause == 0);
	return at;
}

/* --- the way of processors that have nothing to compare many with --- */

static struct compared compare_one_by_one(const struct loop *loop, const uint64_t *addresses,
					  const uint64_t *before)
{
	struct compared c = { 0, 0, 0 };

	__builtin_prefetch(addresses + MS_PLAIN_WORDS_AHEAD);
	for (uint32_t i = 0; i < loop->refs; i++) {
		uint64_t now = addresses[i];
		uint64_t was = i < loop->period ? before[i] : addresses[i - loop->period];

		c.changed |= (uint64_t)((now ^ was) >= MS_LOOP_LINE) << i;
		c.again |= (uint64_t)(i > 0 && (now ^ addresses[i - 1]) < MS_LOOP_LINE) << i;
		c.odd |= now - loop->start[i] >= loop->size[i] ||
			 (now & (MS_LOOP_LINE - 1)) >= loop->room[i];
	}
	return c;
}

struct turns ms_loop_compare_plain(const struct loop *loop, const uint64_t *at, const uint64_t *end,
				   bool joined)
{
	return ms_loop_compare_by(loop, at, end, joined, compare_one_by_one);
}
