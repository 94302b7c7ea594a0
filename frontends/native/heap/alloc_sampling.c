/*
 * alloc_sampling.c - selects the heap blocks that are recorded while the program is sampled.
 *
 * A program may allocate millions of blocks per second. A recorded call costs it more than the
 * runtime's own instructions: while the processor executes them, it does not execute the program's
 * ahead. So recording has a budget. Until that is used up, all blocks are recorded. After that,
 * allocated bytes are sampled at random points: a block of `size` bytes is recorded with the
 * probability 1 - exp(-size / mean), large ones practically always. The mean is sent with each
 * block, so that the reader can compute how many blocks it represents.
 *
 * A free is recorded if the block's allocation was, according to a table. interpose.S reads in a
 * few instructions how many recorded blocks have a similar address; usually none. If there are
 * some, it looks for the block itself: a block that is allocated and freed all the time may be next
 * to one that was recorded and stays.
 */
#include "heap/alloc_sampling.h"

#include "heap/alloc_sampling_layout.h"
#include "raw_syscall.h"
#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/thread_state.h"
#include "wire/wire.h"

_Static_assert(MS_HEAP_ALLOC_COUNTDOWN_AT == MS_RUNTIME_THREAD_ALLOC_COUNTDOWN_AT, "interpose.S");

enum {
	ROUND = 64,              /* calls, after which their cost is evaluated */
	MEASURED = 16,           /* one of so many is measured */
	LONGEST_MEASURED = 4000, /* nanoseconds; a longer time includes other work */
	LOST_OVERLAP =
		400, /* nanoseconds of the program's own execution lost by a call; see timer.md */
	UNRECORDED_COST = 6, /* likewise, by a call that is not recorded, and its free */
	SLOWEST = 64,
	LARGE = 65536, /* bytes: may replace another block in the table */
	ENTRIES = MS_HEAP_RECORDED_ENTRIES,
	WAYS = MS_HEAP_RECORDED_WAYS, /* entries in one cache line: a block may have any of them */
	FULL = 255,
};
/* The initial credit in nanoseconds: small programs are recorded completely. */
static const uint64_t LARGEST_MEAN = UINT64_C(1) << 40;
static const int64_t first_credit = 2 * 1000 * 1000;

static uint64_t share; /* millionths */
static int64_t credit; /* nanoseconds that may be spent */
static uint64_t began_counter, began_time;
static uint64_t tick; /* of the counter, in nanoseconds / 65536 */

/* The recorded blocks, each in the entry of its address or near it. For interpose.S, the number of
 * them for each range of memory: so small a table that it stays in the caches. */
uint64_t *ms_heap_recorded_blocks;
uint8_t *ms_heap_recorded_filter;

/* Arenas of the C library begin at multiples of the memory that the table covers. Without the
 * higher bits, the first blocks of all threads would have the same entry. */
static uint64_t get_table_index(uint64_t block)
{
	return (block >> MS_HEAP_RECORDED_SHIFT ^ block >> MS_HEAP_RECORDED_MIX_SHIFT) &
	       (ENTRIES - 1);
}

/* As in interpose.S. */
static uint8_t *get_filter_entry(uint64_t block)
{
	return &ms_heap_recorded_filter[(block >> MS_HEAP_FILTER_SHIFT ^
					 block >> MS_HEAP_FILTER_MIX_SHIFT) &
					(MS_HEAP_FILTER_ENTRIES - 1)];
}

