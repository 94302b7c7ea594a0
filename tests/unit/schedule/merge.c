/* schedule/merge.h: chunks of several lanes become one stream. The test writes the lanes, as a
 * front-end would. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"
#include "schedule/merge.h"

enum { LANES = 6, INSTRUCTIONS = 10 };

struct words {
	MS_VEC(uint64_t) at;
};

static struct ms_stream_ring ring;

static struct ms_wire_lane *lane_at(uint32_t lane)
{
	return (struct ms_wire_lane *)(ring.base + ring.stream->more_at +
				       (lane - 1) * ring.stream->more_bytes);
}

static uint64_t *chunk_at(struct ms_wire_lane *lane)
{
	uint32_t count = ring.stream->more_chunk_count, slot = lane->filled % count;

	return (uint64_t *)((uint8_t *)lane + 4096 + count * sizeof(struct ms_wire_index) +
			    (uint64_t)slot * ring.stream->more_chunk_bytes);
}

/* As wide as it can be: what the writer says of its events need not be used. */
static void write_words(struct ms_wire_lane *lane, const uint64_t *words, size_t n)
{
	struct ms_wire_index *index = (struct ms_wire_index *)((uint8_t *)lane + 4096) +
				      lane->filled % ring.stream->more_chunk_count;

	index->count = MS_WIRE_INDEXED + 1;
	for (size_t i = 0; i < n; i++)
		chunk_at(lane)[i] = words[i];
}

static void hand_over(uint32_t number, uint32_t thread, const uint64_t *words, size_t n,
		      uint32_t in_order)
{
	struct ms_wire_lane *lane = lane_at(number);
	uint64_t *order = (uint64_t *)(ring.base + ring.stream->order_at);

	lane->thread = thread;
	write_words(lane, words, n);
	((uint32_t *)(lane + 1))[lane->filled % ring.stream->more_chunk_count] = (uint32_t)n;
	lane->filled++;
	order[ring.stream->handed_over++ % MS_WIRE_ORDERED] =
		ms_wire_handover(thread, number | in_order);
}

/* The chunk is not handed over: the process ends before. */
static void leave_unfinished(uint32_t number, uint32_t thread, const uint64_t *words, size_t n)
{
	struct ms_wire_lane *lane = lane_at(number);

	lane->thread = thread;
	write_words(lane, words, n);
	lane->chunk = lane->filled;
	lane->chunk_start = 4096;
	lane->cursor = 4096 + n * 8;
}

static uint64_t exec(uint32_t exit)
{
	return ms_wire_head(MS_WIRE_EXEC, 1, exit);
}

static uint64_t head(uint32_t kind, uint32_t words, uint32_t arg)
{
	return ms_wire_head(kind, words, arg);
}

static void open_ring(void)
{
	struct ms_err err;

	assert_int_equal(ms_stream_ring_open(&ring, 0, 0, 1, &err), MS_OK);
	assert_int_equal(ms_stream_ring_add_lanes(&ring, LANES, &err), MS_OK);
	ring.stream->merging = 1;
	for (uint32_t i = 0; i < 1000; i++)
		((uint16_t *)(ring.base + ring.stream->exits_at))[i] = INSTRUCTIONS;
}

static struct ms_schedule_merge_processors processors = { .count = 2 };

static struct words merge(bool finely)
{
	struct words all = { MS_VEC_INIT };
	struct ms_schedule_merger *merger = NULL;
	const uint64_t *words;
	struct ms_err err;
	size_t n;

	assert_int_equal(ms_schedule_merge_start(&merger, &ring, finely, &processors, &err), MS_OK);
	ms_schedule_merge_finish(merger);
	ms_stream_ring_end(&ring);
	for (uint32_t k = 0; ms_stream_ring_wait(&ring, k, &words, &n); k++) {
		for (size_t i = 0; i < n; i++)
			*ms_vec_add(&all.at) = words[i];
		ms_stream_ring_release(&ring, k);
	}
	return all;
}

