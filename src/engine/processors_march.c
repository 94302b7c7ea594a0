/*
 * engine/processors_march.c - loops of one of several processors that go on by the same strides.
 *
 * While a processor runs nothing comes from outside, so what march.h says of turns holds for its
 * first level: those in which no reference comes to another line change nothing there. But each
 * store writes bytes that somebody may wait for: a line that is met for a store is told all bytes
 * that the turns up to the next one that is met write there. When they were written makes no
 * difference, as processors_sift.c says.
 */
#include "engine/march.h"
#include "engine/processors_sieve.h"

/* --- what is known of a loop --- */

static struct loop *make_loop(const struct own_exit *exit, struct processor *processor)
{
	struct loop *loop = ms_loop_make(&processor->arena, exit->words - 1, exit->period);

	for (uint32_t i = 0; i < loop->period; i++)
		loop->writes |= (uint32_t)(exit->slots[i].kind != MS_WIRE_READ) << i;
	loop->known = UINT64_MAX;
	return loop;
}

static struct loop *loop_of(const struct own_exit *exit, struct processor *processor)
{
	size_t number = (size_t)(exit - processor->exits.at);

	if (processor->loops.n <= number) {
		ms_vec_reserve(&processor->loops, processor->exits.n - processor->loops.n);
		processor->loops.n = processor->exits.n;
	}
	if (processor->loops.at[number] == NULL)
		processor->loops.at[number] = make_loop(exit, processor);
	return processor->loops.at[number];
}

static bool is_like(const struct own_slot *a, const struct own_slot *b)
{
	return a->place == b->place && a->cell == b->cell && a->kind == b->kind &&
	       a->reach == b->reach;
}

/* Which places the slots remember changes when they are bound; where these lie, at any time that
 * the program says so. */
static void learn(struct loop *loop, const struct own_slot *slots, uint64_t known)
{
	if (loop->known != known) {
		loop->known = known;
		loop->marches = loop->refs % loop->period == 0;
		for (uint32_t i = loop->period; i < loop->refs && loop->marches; i++)
			loop->marches = is_like(&slots[i], &slots[i % loop->period]);
	}
	for (uint32_t i = 0; i < loop->period && loop->marches; i++) {
		loop->start[i] = slots[i].place->start;
		loop->size[i] = slots[i].place->size;
		loop->room[i] = slots[i].room;
	}
}

/* --- lines --- */

/* The bytes that so many turns write, from this address on, all of them to one line; 0: they read.
 */
static uint64_t bytes_of(const struct sieve *s, const struct own_slot *slot, uint64_t address,
			 uint64_t stride, uint64_t turns)
{
	uint64_t bytes = ms_own_written(s, slot, address);

	for (; bytes != 0 && stride != 0 && turns > 1; turns--) {
		address += stride;
		bytes |= ms_own_bytes(s, slot, address);
	}
	return bytes;
}

/* As sift_one(), of processors_sift.c, meets a reference. */
static struct met *meet_line(const struct sieve *s, const struct own_slot *slot, uint64_t address,
			     uint64_t bytes, struct met *out)
{
	uint64_t line = address >> MS_LOOP_SHIFT;
	struct recent *r = &s->recent[line & s->set_mask];
	uint32_t k = r->line[1] == line;

	if (r->line[k] != line)
		return ms_own_keep(s, slot, address, bytes, out);
	r->last = k;
	return bytes == 0 ? out : ms_own_store(s, slot, address, bytes, r, k, out);
}

/* Until which turn nobody comes to another line. */
static uint64_t quiet_until(struct rank *ranks, uint32_t n, uint64_t turn, uint64_t turns)
{
	for (uint32_t i = 0; i < n; i++) {
		struct rank *rank = &ranks[i];

		if (rank->next == turn)
			rank->next += ms_march_on_line(rank, rank->first + rank->stride * turn);
		turns = rank->next < turns ? rank->next : turns;
	}
	return turns;
}

