/* engine/march.c - turns of a loop that go on by the same strides: see march.h. */
#include "engine/march.h"

/* Where strides change all the time they are not asked for, for longer and longer. */
enum { MOST_IN_VAIN = 4, PAUSE = 32, LONGEST_PAUSE = 4096 };

/* Fewer executions do not pay. */
enum { FEWEST = 2 };

/* What is taken together is a chunk at most, so that no sum of such strides leaves 64 bits. */
#define MOST_STRIDE (INT64_C(1) << 32)

/* --- strides --- */

void ms_march_learn(struct loop *loop, const struct slot *slots)
{
	uint32_t whole = loop->refs / loop->period * loop->period;

	loop->marches = whole == loop->refs;
	for (uint32_t i = loop->period; i < loop->refs; i++) {
		const struct slot *first = &slots[i % loop->period];

		if (slots[i].place != first->place || slots[i].cell != first->cell)
			loop->marches = false;
	}
}

/* See struct rank. */
static uint32_t part_of(uint64_t stride)
{
	uint64_t bytes = (int64_t)stride < 0 ? -stride : stride;

	return bytes == 0 || bytes >= MS_LOOP_LINE ? 0 : 65536 / (uint32_t)bytes + 1;
}

static void set_strides(struct loop *loop, const uint64_t *before, const uint64_t *now)
{
	const uint32_t turns = loop->refs / loop->period;

	for (uint32_t i = 0; i < loop->refs; i++) {
		uint64_t stride = now[i % loop->period] - before[i % loop->period];

		if (i < loop->period)
			loop->part[i] = part_of(stride);
		loop->by_turn[i] = stride;
		loop->by_execution[1 + i] = stride * turns;
	}
}

/* Those of the first two turns, which stand in one execution or in two. */
static bool guess_strides(struct loop *loop, const uint64_t *at, const uint64_t *end)
{
	const uint32_t words = loop->refs + 1;

	if (loop->refs > loop->period) {
		set_strides(loop, at + 1, at + 1 + loop->period);
		return true;
	}
	if (end - at <= 2 * words || at[words] != *at)
		return false;
	set_strides(loop, at + 1, at + 1 + words);
	return true;
}

/* --- what follows from them --- */

/* One reference of each turn. */
struct rank {
	uint64_t first; /* its address in the first turn */
	uint64_t stride;
	uint32_t part; /* of 65536, how much of a turn it takes to go on by a byte; 0: no line has
			  more than one */
	bool stays;    /* the stride is 0 */
	struct cell *cell;
	uint64_t next; /* the turn in which it comes to another line */
};

/* The turns, beginning with one at this address, that are on the same line. */
MS_INLINE uint64_t turns_on_line(const struct rank *rank, uint64_t address)
{
	uint32_t offset = address & (MS_LOOP_LINE - 1);
	uint32_t left = (int64_t)rank->stride > 0 ? MS_LOOP_LINE - 1 - offset : offset;

	return rank->stays ? UINT32_MAX : (left * rank->part >> 16) + 1;
}

/* Whether all of so many turns are in the place that the slot remembers, and on one line each:
 * what divides addresses and strides divides all offsets in lines. */
static bool suits(const struct loop *loop, uint32_t i, uint64_t first, uint64_t stride,
		  uint64_t turns)
{
	uint64_t last = first + stride * (turns - 1), divided = first | stride | MS_LOOP_LINE;

	return stride + MOST_STRIDE <= 2 * MOST_STRIDE && first - loop->start[i] < loop->size[i] &&
	       last - loop->start[i] < loop->size[i] &&
	       MS_LOOP_LINE - (divided & -divided) < loop->room[i];
}

/* Returns how many there are; 0: something is not as it must be. Who is always where the one before
 * it is makes no difference. */
static uint32_t line_up(const struct shard_exit *exit, const uint64_t *at, uint64_t turns,
			struct rank *ranks)
{
	const struct loop *loop = exit->loop;
	uint32_t n = 0;

