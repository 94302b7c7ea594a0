/* wire/stamped.h: blocks of several lanes, and their chunks, in the order of stamps. The
 * test writes the lanes, as a front-end would. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "schedule/merge.h"
#include "stream/futex.h"
#include "stream/timestamps.h"

enum { LANES = 6 };

static struct ms_stream_ring ring;

static struct ms_wire_lane *lane_at(uint32_t lane)
{
	return (struct ms_wire_lane *)(ring.base + ring.stream->more_at +
				       (lane - 1) * ring.stream->more_bytes);
}

static void open_ring(enum ms_wire_stamps stamps)
{
	struct ms_err err;

	assert_int_equal(ms_stream_ring_open(&ring, 0, 0, 1, &err), MS_OK);
	assert_int_equal(ms_stream_ring_add_lanes(&ring, LANES, &err), MS_OK);
	ring.stream->stamps = stamps;
	ring.stream->stamping = ring.stream->merging = 1;
	ring.stream->lanes_used = LANES;
	ring.stream->stamp = 1000;
}

/* --- a lane's end --- */

static void put(uint32_t number, uint64_t word, uint64_t address, uint64_t stamp)
{
	struct ms_wire_lane *lane = lane_at(number);
	struct ms_wire_stamped *blocks =
		(struct ms_wire_stamped *)((uint8_t *)lane + ring.stream->more_stamped_at);

	blocks[lane->stamped % ring.stream->more_stamped] = ms_wire_stamp(word, address, stamp);
	__atomic_store_n(&lane->stamped, lane->stamped + 1, __ATOMIC_SEQ_CST);
}

static uint64_t word_of(uint32_t path, uint64_t size)
{
	return MS_WIRE_PACKED_ALLOC | (uint64_t)path << MS_WIRE_PACKED_PATH_AT |
	       size << MS_WIRE_PACKED_SIZE_AT;
}

static void hand_over(uint32_t number, uint64_t word, uint64_t stamp)
{
	struct ms_wire_lane *lane = lane_at(number);
	uint32_t count = ring.stream->more_chunk_count, slot = lane->filled % count;
	uint64_t *order = (uint64_t *)(ring.base + ring.stream->order_at);
	struct ms_wire_index *index = (struct ms_wire_index *)((uint8_t *)lane + 4096);
	uint64_t *chunk = (uint64_t *)((uint8_t *)(index + count) +
				       (uint64_t)slot * ring.stream->more_chunk_bytes);

	chunk[0] = word;
	index[slot].count = MS_WIRE_INDEXED + 1; /* it is not to be used */
	((uint32_t *)(lane + 1))[slot] = 1;
	lane->filled++;
	uint64_t n = ring.stream->handed_over++ % MS_WIRE_ORDERED;
	order[MS_WIRE_ORDERED + n] = stamp;
	order[n] = ms_wire_handover(number, number);
}

/* --- what comes out --- */

struct event {
	uint32_t kind, path; /* of an execution: its exit */
	uint64_t address, size;
};

struct events {
	MS_VEC(struct event) at;
	uint32_t records; /* of packed blocks */
};

static void read_packed(struct events *events, const uint64_t *words, uint32_t n)
{
	events->records++;
	for (uint32_t i = 2; i < n; i++) {
		uint64_t record[MS_WIRE_UNPACKED];
		uint32_t length = ms_wire_unpack(words[1], words[i], record);

		*ms_vec_add(&events->at) =
			(struct event){ ms_wire_kind_of(record[0]), ms_wire_arg_of(record[0]),
					record[1], length > 2 ? record[2] : 0 };
	}
}

static void read_events(struct events *events, const uint64_t *words, size_t n)
{
	for (size_t at = 0; at < n; at += ms_wire_words_of(words[at])) {
		uint32_t kind = ms_wire_kind_of(words[at]);

		assert_in_range(ms_wire_words_of(words[at]), 1, n - at);
		if (kind == MS_WIRE_PACKED)
			read_packed(events, words + at, ms_wire_words_of(words[at]));
		else if (kind == MS_WIRE_EXEC)
			*ms_vec_add(&events->at) =
				(struct event){ kind, ms_wire_arg_of(words[at]), 0, 0 };
	}
}