static void expect(struct words *got, const uint64_t *wanted, size_t n)
{
	assert_int_equal(got->at.n, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(got->at.at[i], wanted[i]);
	ms_vec_free(&got->at);
	ms_stream_ring_close(&ring);
}

static void test_takes_chunks_as_they_were_handed_over(void **state)
{
	const uint64_t path[] = { head(MS_WIRE_PATH, 2, 0), 77 };
	const uint64_t first[] = { exec(1), exec(2) };
	const uint64_t other[] = { head(MS_WIRE_THREAD, 4, 2), 10,     20, 1,
				   head(MS_WIRE_SWITCH, 1, 2), exec(3) };
	const uint64_t rest[] = { exec(4) };
	const uint64_t wanted[] = { path[0],  path[1],  head(MS_WIRE_SWITCH, 1, 1),
				    exec(1),  exec(2),  other[0],
				    other[1], other[2], other[3],
				    other[4], exec(3),  head(MS_WIRE_SWITCH, 1, 1),
				    exec(4) };
	struct words got;

	(void)state;
	open_ring();
	hand_over(2, 1, first, 2, 0);
	hand_over(3, 2, other, 6, 0);
	hand_over(2, 1, rest, 1, 0);
	leave_unfinished(MS_WIRE_SHARED_LANE, 0, path, 2); /* not a thread's */
	got = merge(false);
	expect(&got, wanted, sizeof(wanted) / 8);
}

static void test_reads_chunks_left_at_the_end(void **state)
{
	const uint64_t first[] = { exec(1) }, left[] = { exec(2), exec(3) };
	const uint64_t wanted[] = { head(MS_WIRE_SWITCH, 1, 1), exec(1), head(MS_WIRE_SWITCH, 1, 2),
				    exec(2), exec(3) };
	struct words got;

	(void)state;
	open_ring();
	hand_over(2, 1, first, 1, 0);
	leave_unfinished(4, 2, left, 2);
	/* A place that a killed process has taken and not filled. */
	ring.stream->handed_over++;
	got = merge(false);
	expect(&got, wanted, sizeof(wanted) / 8);
}

/* The writer is a program that may have written anywhere. */
static void test_does_not_use_an_index_beyond_the_chunk(void **state)
{
	const uint64_t words[] = { exec(1), head(MS_WIRE_FREE, 2, 0), 4096, exec(2) };
	const uint64_t wanted[] = { head(MS_WIRE_SWITCH, 1, 1), words[0], words[1], words[2],
				    words[3] };
	struct words got;

	(void)state;
	open_ring();
	hand_over(2, 1, words, 4, 0);
	*(struct ms_wire_index *)((uint8_t *)lane_at(2) + 4096) =
		(struct ms_wire_index){ .count = 1, .at = { 100 } };
	got = merge(false);
	const struct ms_wire_index *index = ms_stream_ring_index(&ring, 0);
	assert_int_equal(index->count, 2);
	assert_int_equal(index->at[0], 0); /* the switch */
	assert_int_equal(index->at[1], 2);
	expect(&got, wanted, sizeof(wanted) / 8);
}

enum { MANY = 300, BYTES = 128 };

/* How far apart two threads have been that executed the same, and how often they changed. */
struct together {
	uint32_t most_ahead;
	uint32_t switches;
	uint32_t clocks;
};

static struct together follow(struct words *got, uint32_t n, const uint64_t *addresses)
{
	uint32_t done[3] = { 0, 0, 0 }, running = 0;
	struct together t = { 0, 0, 0 };

	for (size_t i = 0; i < got->at.n; i += ms_wire_words_of(got->at.at[i])) {
		uint64_t word = got->at.at[i];

		if (ms_wire_kind_of(word) == MS_WIRE_SWITCH) {
			running = ms_wire_arg_of(word);
			t.switches++;
		} else if (ms_wire_kind_of(word) == MS_WIRE_CLOCK) {
			assert_int_equal(got->at.at[i + 1],
					 done[ms_wire_arg_of(word)] * INSTRUCTIONS);
			t.clocks++;
		} else {
			assert_int_equal(word, head(MS_WIRE_EXEC, 2, done[running] % MANY));
			assert_int_equal(got->at.at[i + 1] / 1000000, addresses[running]);
			done[running]++;
			uint32_t ahead = done[1] > done[2] ? done[1] - done[2] : done[2] - done[1];
			t.most_ahead = ahead > t.most_ahead ? ahead : t.most_ahead;
		}
	}
	assert_int_equal(done[1], n);
	assert_int_equal(done[2], n);
	ms_vec_free(&got->at);
	ms_stream_ring_close(&ring);
	return t;
}

/* A chunk of each of two threads: one execution after the other, at adjacent lines. */
static void hand_over_walks(const uint64_t *addresses)
{
	uint64_t words[2 * MANY];

	for (uint32_t thread = 1; thread <= 2; thread++) {
		for (uint32_t i = 0; i < MANY; i++) {
			words[2 * i] = head(MS_WIRE_EXEC, 2, i);
			words[2 * i + 1] = addresses[thread] * 1000000 + i * BYTES;
		}
		hand_over(thread + 1, thread, words, 2 * MANY, 0);
	}
}

/* Two threads that do the same, to the same lines: none of them is ever far ahead. */
static void test_interleaves_by_instructions(void **state)
{
	const uint64_t same[] = { 0, 7, 7 };

	(void)state;
	open_ring();
	hand_over_walks(same);
	struct words got = merge(true);
	struct together t = follow(&got, MANY, same);

	assert_in_range(t.switches, 60, 140); /* 48 to 95 instructions at a time */
	assert_in_range(t.most_ahead, 1, 20);
	assert_in_range(t.clocks, 2, 4); /* each has a processor of its own */
}

/* Who takes another one's processor begins when that one ended. */
static void test_threads_of_one_processor_share_a_clock(void **state)
{
	const uint64_t same[] = { 0, 7, 7 };
	const uint32_t map[] = { 1, 1 };
	const struct ms_schedule_merge_processors apart = processors;

	(void)state;
	processors = (struct ms_schedule_merge_processors){ .count = 2, .map = map, .n = 2 };
	open_ring();
	hand_over_walks(same);
	struct words got = merge(true);
	struct together t = follow(&got, MANY, same);

	processors = apart;
	assert_in_range(t.clocks, t.switches - 1, t.switches + 1);
}

/* To private lines, or lines that no thread writes: chunk by chunk. */
static void takes_chunks_whole(const uint64_t *addresses, bool reads)
{
	open_ring();
	for (uint32_t i = 0; i < MANY && reads; i++)
		ms_stream_ring_set_exit_writes(&ring, i, 0);
	hand_over_walks(addresses);
	hand_over_walks(addresses);
	struct words got = merge(true);
	struct together t = follow(&got, 2 * MANY, addresses);

	assert_in_range(t.switches, 2, 4);
	assert_in_range(t.most_ahead, MANY, 2 * MANY);
}

static void test_merges_uncontended_chunks_whole(void **state)
{
	const uint64_t apart[] = { 0, 7, 8 }, same[] = { 0, 7, 7 };

	(void)state;
	takes_chunks_whole(apart, false);
	takes_chunks_whole(same, true);
}

/* What a thread frees is free before others go on. */
static void test_keeps_the_order_of_events(void **state)
{
	uint64_t words[MANY];
	uint32_t before = 0;
	struct words got;

	(void)state;
	open_ring();
	for (uint32_t i = 0; i < MANY; i++)
		words[i] = exec(i);
	words[MANY - 2] = head(MS_WIRE_FREE, 2, 0);
	words[MANY - 1] = 4096;
	hand_over(2, 1, words, MANY, MS_WIRE_IN_ORDER);
	words[0] = exec(999);
	hand_over(3, 2, words, 1, 0);
	got = merge(true);
	for (size_t i = 0; i < got.at.n && got.at.at[i] != exec(999);
	     i += ms_wire_words_of(got.at.at[i]))
		before += ms_wire_kind_of(got.at.at[i]) == MS_WIRE_FREE;
	assert_int_equal(before, 1);
	ms_vec_free(&got.at);
	ms_stream_ring_close(&ring);
}

/* Who was woken and by whom is not known: it was who ran before. */
static void test_records_the_waking_thread(void **state)
{
	const uint64_t runs[] = { exec(1) };
	const uint64_t woken[] = { head(MS_WIRE_WAKE, 2, 2), MS_WIRE_NO_THREAD, exec(2) };
	const uint64_t wanted[] = { head(MS_WIRE_SWITCH, 1, 1), exec(1),
				    head(MS_WIRE_CLOCK, 2, 1),  INSTRUCTIONS,
				    head(MS_WIRE_WAKE, 2, 2),   1,
				    head(MS_WIRE_SWITCH, 1, 2), exec(2),
				    head(MS_WIRE_CLOCK, 2, 2),  INSTRUCTIONS };
	struct words got;

	(void)state;
	open_ring();
	hand_over(2, 1, runs, 1, MS_WIRE_IN_ORDER);
	hand_over(3, 2, woken, 3, 0);
	got = merge(true);
	expect(&got, wanted, sizeof(wanted) / 8);
}

/* The same in the remaining records of a thread: first it is woken, then it runs. */
static void test_wakes_before_it_switches(void **state)
{
	const uint64_t runs[] = { exec(1) };
	const uint64_t woken[] = { head(MS_WIRE_WAKE, 2, 2), MS_WIRE_NO_THREAD, exec(2) };
	const uint64_t wanted[] = { head(MS_WIRE_SWITCH, 1, 1), exec(1),
				    head(MS_WIRE_CLOCK, 2, 1),  INSTRUCTIONS,
				    head(MS_WIRE_WAKE, 2, 2),   MS_WIRE_NO_THREAD,
				    head(MS_WIRE_SWITCH, 1, 2), exec(2) };
	struct words got;

	(void)state;
	open_ring();
	hand_over(2, 1, runs, 1, MS_WIRE_IN_ORDER);
	leave_unfinished(3, 2, woken, 3);
	got = merge(true);
	expect(&got, wanted, sizeof(wanted) / 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_takes_chunks_as_they_were_handed_over),
		cmocka_unit_test(test_reads_chunks_left_at_the_end),
		cmocka_unit_test(test_does_not_use_an_index_beyond_the_chunk),
		cmocka_unit_test(test_interleaves_by_instructions),
		cmocka_unit_test(test_threads_of_one_processor_share_a_clock),
		cmocka_unit_test(test_merges_uncontended_chunks_whole),
		cmocka_unit_test(test_keeps_the_order_of_events),
		cmocka_unit_test(test_records_the_waking_thread),
		cmocka_unit_test(test_wakes_before_it_switches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