	for (uint32_t i = 0; i < loop->period; i++) {
		uint64_t first = at[1 + i], stride = loop->by_turn[i];

		if (!suits(loop, i, first, stride, turns))
			return 0;
		if (n > 0 && ranks[n - 1].first == first && ranks[n - 1].stride == stride)
			continue;
		ranks[n++] = (struct rank){ .first = first,
					    .stride = stride,
					    .part = loop->part[i],
					    .stays = stride == 0,
					    .cell = exit->slots[i].cell };
	}
	return n;
}

/* --- lines --- */

/* The most recent line of each set of the first level. */
struct recents {
	uint64_t *at;
	uint64_t mask;
};

MS_INLINE struct doubt *meet_line(const struct recents recents, uint64_t line, struct cell *cell,
				  struct doubt *out)
{
	uint64_t *recent = &recents.at[line & recents.mask];

	*out = (struct doubt){ line, cell };
	out += *recent != line;
	*recent = line;
	return out;
}

static uint64_t soonest(const struct rank *ranks, uint32_t n)
{
	uint64_t turn = ranks[0].next;

	for (uint32_t i = 1; i < n; i++)
		turn = ranks[i].next < turn ? ranks[i].next : turn;
	return turn;
}

/* In the order of turns. */
static struct doubt *meet_together(const struct recents recents, struct rank *ranks, uint32_t n,
				   uint64_t turns, struct doubt *out)
{
	for (uint64_t turn = 0; turn < turns; turn = soonest(ranks, n))
		for (uint32_t i = 0; i < n; i++) {
			struct rank *rank = &ranks[i];
			uint64_t address = rank->first + rank->stride * turn;
			uint64_t next = turn + turns_on_line(rank, address);

			out = meet_line(recents, address >> MS_LOOP_SHIFT, rank->cell, out);
			rank->next = rank->next == turn ? next : rank->next;
		}
	return out;
}

/* All lines of one reference. */
static struct doubt *meet_alone(const struct recents recents, const struct rank *rank,
				uint64_t turns, struct doubt *out)
{
	uint64_t address = rank->first, last = rank->first + rank->stride * (turns - 1);
	uint64_t line = address >> MS_LOOP_SHIFT, end = last >> MS_LOOP_SHIFT;
	int64_t step = (int64_t)rank->stride < 0 ? -1 : 1;

	if (rank->part == 0 && !rank->stays) {
		for (; turns > 0; turns--, address += rank->stride)
			out = meet_line(recents, address >> MS_LOOP_SHIFT, rank->cell, out);
		return out;
	}
	for (;; line += (uint64_t)step) {
		out = meet_line(recents, line, rank->cell, out);
		if (line == end)
			return out;
	}
}

/* The groups of sets (share.c) that a reference comes to. */
struct groups {
	uint64_t from;
	uint64_t n;
};

static struct groups groups_of(const struct ms_engine *engine, const struct rank *rank,
			       uint64_t turns)
{
	uint64_t first = rank->first, last = first + rank->stride * (turns - 1);
	uint64_t low = (int64_t)rank->stride < 0 ? last : first, high = low ^ first ^ last;

	low >>= engine->group_shift;
	return (struct groups){ low, (high >> engine->group_shift) - low + 1 };
}

/* What two references are to each other: which of them comes first to the sets, of any level, that
 * both come to. */
enum relation { APART, AHEAD, BEHIND, MIXED };

static bool is_apart(const struct ms_engine *engine, const struct rank *a, const struct rank *b,
		     uint64_t turns)
{
	struct groups ours = groups_of(engine, a, turns), theirs = groups_of(engine, b, turns);

	return ((ours.from - theirs.from) & engine->group_mask) >= theirs.n &&
	       ((theirs.from - ours.from) & engine->group_mask) >= ours.n;
}

/* With the same stride, who is farther ahead than a group is large has left a group of sets before
 * the other one comes to it: unless that is ahead, too, the other way round. */
static enum relation relation_of(const struct ms_engine *engine, const struct rank *a,
				 const struct rank *b, uint64_t turns)
{
	const uint64_t group = UINT64_C(1) << engine->group_shift;
	const uint64_t round = (engine->group_mask + 1) << engine->group_shift;
	bool falls = (int64_t)a->stride < 0;
	uint64_t ahead = (falls ? b->first - a->first : a->first - b->first) & (round - 1);
	uint64_t reach = (falls ? -a->stride : a->stride) * (turns - 1) + group;

	if (is_apart(engine, a, b, turns))
		return APART;
	if (a->stride != b->stride || ahead < group || round - ahead < group)
		return MIXED;
	if (round - ahead >= reach)
		return AHEAD;
	return ahead >= reach ? BEHIND : MIXED;
}

