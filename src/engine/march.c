/* engine/march.c - turns of a loop that go on by the same strides: see march.h. */
#include "engine/march.h"

/* Where strides change all the time they are not asked for, for longer and longer. */
enum { MOST_IN_VAIN = 4, PAUSE = 32, LONGEST_PAUSE = 4096 };

/* Fewer executions do not pay; nor do fewer turns, where the order of their lines is looked for. */
enum { FEWEST = 2, FEWEST_IN_ORDER = 16 };

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
	for (uint32_t i = 0; i < loop->refs; i++) {
		uint64_t stride = now[i % loop->period] - before[i % loop->period];

		if (i < loop->period)
			loop->part[i] = part_of(stride);
		loop->by_turn[i] = stride;
		loop->by_execution[1 + i] = stride * loop->turns;
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
 * it is makes no difference, unless it writes. */
static uint32_t line_up(const struct loop *loop, const uint64_t *at, uint64_t turns,
			struct rank *ranks)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < loop->period; i++) {
		uint64_t first = at[1 + i], stride = loop->by_turn[i];

		if (!suits(loop, i, first, stride, turns))
			return 0;
		if (n > 0 && ranks[n - 1].first == first && ranks[n - 1].stride == stride &&
		    (loop->writes >> i & 1) == 0)
			continue;
		ranks[n++] = (struct rank){ .first = first,
					    .stride = stride,
					    .part = loop->part[i],
					    .number = i,
					    .stays = stride == 0 };
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
			uint64_t next = turn + ms_march_on_line(rank, address);

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

/* Two that are in a group at the same time: the one that is ahead comes to each line first, and
 * leaves it first, unless both do so in the same turn, and the other one is before it there. What
 * they do in between changes nothing, as all their lines fit into a set. */
static enum relation relation_nearby(const struct rank *a, const struct rank *b, uint64_t ahead,
				     uint64_t behind)
{
	uint64_t stride = (int64_t)a->stride < 0 ? -a->stride : a->stride;

	if (stride == 0 || ahead == 0)
		return a->number < b->number ? AHEAD : BEHIND;
	if (ahead < behind)
		return ahead >= stride || a->number < b->number ? AHEAD : MIXED;
	return behind >= stride || b->number < a->number ? BEHIND : MIXED;
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
	bool can_lead = round - ahead >= reach, can_follow = ahead >= reach;

	if (is_apart(engine, a, b, turns))
		return APART;
	if (a->stride != b->stride)
		return MIXED;
	if (ahead >= group && round - ahead >= group)
		return can_lead ? AHEAD : can_follow ? BEHIND : MIXED;
	if (group != MS_LOOP_LINE || (ahead < group ? !can_lead : !can_follow))
		return MIXED;
	return relation_nearby(a, b, ahead, round - ahead);
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

/* In so many turns nobody comes round to more than half of all groups. */
static uint64_t turns_in_half(const struct ms_engine *engine, const struct rank *ranks, uint32_t n)
{
	const uint64_t half = (engine->group_mask + 1) << engine->group_shift >> 1;
	uint64_t turns = half;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t stride = (int64_t)ranks[i].stride < 0 ? -ranks[i].stride : ranks[i].stride;

		if (stride * turns > half)
			turns = half / stride;
	}
	return turns;
}

uint64_t ms_march_order(const struct ms_engine *engine, const struct rank *ranks, uint32_t n,
			uint64_t turns, uint8_t *order)
{
	if (find_order(engine, ranks, n, turns, order))
		return turns;
	uint64_t some = turns_in_half(engine, ranks, n);
	return some >= FEWEST_IN_ORDER && some < turns && find_order(engine, ranks, n, some, order)
		       ? some
		       : 0;
}

/* Of two that are never in one group at the same time: the number of the one that may meet all its
 * lines first; 2: neither may, or they are not such. Where none comes to the other's groups it is
 * any. */
MS_INLINE uint32_t leader_of(const struct ms_engine *engine, const struct rank *two, uint64_t turns)
{
	const uint64_t group = UINT64_C(1) << engine->group_shift;
	const uint64_t round = (engine->group_mask + 1) << engine->group_shift;
	bool falls = (int64_t)two[0].stride < 0;
	uint64_t by = two[0].first - two[1].first, ahead = (falls ? -by : by) & (round - 1);
	uint64_t reach = (falls ? -two[0].stride : two[0].stride) * (turns - 1) + group;

	if (two[0].stride != two[1].stride)
		return is_apart(engine, &two[0], &two[1], turns) ? 0 : 2;
	if (ahead < group || round - ahead < group)
		return 2;
	return round - ahead >= reach ? 0 : ahead >= reach ? 1 : 2;
}

/* All of one turn. */
static struct doubt *meet_turn(const struct recents recents, const struct rank *ranks, uint32_t n,
			       uint64_t turn, struct doubt *out)
{
	for (uint32_t i = 0; i < n; i++)
		out = meet_line(recents, (ranks[i].first + ranks[i].stride * turn) >> MS_LOOP_SHIFT,
				ranks[i].cell, out);
	return out;
}

static struct doubt *meet(const struct ms_shard *shard, struct rank *ranks, uint32_t n,
			  uint64_t turns, struct doubt *out)
{
	const struct recents recents = { shard->recent, shard->first.mask };
	uint8_t order[MS_LOOP_PERIOD];
	uint64_t some;
	uint32_t leader = n == 2 ? leader_of(shard->engine, ranks, turns) : 2;

	if (n == 1)
		return meet_alone(recents, &ranks[0], turns, out);
	if (leader < 2) {
		out = meet_alone(recents, &ranks[leader], turns, out);
		return meet_alone(recents, &ranks[1 - leader], turns, out);
	}
	for (; turns > 0; turns -= some) {
		some = ms_march_order(shard->engine, ranks, n, turns, order);
		if (some == 0)
			return meet_together(recents, ranks, n, turns, out);
		out = meet_turn(recents, ranks, n, 0, out);
		for (uint32_t i = 0; i < n; i++)
			out = meet_alone(recents, &ranks[order[i]], some, out);
		out = meet_turn(recents, ranks, n, some - 1, out);
		for (uint32_t i = 0; i < n; i++)
			ranks[i].first += ranks[i].stride * some;
	}
	return out;
}

/* --- executions --- */

static uint64_t follow(const struct loop_way *way, struct loop *loop, const uint64_t *at,
		       const uint64_t *end)
{
	uint64_t n = way->follow(loop, at, end);

	if (n >= FEWEST || !guess_strides(loop, at, end))
		return n;
	return way->follow(loop, at, end);
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

uint64_t ms_march_follow(const struct loop_way *way, struct loop *loop, const uint64_t *at,
			 const uint64_t *end)
{
	if (!loop->marches)
		return 0;
	if (loop->march_pause > 0) {
		loop->march_pause--;
		return 0;
	}
	uint64_t n = follow(way, loop, at, end);

	if (n >= FEWEST)
		return n;
	rest(loop);
	return 0;
}

uint32_t ms_march_line_up(struct loop *loop, const uint64_t *at, uint64_t turns, struct rank *ranks)
{
	uint32_t count = line_up(loop, at, turns, ranks);

	if (count == 0) {
		rest(loop);
		return 0;
	}
	loop->strays = 0;
	loop->next_pause = PAUSE;
	return count;
}

/* The way out of a loop is often another exit of its block, behind some turns or all of them, which
 * go on as those before. `at`: the last execution that marches. NULL: that is not so. */
static struct shard_exit *find_last(const struct ms_shard *shard, const struct shard_exit *exit,
				    const uint64_t *at, const uint64_t *end)
{
	const struct loop *loop = exit->loop;
	const uint64_t *next = at + loop->refs + 1;

	if (next >= end || ms_wire_kind_of(*next) != MS_WIRE_EXEC ||
	    ms_wire_arg_of(*next) >= shard->exits.n)
		return NULL;
	struct shard_exit *last = &shard->exits.at[ms_wire_arg_of(*next)];
	if (last->slots != exit->slots || last->refs == 0 || last->refs > loop->refs ||
	    (last->refs != loop->refs && last->refs % loop->period != 0) ||
	    last->refs != ms_wire_words_of(*next) - 1 ||
	    end - next <= last->refs + MS_LOOP_MARGIN ||
	    shard->loop_way->differ(next + 1, at + 1, loop->by_execution + 1, last->refs))
		return NULL;
	return last;
}

size_t ms_march_sift(struct ms_shard *shard, struct shard_exit *exit, const uint64_t *at,
		     const uint64_t *end, struct doubt **out)
{
	const struct loop *loop = exit->loop;
	struct rank ranks[MS_LOOP_PERIOD];
	uint64_t n = ms_march_follow(shard->loop_way, exit->loop, at, end);

	if (n == 0)
		return 0;
	size_t words = n * (loop->refs + 1);
	uint64_t turns = n * loop->turns;
	struct shard_exit *last = find_last(shard, exit, at + words - loop->refs - 1, end);
	if (last != NULL)
		turns += last->refs == loop->refs ? loop->turns : last->refs / loop->period;
	uint32_t count = ms_march_line_up(exit->loop, at, turns, ranks);
	if (count == 0)
		return 0;
	for (uint32_t i = 0; i < count; i++)
		ranks[i].cell = exit->slots[ranks[i].number].cell;
	*out = meet(shard, ranks, count, turns, *out);
	exit->count += n;
	if (last == NULL)
		return words;
	last->count++;
	return words + last->refs + 1;
}

/* --- the way of processors that have nothing to compare many with --- */

MS_INLINE bool differ_one_by_one(const uint64_t *now, const uint64_t *before, const uint64_t *by,
				 uint32_t n)
{
	uint64_t differ = 0;

	for (uint32_t i = 0; i < n; i++)
		differ |= (now[i] - before[i]) ^ by[i];
	return differ != 0;
}

uint64_t ms_march_follow_plain(const struct loop *loop, const uint64_t *at, const uint64_t *end)
{
	return ms_march_follow_by(loop, at, end, differ_one_by_one, MS_PLAIN_WORDS_AHEAD);
}

bool ms_march_differ_plain(const uint64_t *now, const uint64_t *before, const uint64_t *by,
			   uint32_t n)
{
	return differ_one_by_one(now, before, by, n);
}