static struct ms_schedule_merger *start(void)
{
	const struct ms_schedule_merge_processors processors = { .count = 1 };
	struct ms_schedule_merger *merger = NULL;
	struct ms_err err;

	assert_int_equal(ms_schedule_merge_start(&merger, &ring, false, &processors, &err), MS_OK);
	return merger;
}

static struct events finish(struct ms_schedule_merger *merger)
{
	struct events events = { MS_VEC_INIT, 0 };
	const uint64_t *words;
	size_t n;

	ms_schedule_merge_finish(merger);
	ms_stream_ring_end(&ring);
	for (uint32_t k = 0; ms_stream_ring_wait(&ring, k, &words, &n); k++) {
		read_events(&events, words, n);
		ms_stream_ring_release(&ring, k);
	}
	return events;
}

static struct events merged(void)
{
	return finish(start());
}

static void expect(struct events *events, const struct event *wanted, size_t n)
{
	assert_int_equal(events->at.n, n);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(events->at.at[i].kind, wanted[i].kind);
		assert_int_equal(events->at.at[i].path, wanted[i].path);
		assert_int_equal(events->at.at[i].address, wanted[i].address);
		assert_int_equal(events->at.at[i].size, wanted[i].size);
	}
	ms_vec_free(&events->at);
	ms_stream_ring_close(&ring);
}

/* --- tests --- */

static uint64_t exec(uint32_t exit)
{
	return ms_wire_head(MS_WIRE_EXEC, 1, exit);
}

static void test_puts_blocks_in_order(void **state)
{
	const struct event wanted[] = {
		{ MS_WIRE_ALLOC, 7, 0x1000, 24 }, { MS_WIRE_FREE, 0, 0x1000, 0 },
		{ MS_WIRE_ALLOC, 8, 0x1000, 48 }, { MS_WIRE_FREE, 0, 0x1000, 0 },
		{ MS_WIRE_FREE, 0, 0x2000, 0 },
	};

	(void)state;
	open_ring(MS_WIRE_STAMPS_COUNTED);
	put(3, 0, 0x1000, 20);
	put(3, word_of(8, 48), 0x1000, 21);
	put(2, word_of(7, 24), 0x1000, 10);
	put(2, 0, 0x1000, 30);
	put(5, 0, 0x2000, 999);
	struct events events = merged();

	assert_int_equal(events.records, 1);
	expect(&events, wanted, sizeof(wanted) / sizeof(wanted[0]));
}

/* Not in the order in which they were handed over; and before blocks of the same stamp, which were
 * recorded after it. */
static void test_puts_chunks_between_blocks(void **state)
{
	const struct event wanted[] = {
		{ MS_WIRE_FREE, 0, 0x1000, 0 }, { MS_WIRE_EXEC, 1, 0, 0 },
		{ MS_WIRE_FREE, 0, 0x2000, 0 }, { MS_WIRE_FREE, 0, 0x3000, 0 },
		{ MS_WIRE_EXEC, 2, 0, 0 },      { MS_WIRE_EXEC, 3, 0, 0 },
	};

	(void)state;
	open_ring(MS_WIRE_STAMPS_COUNTED);
	put(2, 0, 0x1000, 10);
	put(2, 0, 0x2000, 15);
	put(3, 0, 0x3000, 19);
	hand_over(3, exec(2), 20);
	/* A place that a killed process has taken and not filled. */
	ring.stream->handed_over++;
	hand_over(2, exec(1), 15);
	hand_over(3, exec(3), 21);
	struct events events = merged();
	expect(&events, wanted, sizeof(wanted) / sizeof(wanted[0]));
}

/* An event with a later stamp than the beginning of a round may follow one that the round has not
 * read. */