/* An order in which each may meet all its lines, one reference behind the other; false: there is
 * none. */
static bool find_order(const struct ms_engine *engine, const struct rank *ranks, uint32_t n,
		       uint64_t turns, uint8_t *order)
{
	uint32_t ahead_of[MS_LOOP_PERIOD] = { 0 }, left = (1u << n) - 1, placed = 0;

	for (uint32_t i = 1; i < n; i++)
		for (uint32_t k = 0; k < i; k++) {
			enum relation r = relation_of(engine, &ranks[i], &ranks[k], turns);

			if (r == MIXED)
				return false;
			ahead_of[k] |= (uint32_t)(r == AHEAD) << i;
			ahead_of[i] |= (uint32_t)(r == BEHIND) << k;
		}
	for (uint32_t before = UINT32_MAX; left != before;) {
		before = left;
		for (uint32_t i = 0; i < n; i++)
			if ((left >> i & 1) != 0 && (ahead_of[i] & left) == 0) {
				order[placed++] = (uint8_t)i;
				left &= ~(1u << i);
			}
	}
	return left == 0;
}

static struct doubt *meet(const struct ms_shard *shard, struct rank *ranks, uint32_t n,
			  uint64_t turns, struct doubt *out)
{
	const struct recents recents = { shard->recent, shard->first.mask };
	uint8_t order[MS_LOOP_PERIOD];

	if (!find_order(shard->engine, ranks, n, turns, order))
		return meet_together(recents, ranks, n, turns, out);
	for (uint32_t i = 0; i < n; i++)
		out = meet_alone(recents, &ranks[order[i]], turns, out);
	return out;
}

/* --- executions --- */

static uint64_t follow(const struct ms_shard *shard, struct loop *loop, const uint64_t *at,
		       const uint64_t *end)
{
	uint64_t n = shard->loop_way->follow(loop, at, end);

	if (n >= FEWEST || !guess_strides(loop, at, end))
		return n;
	return shard->loop_way->follow(loop, at, end);
}

static void rest(struct loop *loop)
{
	if (++loop->strays < MOST_IN_VAIN)
		return;
	loop->strays = 0;
	loop->march_pause = loop->next_pause;
	if (loop->next_pause < LONGEST_PAUSE)
		loop->next_pause *= 2;
}

uint64_t ms_march_sift(struct ms_shard *shard, struct shard_exit *exit, const uint64_t *at,
		       const uint64_t *end, struct doubt **out)
{
	struct loop *loop = exit->loop;
	struct rank ranks[MS_LOOP_PERIOD];

	if (!loop->marches)
		return 0;
	if (loop->march_pause > 0) {
		loop->march_pause--;
		return 0;
	}
	uint64_t n = follow(shard, loop, at, end);
	uint64_t turns = n * (loop->refs / loop->period);
	uint32_t count = n >= FEWEST ? line_up(exit, at, turns, ranks) : 0;

	if (count == 0) {
		rest(loop);
		return 0;
	}
	loop->strays = 0;
	loop->next_pause = PAUSE;
	*out = meet(shard, ranks, count, turns, *out);
	exit->count += n;
	return n;
}

/* --- the way of processors that have nothing to compare many with --- */

static bool differ_one_by_one(const uint64_t *now, const uint64_t *before, const uint64_t *by,
			      uint32_t n)
{
	uint64_t differ = 0;

	__builtin_prefetch(now + MS_WORDS_AHEAD);
	for (uint32_t i = 0; i < n; i++)
		differ |= (now[i] - before[i]) ^ by[i];
	return differ != 0;
}

uint64_t ms_march_follow_plain(const struct loop *loop, const uint64_t *at, const uint64_t *end)
{
	return ms_march_follow_by(loop, at, end, differ_one_by_one);
}