static void update_filter(uint64_t block, int by)
{
	uint8_t *taken = get_filter_entry(block);
	uint8_t was = __atomic_load_n(taken, __ATOMIC_RELAXED);

	/* A saturated count stays so. */
	while (was != FULL && !__atomic_compare_exchange_n(taken, &was, (uint8_t)(was + by), true,
							   __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		;
}

/* The i-th entry that the block may have. */
static uint64_t *get_way(uint64_t block, uint64_t i)
{
	uint64_t entry = get_table_index(block);

	return &ms_heap_recorded_blocks[(entry & ~(uint64_t)(WAYS - 1)) |
					((entry + i) & (WAYS - 1))];
}

void ms_heap_start_alloc_sampling(struct ms_runtime_thread *t, uint64_t max_overhead_ppm)
{
	if (max_overhead_ppm == 0)
		return;
	share = max_overhead_ppm;
	credit = first_credit;
	began_counter = ms_runtime_read_counter();
	began_time = ms_runtime_read_wall_clock();
	ms_heap_recorded_blocks = ms_runtime_map_pages(ENTRIES * sizeof(*ms_heap_recorded_blocks));
	if (ms_heap_recorded_blocks != NULL)
		ms_heap_recorded_filter = ms_runtime_map_pages(MS_HEAP_FILTER_ENTRIES);
	ms_heap_start_thread_alloc_sampling(t);
}

void ms_heap_start_thread_alloc_sampling(struct ms_runtime_thread *t)
{
	t->alloc_countdown = 0;
	*ms_heap_get_alloc_sampling(t) = (struct ms_heap_alloc_sampling){
		.random = ms_runtime_config.seed * 0x10003 + t->number, .call_cost = LOST_OVERLAP
	};
}

/* --- selection --- */

/* Exponentially distributed, with this mean: -log of a random number, from its leading zeros and
 * the bits after them; accurate to a hundredth. */
static uint64_t draw(uint64_t *random, uint64_t mean)
{
	uint64_t u = ms_runtime_draw_random(random) | 1;
	uint32_t zeros = (uint32_t)__builtin_clzll(u);
	uint64_t part = zeros < 63 ? u << (zeros + 1) >> 48 : 0; /* of 65536 */
	uint64_t log2 = part + (part * (65536 - part) >> 16) * 22487 / 65536;
	uint64_t bits = ((uint64_t)(zeros + 1) << 16) - log2;

	return mean * (bits * 45426 >> 16) >> 16;
}

void ms_heap_draw_next_sample(struct ms_runtime_thread *t)
{
	struct ms_heap_alloc_sampling *h = ms_heap_get_alloc_sampling(t);

	h->chosen = h->drawn;
	h->drawn = h->mean;
	t->alloc_countdown = h->mean == 0 ? 0 : draw(&h->random, h->mean);
}

uint64_t ms_heap_get_sample_mean(const struct ms_runtime_thread *t)
{
	return ms_heap_get_alloc_sampling(t)->chosen;
}

bool ms_heap_is_block_sampled(struct ms_runtime_thread *t, uint64_t size)
{
	if (t->alloc_countdown > size) {
		t->alloc_countdown -= size + 1;
		return false;
	}
	ms_heap_draw_next_sample(t);
	return true;
}

static bool compare_and_swap(uint64_t *at, uint64_t from, uint64_t to)
{
	return __atomic_compare_exchange_n(at, &from, to, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_RELAXED);
}

/* Several threads may look for an entry at the same time. */
static bool insert_block(uint64_t block)
{
	for (uint64_t i = 0; i < WAYS; i++) {
		uint64_t *at = get_way(block, i);

		if (*at == block) /* a thread that the runtime does not trace has freed it */
			return true;
		if (*at == 0 && compare_and_swap(at, 0, block)) {
			update_filter(block, 1);
			return true;
		}
	}
	return false;
}

bool ms_heap_remember_recorded(struct ms_runtime_thread *t, uint64_t block, uint64_t size)
{
	while (!insert_block(block)) {
		uint64_t other = *get_way(block, 0);

		if (size < LARGE)
			return false;
		if (other != 0 && ms_heap_forget_recorded(other))
			ms_runtime_write_event(t, MS_WIRE_FREE, 0, &other, 1, NULL, 0);
	}
	return true;
}

bool ms_heap_forget_recorded(uint64_t block)
{
	for (uint64_t i = 0; i < WAYS && block != 0; i++) {
		uint64_t *at = get_way(block, i);

		if (*at == block && compare_and_swap(at, block, 0)) {
			update_filter(block, -1);
			return true;
		}
	}
	return false;
}

/* --- cost --- */

uint64_t ms_heap_begin_cost_measure(const struct ms_runtime_thread *t)
{
	return ms_heap_is_alloc_sampling() && ms_heap_get_alloc_sampling(t)->calls % MEASURED == 0
		       ? ms_runtime_read_counter()
		       : 0;
}

void ms_heap_end_cost_measure(struct ms_runtime_thread *t, uint64_t began)
{
	if (began != 0)
		ms_heap_get_alloc_sampling(t)->ticks += ms_runtime_read_counter() - began;
}

/* The counter's unit, more accurate the longer it has run. */
static void measure_tick(void)
{
	uint64_t counted = ms_runtime_read_counter() - began_counter,
		 time = ms_runtime_read_wall_clock() - began_time;

	if (time < UINT64_C(1) << 40 && counted > 0)
		tick = (time << 16) / counted;
}

/* The mean over the last rounds of the measured time, plus what the program loses besides. */
static void update_call_cost(struct ms_heap_alloc_sampling *h)
{
	uint64_t took = h->measured == 0 ? 0 : (h->ticks * tick >> 16) / h->measured;

	if (took > LONGEST_MEASURED)
		took = LONGEST_MEASURED;
	h->call_cost = (uint32_t)((h->call_cost * UINT64_C(3) + took + LOST_OVERLAP) / 4);
}

/* Bytes that are allocated for each block that may be recorded. */
static uint64_t choose_mean(const struct ms_heap_alloc_sampling *h, uint64_t time)
{
	uint64_t bytes = h->mean == 0 ? h->bytes : h->allocs * h->mean;
	uint64_t calls = time * share / 1000000 / h->call_cost * h->allocs / h->calls;
	uint64_t most = (h->mean > 0 ? h->mean : h->bytes / h->allocs + 1) * SLOWEST;
	uint64_t mean = bytes / (calls > 0 ? calls : 1);

	if (mean > LARGEST_MEAN)
		mean = LARGEST_MEAN;
	return mean < most ? mean : most;
}

static void end_round(struct ms_runtime_thread *t)
{
	struct ms_heap_alloc_sampling *h = ms_heap_get_alloc_sampling(t);
	uint64_t now = ms_runtime_read_cpu_clock(), time = now - h->cpu;
	int64_t won =
		(int64_t)(time * share / 1000000) - (int64_t)(h->calls * (uint64_t)h->call_cost);
	int64_t left = __atomic_add_fetch(&credit, won, __ATOMIC_RELAXED);

	if (left > first_credit)
		__atomic_store_n(&credit, first_credit, __ATOMIC_RELAXED);
	if (left > 0)
		h->mean = 0;
	else if (h->allocs > 0)
		h->mean = choose_mean(h, time);
	if (tick == 0 || ms_runtime_read_wall_clock() - began_time < 1000000000)
		measure_tick();
	update_call_cost(h);
	h->cpu = now;
	h->bytes = h->ticks = 0;
	h->calls = h->allocs = h->measured = 0;
}

/* The number of blocks like this one that were not recorded. */
static uint64_t count_unrecorded(const struct ms_heap_alloc_sampling *h, uint64_t bytes)
{
	return bytes != 0 && h->chosen > bytes ? h->chosen / bytes : 0;
}

void ms_heap_count_recorded_call(struct ms_runtime_thread *t, uint64_t bytes)
{
	struct ms_heap_alloc_sampling *h = ms_heap_get_alloc_sampling(t);

	if (!ms_heap_is_alloc_sampling())
		return;
	h->measured += h->calls % MEASURED == 0;
	h->calls++;
	h->allocs += bytes != 0;
	h->bytes += bytes;
	uint64_t cost = h->call_cost + count_unrecorded(h, bytes) * UNRECORDED_COST;
	h->spent += cost;
	t->lane.telling += cost;
	if (h->calls >= ROUND)
		end_round(t);
}