static void test_leaves_the_latest_for_the_next_round(void **state)
{
	const struct event wanted[] = {
		{ MS_WIRE_EXEC, 1, 0, 0 },
		{ MS_WIRE_FREE, 0, 0x1000, 0 },
		{ MS_WIRE_ALLOC, 7, 0x1000, 24 },
	};

	(void)state;
	open_ring(MS_WIRE_STAMPS_COUNTED);
	ring.stream->stamp = 15;
	hand_over(2, exec(1), 10);
	put(3, word_of(7, 24), 0x1000, 20);
	struct ms_schedule_merger *merger = start();

	while (__atomic_load_n(&lane_at(2)->freed, __ATOMIC_SEQ_CST) == 0)
		sched_yield();
	put(2, 0, 0x1000, 12);
	__atomic_store_n(&ring.stream->stamp, 30, __ATOMIC_SEQ_CST);
	struct events events = finish(merger);
	expect(&events, wanted, sizeof(wanted) / sizeof(wanted[0]));
}

/* The highest bits of a stamp are not sent; those of a distant address need a separate record. */
static void test_stamps_and_far_addresses_need_all_bits(void **state)
{
	const uint64_t wrap = UINT64_C(1) << (64 - MS_WIRE_STAMP_AT);
	const uint64_t far = UINT64_C(0xfffff0001230);
	const struct event wanted[] = {
		{ MS_WIRE_ALLOC, MS_WIRE_PACKED_PATHS - 1, far, MS_WIRE_PACKED_SIZES - 1 },
		{ MS_WIRE_EXEC, 1, 0, 0 },
		{ MS_WIRE_FREE, 0, 0x10, 0 },
		{ MS_WIRE_FREE, 0, far, 0 },
	};

	(void)state;
	open_ring(MS_WIRE_STAMPS_COUNTED);
	ring.stream->stamp = wrap + 100;
	put(4, 0, 0x10, wrap + 1);
	put(4, 0, far, wrap + 50);
	put(2, word_of(MS_WIRE_PACKED_PATHS - 1, MS_WIRE_PACKED_SIZES - 1), far, wrap - 1);
	hand_over(4, exec(1), wrap);
	struct events events = merged();

	assert_int_equal(events.records, 3);
	expect(&events, wanted, sizeof(wanted) / sizeof(wanted[0]));
	assert_true(ms_wire_can_stamp(far));
	assert_false(ms_wire_can_stamp(far + 8));
	assert_false(ms_wire_can_stamp(far << 4));
}

static void test_uses_the_kernels_clock_source(void **state)
{
	char text[64] = "hpet ";

	(void)state;
	assert_int_equal(ms_stream_timestamps_by_clock(""), MS_WIRE_STAMPS_COUNTED);
	assert_int_equal(ms_stream_timestamps_by_clock("hpet acpi_pm \n"), MS_WIRE_STAMPS_COUNTED);
	strcat(text, ms_stream_timestamps_clock);
	assert_int_equal(ms_stream_timestamps_by_clock(text), MS_WIRE_STAMPS_COUNTER);
	strcat(text, " \n");
	assert_int_equal(ms_stream_timestamps_by_clock(text), MS_WIRE_STAMPS_COUNTER);
	assert_int_equal(ms_stream_timestamps_by_clock(text + 5), MS_WIRE_STAMPS_COUNTER);
	strcat(text, "x");
	text[strlen(ms_stream_timestamps_clock) + 5] = 'y';
	assert_int_equal(ms_stream_timestamps_by_clock(text), MS_WIRE_STAMPS_COUNTED);
}

static void test_variable_selects_stamps(void **state)
{
	(void)state;
	setenv("MEMSPY_NATIVE_STAMPS", "none", 1);
	assert_int_equal(ms_stream_timestamps_of_machine(), MS_WIRE_STAMPS_NONE);
	setenv("MEMSPY_NATIVE_STAMPS", "counted", 1);
	assert_int_equal(ms_stream_timestamps_of_machine(), MS_WIRE_STAMPS_COUNTED);
	setenv("MEMSPY_NATIVE_STAMPS", "counter", 1);
	assert_int_equal(ms_stream_timestamps_of_machine(), MS_WIRE_STAMPS_COUNTER);
	unsetenv("MEMSPY_NATIVE_STAMPS");
}

/* --- threads that pass blocks to each other --- */

enum { THREADS = 3, ROUNDS = 20000, BLOCKS = 5 };

