/* A sampler of whole streams: how much it keeps, what it reports, and that the same seed keeps the
 * same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "stream/check/check.h"
#include "stream/window_sampler.h"
#include "wire/wire.h"

enum { EXECUTIONS = 1000, CHUNKS = 400, REFS = 2, INSTRUCTIONS = 5 };

/* A block of five instructions with two references; executions count up the addresses. */
static size_t make_chunk(uint64_t *words, uint64_t number)
{
	size_t n = 0;

	if (number == 0) {
		const struct ms_wire_block head = { INSTRUCTIONS, REFS, 1, 0 };
		const struct ms_wire_ref refs[REFS] = { { 0, 8, MS_WIRE_READ, 0 },
							{ 1, 8, MS_WIRE_WRITE, 0 } };
		const struct ms_wire_exit exit = { REFS, INSTRUCTIONS, 0 };

		words[n++] = ms_wire_head(MS_WIRE_BLOCK, 2 + INSTRUCTIONS + REFS + 1, 0);
		memcpy(&words[n++], &head, sizeof(head));
		for (int i = 0; i < INSTRUCTIONS; i++)
			words[n++] = 0x1000 + (uint64_t)i;
		memcpy(&words[n], refs, sizeof(refs));
		n += REFS;
		memcpy(&words[n++], &exit, sizeof(exit));
	}
	for (uint64_t i = 0; i < EXECUTIONS; i++) {
		words[n++] = ms_wire_head(MS_WIRE_EXEC, 1 + REFS, 0);
		words[n++] = 0x100000 + (number * EXECUTIONS + i) * 64;
		words[n++] = 0x200000 + i * 64;
	}
	return n;
}

struct outcome {
	uint64_t kept; /* references */
	uint64_t hash;
	struct ms_wire_window in, out;
	uint64_t windows;
	uint64_t left_out;          /* executions */
	uint64_t shortest, longest; /* of windows, in references; without the last one */
};

static void read_out(struct outcome *o, const uint64_t *words, size_t n)
{
	for (size_t at = 0; at < n; at += ms_wire_words_of(words[at])) {
		uint32_t kind = ms_wire_kind_of(words[at]);
		struct ms_wire_window window;

		o->hash = (o->hash ^ words[at] ^ words[at + (kind == MS_WIRE_EXEC)]) *
			  UINT64_C(6364136223846793005);
		if (kind == MS_WIRE_EXEC)
			o->kept += (words[at + 1] != 0) + (words[at + 2] != 0);
		if (kind != MS_WIRE_WINDOW_OPEN && kind != MS_WIRE_WINDOW_CLOSE)
			continue;
		memcpy(&window, &words[at + 1], sizeof(window));
		assert_true(window.nanoseconds == MS_WIRE_NOT_KNOWN);
		struct ms_wire_window *sum = kind == MS_WIRE_WINDOW_OPEN ? &o->out : &o->in;
		sum->references += window.references;
		sum->instructions += window.instructions;
		if (kind == MS_WIRE_WINDOW_OPEN)
			continue;
		o->windows += window.references > 0;
		if (window.references > o->longest)
			o->longest = window.references;
		if (window.references > 0 && window.references < o->shortest)
			o->shortest = window.references;
	}
}

static struct outcome sample(const struct ms_stream_sampling *sampling)
{
	struct ms_stream_sampler *sampler = ms_stream_sampler_open(sampling);
	struct ms_check *check = ms_check_open(1);
	size_t room = 3 * EXECUTIONS + 100;
	uint64_t *words = malloc(room * 8), *into = malloc(ms_stream_sampler_room(room) * 8);
	struct outcome o = { .shortest = UINT64_MAX };

	for (uint64_t k = 0; k <= CHUNKS; k++) {
		size_t n = k < CHUNKS ? ms_stream_sampler_filter(sampler, words,
								 make_chunk(words, k), into)
				      : ms_stream_sampler_finish(sampler, into);

		assert_true(n <= ms_stream_sampler_room(room));
		read_out(&o, into, n);
		ms_check_chunk(check, into, n);
	}
	for (size_t n; (n = ms_stream_sampler_write_skipped(sampler, into, 2)) > 0;) {
		assert_int_equal(n, 2);
		ms_check_chunk(check, into, n);
		assert_int_equal(ms_wire_kind_of(into[0]), MS_WIRE_LEFT_OUT);
		o.left_out += into[1];
	}
	const struct ms_check_result *r = ms_check_result(check);
	if (r->problems != 0)
		fail_msg("%s", r->first.at[0].text);
	assert_int_equal(r->references, o.kept);
	ms_check_close(check);
	ms_stream_sampler_close(sampler);
	free(words);
	free(into);
	return o;
}

static const uint64_t all = (uint64_t)EXECUTIONS * CHUNKS * REFS;

