/*
 * thin.c - selects the heap blocks that are recorded while the program is sampled.
 *
 * A program may allocate millions of blocks per second. A recorded call costs it more than the
 * runtime's own instructions: while the processor executes them, it does not execute the program's
 * ahead. So recording has a budget. Until that is used up, all blocks are recorded. After that,
 * allocated bytes are sampled at random points: a block of `size` bytes is recorded with the
 * probability 1 - exp(-size / mean), large ones practically always. The mean is sent with each
 * block, so that the reader can compute how many blocks it represents.
 *
 * A free is recorded if the block's allocation was, according to a table. wrap.S reads in a few
 * instructions how many recorded blocks have a similar address; usually none. If there are some, it
 * looks for the block itself: a block that is allocated and freed all the time may be next to one
 * that was recorded and stays.
 */
#include "thin.h"

#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/thread_state.h"
#include "sys.h"
#include "wire/wire.h"
#include "wrap.h"

enum {
	ROUND = 64,              /* calls, after which their cost is evaluated */
	MEASURED = 16,           /* one of so many is measured */
	LONGEST_MEASURED = 4000, /* nanoseconds; a longer time includes other work */
	AHEAD = 400, /* nanoseconds of the program's own execution lost by a call; see timer.md */
	UNTOLD = 6,  /* likewise, by a call that is not recorded, and its free */
	SLOWEST = 64,
	LARGE = 65536, /* bytes: may replace another block in the table */
	PLACES = MS_THIN_PLACES,
	NEAR = MS_THIN_NEAR, /* entries in one cache line: a block may have any of them */
	FULL = 255,
};
/* The initial credit in nanoseconds: small programs are recorded completely. */
static const uint64_t LARGEST_MEAN = UINT64_C(1) << 40;
static const int64_t first_credit = 2 * 1000 * 1000;

static uint64_t share; /* millionths */
static int64_t credit; /* nanoseconds that may be spent */
static uint64_t began_counter, began_time;
static uint64_t tick; /* of the counter, in nanoseconds / 65536 */

/* The recorded blocks, each in the entry of its address or near it. For wrap.S, the number of them
 * for each range of memory: so small a table that it stays in the caches. */
uint64_t *ms_thin_kept;
uint8_t *ms_thin_taken;

/* Arenas of the C library begin at multiples of the memory that the table covers. Without the
 * higher bits, the first blocks of all threads would have the same entry. */
static uint64_t place_of(uint64_t block)
{
	return (block >> MS_THIN_PLACE_SHIFT ^ block >> MS_THIN_PLACE_MIX) & (PLACES - 1);
}

/* As in wrap.S. */
static uint8_t *taken_of(uint64_t block)
{
	return &ms_thin_taken[(block >> MS_THIN_SHIFT ^ block >> MS_THIN_MIX) &
			      (MS_THIN_STRETCHES - 1)];
}