static uint64_t unused[BLOCKS]; /* what an allocator has to give; 0: nothing there */

static uint64_t stamp(void)
{
	if (ring.stream->stamps == MS_WIRE_STAMPS_COUNTED)
		return __atomic_fetch_add(&ring.stream->stamp, 1, __ATOMIC_SEQ_CST);
	return ms_stream_timestamps_counter();
}

static void write_event(uint32_t number, uint64_t word, uint64_t block)
{
	struct ms_wire_lane *lane = lane_at(number);

	while (lane->stamped - __atomic_load_n(&lane->stamped_taken, __ATOMIC_SEQ_CST) ==
	       ring.stream->more_stamped) {
		__atomic_add_fetch(&ring.stream->merger_bell, 1, __ATOMIC_SEQ_CST);
		ms_stream_futex_wake(&ring.stream->merger_bell);
	}
	put(number, word, block, stamp());
}

static void *pass(void *arg)
{
	uint32_t number = (uint32_t)(uintptr_t)arg;

	for (uint32_t i = 0; i < ROUNDS;) {
		uint64_t *place = &unused[i % BLOCKS];
		uint64_t block = __atomic_exchange_n(place, 0, __ATOMIC_ACQ_REL);

		i++;
		if (block == 0)
			continue;
		write_event(number, word_of(number, i % 100), block);
		write_event(number, 0, block);
		for (uint64_t none = 0; !__atomic_compare_exchange_n(
			     place, &none, block, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
		     none = 0)
			place = &unused[(size_t)(place - unused + 1) % BLOCKS];
	}
	return NULL;
}

struct words {
	MS_VEC(uint64_t) at;
};

static void *read_all(void *arg)
{
	struct words *all = arg;
	const uint64_t *words;
	size_t n;

	for (uint32_t k = 0; ms_stream_ring_wait(&ring, k, &words, &n); k++) {
		for (size_t i = 0; i < n; i++)
			*ms_vec_add(&all->at) = words[i];
		ms_stream_ring_release(&ring, k);
	}
	return NULL;
}

static void run_threads(struct words *all)
{
	struct ms_schedule_merger *merger = start();
	pthread_t threads[THREADS], reader;

	pthread_create(&reader, NULL, read_all, all);
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, pass, (void *)(i + 2));
	for (uint32_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	ms_schedule_merge_finish(merger);
	ms_stream_ring_end(&ring);
	pthread_join(reader, NULL);
}

/* Each block comes, goes, comes ... */
static void passed_in_order(enum ms_wire_stamps stamps)
{
	bool live[BLOCKS + 1] = { false };
	struct events events = { MS_VEC_INIT, 0 };
	struct words all = { MS_VEC_INIT };

	open_ring(stamps);
	for (uint64_t i = 0; i < BLOCKS; i++)
		unused[i] = (i + 1) * 4096;
	run_threads(&all);
	read_events(&events, all.at.at, all.at.n);
	assert_true(events.at.n > 0);
	for (size_t i = 0; i < events.at.n; i++) {
		bool *lives = &live[events.at.at[i].address / 4096];

		assert_int_equal(*lives, events.at.at[i].kind == MS_WIRE_FREE);
		*lives = !*lives;
	}
	ms_vec_free(&events.at);
	ms_vec_free(&all.at);
	ms_stream_ring_close(&ring);
}

static void test_keeps_the_order_of_threads(void **state)
{
	(void)state;
	passed_in_order(MS_WIRE_STAMPS_COUNTED);
	if (ms_stream_timestamps_of_machine() == MS_WIRE_STAMPS_COUNTER)
		passed_in_order(MS_WIRE_STAMPS_COUNTER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_puts_blocks_in_order),
		cmocka_unit_test(test_puts_chunks_between_blocks),
		cmocka_unit_test(test_leaves_the_latest_for_the_next_round),
		cmocka_unit_test(test_stamps_and_far_addresses_need_all_bits),
		cmocka_unit_test(test_uses_the_kernels_clock_source),
		cmocka_unit_test(test_variable_selects_stamps),
		cmocka_unit_test(test_keeps_the_order_of_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