static void windows(void **state)
{
	const struct ms_stream_sampling sampling = {
		.ratio = 0.1, .window = 1000, .seed = 5, .sets = { .every = 1 }
	};
	struct ms_stream_sampling other = sampling;
	struct outcome o = sample(&sampling);

	(void)state;
	assert_int_equal(o.in.references + o.out.references, all);
	assert_int_equal(o.in.instructions + o.out.instructions,
			 (uint64_t)EXECUTIONS * CHUNKS * INSTRUCTIONS);
	assert_int_equal(o.in.references, o.kept);
	assert_int_equal(o.left_out * REFS, o.out.references);
	/* 80 windows of 1000, each from half of that to one and a half. */
	assert_in_range(o.kept, all / 10 - all / 50, all / 10 + all / 50);
	assert_in_range(o.windows, 68, 92);
	assert_in_range(o.longest, 1300, 1502);
	assert_in_range(o.shortest, 2, 700); /* the last one may have been cut */
	assert_true(sample(&sampling).hash == o.hash);
	other.seed = 6;
	assert_true(sample(&other).hash != o.hash);
}

/* The first 128 are an eighth as long, and the next ones, for 160,000 references, a quarter. */
static void shorter_at_first(void **state)
{
	const struct ms_stream_sampling sampling = {
		.ratio = 0.1, .window = 4000, .halved = 3, .seed = 5, .sets = { .every = 1 }
	};
	struct outcome o = sample(&sampling);
	uint64_t expected = 128 + (all - 128 * 5000) / 10000;

	(void)state;
	assert_int_equal(o.in.references + o.out.references, all);
	assert_in_range(o.kept, all / 10 - all / 50, all / 10 + all / 50);
	assert_in_range(o.windows, expected - 1, expected + 1);
	assert_in_range(o.longest, 1000, 1502);
	assert_in_range(o.shortest, 2, 350);
}

static void sets(void **state)
{
	const struct ms_stream_sampling sampling = { .ratio = 1,
						     .seed = 1,
						     .sets = { 6, 1023, 16 } };
	struct outcome o = sample(&sampling);
	uint64_t kept = 0;

	(void)state;
	for (uint64_t group = 0; group < 1024; group++)
		kept += ms_stream_sampler_keeps(&sampling, group << 6);
	assert_int_equal(kept, 64);
	assert_int_equal(o.windows, 1);
	assert_int_equal(o.in.references, all);
	assert_int_equal(o.out.references, 0);
	/* Over whole rounds of the groups it is exactly one of 16. */
	assert_in_range(o.kept, all / 16 - all / 400, all / 16 + all / 400);
}

/* A reference is simulated where any of its bytes lies in a sampled set. */
static void references_across_two_sets(void **state)
{
	const struct ms_stream_sampling sampling = { .ratio = 1,
						     .seed = 1,
						     .sets = { 6, 1023, 4 } };
	unsigned only_the_last = 0;

	(void)state;
	for (uint64_t group = 0; group + 1 < 1024; group++) {
		uint64_t address = (group << 6) + 60;
		bool first = ms_stream_sampler_keeps(&sampling, address);
		bool next = ms_stream_sampler_keeps(&sampling, address + 4);

		assert_int_equal(ms_stream_sampler_keeps_any(&sampling, address, 8), first || next);
		assert_int_equal(ms_stream_sampler_keeps_any(&sampling, address, 4), first);
		assert_int_equal(ms_stream_sampler_keeps_any(&sampling, address, 0), first);
		only_the_last += next && !first;
	}
	assert_true(only_the_last > 100);
}

/* Address 0 stands for a reference that its instruction did not make. */
static void references_that_did_not_happen(void **state)
{
	const struct ms_stream_sampling sampling = {
		.ratio = 0.5, .window = 100, .seed = 5, .sets = { .every = 1 }
	};
	struct ms_stream_sampler *sampler = ms_stream_sampler_open(&sampling);
	static uint64_t words[4 * EXECUTIONS], into[8 * EXECUTIONS];
	struct outcome o = { .shortest = UINT64_MAX };
	size_t n = make_chunk(words, 0);

	(void)state;
	for (size_t i = 0; i < EXECUTIONS; i++)
		words[n - 1 - (1 + REFS) * i] = 0;
	read_out(&o, into, ms_stream_sampler_filter(sampler, words, n, into));
	read_out(&o, into, ms_stream_sampler_finish(sampler, into));
	assert_int_equal(o.in.references + o.out.references, EXECUTIONS);
	assert_int_equal(o.in.references, o.kept);
	ms_stream_sampler_close(sampler);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows),
		cmocka_unit_test(shorter_at_first),
		cmocka_unit_test(sets),
		cmocka_unit_test(references_across_two_sets),
		cmocka_unit_test(references_that_did_not_happen),
	};

	return cmocka_run_group_tests_name("stream sampler", tests, NULL, NULL);
}