/* In the order of turns. */
static struct met *meet_together(const struct sieve *s, const struct own_slot *slots,
				 struct rank *ranks, uint32_t n, uint64_t turns, struct met *out)
{
	for (uint64_t turn = 0, next; turn < turns; turn = next) {
		next = quiet_until(ranks, n, turn, turns);
		for (uint32_t i = 0; i < n; i++) {
			const struct own_slot *slot = &slots[ranks[i].number];
			uint64_t address = ranks[i].first + ranks[i].stride * turn;

			out = meet_line(s, slot, address,
					bytes_of(s, slot, address, ranks[i].stride, next - turn),
					out);
		}
	}
	return out;
}

/* All lines of one reference. */
static struct met *meet_alone(const struct sieve *s, const struct own_slot *slot,
			      const struct rank *rank, uint64_t turns, struct met *out)
{
	uint64_t address = rank->first;

	while (turns > 0) {
		uint64_t here = ms_march_on_line(rank, address);

		here = here < turns ? here : turns;
		out = meet_line(s, slot, address, bytes_of(s, slot, address, rank->stride, here),
				out);
		address += rank->stride * here;
		turns -= here;
	}
	return out;
}

/* All of one turn. */
static struct met *meet_turn(const struct sieve *s, const struct own_slot *slots,
			     const struct rank *ranks, uint32_t n, uint64_t turn, struct met *out)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct own_slot *slot = &slots[ranks[i].number];
		uint64_t address = ranks[i].first + ranks[i].stride * turn;

		out = meet_line(s, slot, address, ms_own_written(s, slot, address), out);
	}
	return out;
}

static struct met *meet(const struct sieve *s, const struct own_slot *slots, struct rank *ranks,
			uint32_t n, uint64_t turns, struct met *out)
{
	uint8_t order[MS_LOOP_PERIOD];
	uint64_t some;

	for (; turns > 0; turns -= some) {
		some = ms_march_order(s->shard->engine, ranks, n, turns, order);
		if (some == 0)
			return meet_together(s, slots, ranks, n, turns, out);
		out = meet_turn(s, slots, ranks, n, 0, out);
		for (uint32_t i = 0; i < n; i++) {
			const struct rank *rank = &ranks[order[i]];

			out = meet_alone(s, &slots[rank->number], rank, some, out);
		}
		out = meet_turn(s, slots, ranks, n, some - 1, out);
		for (uint32_t i = 0; i < n; i++)
			ranks[i].first += ranks[i].stride * some;
	}
	return out;
}

/* --- executions --- */

/* Fewer words of a loop do not pay; where there are fewer, it is not tried for a while. */
enum { FEWEST_WORDS = 32, PAUSE = 16 };

/* Whether the same execution stands wherever it must, as far as looked. */
static bool goes_on(const struct own_exit *exit, const uint64_t *at, const uint64_t *end)
{
	uint32_t far = exit->words;

	if (end - at <= 2 * FEWEST_WORDS + (ptrdiff_t)exit->words + MS_LOOP_MARGIN)
		return false;
	while (far < FEWEST_WORDS && at[far] == *at)
		far *= 2;
	return far >= FEWEST_WORDS && at[far] == *at;
}

uint64_t ms_own_march(const struct sieve *s, struct own_exit *exit, const uint64_t *at,
		      const uint64_t *end, struct met **out)
{
	struct processor *running = s->shard->processors->running;
	struct rank ranks[MS_LOOP_PERIOD];

	if (!goes_on(exit, at, end)) {
		exit->pause = PAUSE;
		return 0;
	}
	struct loop *loop = loop_of(exit, running);
	learn(loop, exit->slots, running->known);
	uint64_t n = ms_march_follow(s->shard->loop_way, loop, at, end);
	uint64_t turns = n * (loop->refs / loop->period);
	uint32_t count = n > 0 ? ms_march_line_up(loop, at, turns, ranks) : 0;
	if (count == 0)
		return 0;
	*out = meet(s, exit->slots, ranks, count, turns, *out);
	return n;
}