static void count_taken(uint64_t block, int by)
{
	uint8_t *taken = taken_of(block);
	uint8_t was = __atomic_load_n(taken, __ATOMIC_RELAXED);

	/* A saturated count stays so. */
	while (was != FULL && !__atomic_compare_exchange_n(taken, &was, (uint8_t)(was + by), true,
							   __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		;
}

/* The i-th entry that the block may have. */
static uint64_t *kept_at(uint64_t block, uint64_t i)
{
	uint64_t place = place_of(block);

	return &ms_thin_kept[(place & ~(uint64_t)(NEAR - 1)) | ((place + i) & (NEAR - 1))];
}

void ms_thin_start(struct ms_thread *t, uint64_t wish)
{
	if (wish == 0)
		return;
	share = wish;
	credit = first_credit;
	began_counter = ms_counter();
	began_time = ms_timer_wall();
	ms_thin_kept = ms_pages(PLACES * sizeof(*ms_thin_kept));
	if (ms_thin_kept != NULL)
		ms_thin_taken = ms_pages(MS_THIN_STRETCHES);
	ms_thin_thread(t);
}

void ms_thin_thread(struct ms_thread *t)
{
	t->until = 0;
	t->thin =
		(struct ms_thin){ .random = ms_config.seed * 0x10003 + t->number, .charge = AHEAD };
}

/* --- selection --- */

/* Exponentially distributed, with this mean: -log of a random number, from its leading zeros and
 * the bits after them; accurate to a hundredth. */
static uint64_t draw(uint64_t *random, uint64_t mean)
{
	uint64_t u = ms_timer_random(random) | 1;
	uint32_t zeros = (uint32_t)__builtin_clzll(u);
	uint64_t part = zeros < 63 ? u << (zeros + 1) >> 48 : 0; /* of 65536 */
	uint64_t log2 = part + (part * (65536 - part) >> 16) * 22487 / 65536;
	uint64_t bits = ((uint64_t)(zeros + 1) << 16) - log2;

	return mean * (bits * 45426 >> 16) >> 16;
}

void ms_thin_chosen(struct ms_thread *t)
{
	t->thin.chosen = t->thin.drawn;
	t->thin.drawn = t->thin.mean;
	t->until = t->thin.mean == 0 ? 0 : draw(&t->thin.random, t->thin.mean);
}

uint64_t ms_thin_mean(const struct ms_thread *t)
{
	return t->thin.chosen;
}

bool ms_thin_chooses(struct ms_thread *t, uint64_t size)
{
	if (t->until > size) {
		t->until -= size + 1;
		return false;
	}
	ms_thin_chosen(t);
	return true;
}

static bool change(uint64_t *at, uint64_t from, uint64_t to)
{
	return __atomic_compare_exchange_n(at, &from, to, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_RELAXED);
}

/* Several threads may look for an entry at the same time. */
static bool take_place(uint64_t block)
{
	for (uint64_t i = 0; i < NEAR; i++) {
		uint64_t *at = kept_at(block, i);

		if (*at == block) /* a thread that the runtime does not trace has freed it */
			return true;
		if (*at == 0 && change(at, 0, block)) {
			count_taken(block, 1);
			return true;
		}
	}
	return false;
}

bool ms_thin_keep(struct ms_thread *t, uint64_t block, uint64_t size)
{
	while (!take_place(block)) {
		uint64_t other = *kept_at(block, 0);

		if (size < LARGE)
			return false;
		if (other != 0 && ms_thin_drop(other))
			ms_lane_event(t, MS_WIRE_FREE, 0, &other, 1, NULL, 0);
	}
	return true;
}

bool ms_thin_drop(uint64_t block)
{
	for (uint64_t i = 0; i < NEAR && block != 0; i++) {
		uint64_t *at = kept_at(block, i);

		if (*at == block && change(at, block, 0)) {
			count_taken(block, -1);
			return true;
		}
	}
	return false;
}

/* --- cost --- */

uint64_t ms_thin_begin(const struct ms_thread *t)
{
	return ms_thin_is_on() && t->thin.calls % MEASURED == 0 ? ms_counter() : 0;
}

void ms_thin_end(struct ms_thread *t, uint64_t began)
{
	if (began != 0)
		t->thin.ticks += ms_counter() - began;
}

/* The counter's unit, more accurate the longer it has run. */
static void learn_tick(void)
{
	uint64_t counted = ms_counter() - began_counter, time = ms_timer_wall() - began_time;

	if (time < UINT64_C(1) << 40 && counted > 0)
		tick = (time << 16) / counted;
}

/* The mean over the last rounds of the measured time, plus what the program loses besides. */
static void set_charge(struct ms_thin *h)
{
	uint64_t took = h->measured == 0 ? 0 : (h->ticks * tick >> 16) / h->measured;

	if (took > LONGEST_MEASURED)
		took = LONGEST_MEASURED;
	h->charge = (uint32_t)((h->charge * UINT64_C(3) + took + AHEAD) / 4);
}

/* Bytes that are allocated for each block that may be recorded. */
static uint64_t mean_for(const struct ms_thin *h, uint64_t time)
{
	uint64_t bytes = h->mean == 0 ? h->bytes : h->allocs * h->mean;
	uint64_t calls = time * share / 1000000 / h->charge * h->allocs / h->calls;
	uint64_t most = (h->mean > 0 ? h->mean : h->bytes / h->allocs + 1) * SLOWEST;
	uint64_t mean = bytes / (calls > 0 ? calls : 1);

	if (mean > LARGEST_MEAN)
		mean = LARGEST_MEAN;
	return mean < most ? mean : most;
}

static void end_round(struct ms_thread *t)
{
	struct ms_thin *h = &t->thin;
	uint64_t now = ms_timer_cpu(), time = now - h->cpu;
	int64_t won = (int64_t)(time * share / 1000000) - (int64_t)(h->calls * (uint64_t)h->charge);
	int64_t left = __atomic_add_fetch(&credit, won, __ATOMIC_RELAXED);

	if (left > first_credit)
		__atomic_store_n(&credit, first_credit, __ATOMIC_RELAXED);
	if (left > 0)
		h->mean = 0;
	else if (h->allocs > 0)
		h->mean = mean_for(h, time);
	if (tick == 0 || ms_timer_wall() - began_time < 1000000000)
		learn_tick();
	set_charge(h);
	h->cpu = now;
	h->bytes = h->ticks = 0;
	h->calls = h->allocs = h->measured = 0;
}

/* The number of blocks like this one that were not recorded. */
static uint64_t untold(const struct ms_thin *h, uint64_t bytes)
{
	return bytes != 0 && h->chosen > bytes ? h->chosen / bytes : 0;
}

void ms_thin_count(struct ms_thread *t, uint64_t bytes)
{
	struct ms_thin *h = &t->thin;

	if (!ms_thin_is_on())
		return;
	h->measured += h->calls % MEASURED == 0;
	h->calls++;
	h->allocs += bytes != 0;
	h->bytes += bytes;
	uint64_t cost = h->charge + untold(h, bytes) * UNTOLD;
	h->spent += cost;
	t->lane.telling += cost;
	if (h->calls >= ROUND)
		end_round(t);
}
