/*
 * perf: records of Arm's statistical profiling extension, made by hand from the manual's layout of
 * packets, and recorded by others; and whatever else may lie in the area.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "perf/perf_priv.h"

struct area {
	uint8_t at[512];
	size_t n;
};

static void byte(struct area *a, uint8_t value)
{
	a->at[a->n++] = value;
}

static void packet(struct area *a, uint8_t head, uint64_t payload, size_t bytes)
{
	byte(a, head);
	memcpy(a->at + a->n, &payload, bytes);
	a->n += bytes;
}

static void address(struct area *a, unsigned index, uint64_t value)
{
	packet(a, (uint8_t)(0xb0 | index), value, 8);
}

static void latency(struct area *a, unsigned index, uint16_t value)
{
	packet(a, (uint8_t)(0x98 | index), value, 2);
}

/* Everything that the area holds, in records. */
static size_t read_all(const struct area *a, struct ms_perf_sample *samples, size_t room,
		       uint64_t *broken)
{
	struct ms_perf_spe_reader reader = { .any = false };
	size_t n = 0;

	for (size_t at = 0, bytes; at < a->n; at += bytes) {
		bool done;

		bytes = ms_perf_spe_packet(&reader, a->at + at, a->n - at, at, &done);
		if (bytes == 0)
			break;
		if (done && n < room)
			samples[n++] = reader.sample;
	}
	if (broken != NULL)
		*broken = reader.broken;
	return n;
}

/* A load of an application, as Neoverse N1 writes it: context and translation latency too. */
static void load(struct area *a, uint8_t source)
{
	address(a, 0, UINT64_C(0x0000aaaabbbb1234)); /* the instruction, EL0 */
	packet(a, 0x65, 4711, 4);                    /* context */
	packet(a, 0x49, 0x00, 1);                    /* a load */
	packet(a, 0x52, 0x0c16, 2);                  /* events */
	latency(a, 1, 8);                            /* issue */
	latency(a, 0, 233);                          /* total */
	latency(a, 2, 1);                            /* translation */
	address(a, 2, UINT64_C(0x00ffff8000001000)); /* data: bit 55 goes on */
	if (source != 0xff)
		packet(a, 0x43, source, 1);
	packet(a, 0x71, 1000000, 8); /* time stamp: the end */
}

static void test_load(void **state)
{
	struct area a = { .n = 0 };
	struct ms_perf_sample s[2];
	uint64_t broken;

	(void)state;
	load(&a, 0x0e);
	assert_int_equal(read_all(&a, s, 2, &broken), 1);
	assert_int_equal(broken, 0);
	assert_int_equal(s[0].ip, UINT64_C(0x0000aaaabbbb1234));
	assert_int_equal(s[0].address, UINT64_C(0xffffff8000001000));
	assert_int_equal(s[0].latency, 233);
	assert_int_equal(s[0].time, 1000000);
	assert_int_equal(s[0].kind, MS_SITE_READ);
	assert_int_equal(s[0].answer, MS_ANSWER_LOCAL);
	assert_false(s[0].skipped);
}

static void test_sources(void **state)
{
	static const struct {
		uint8_t source;
		uint32_t answer;
	} cases[] = {
		{ 0x0, MS_ANSWER_L1 },      { 0x8, MS_ANSWER_L2 },
		{ 0x9, MS_ANSWER_PEER },    { 0xa, MS_ANSWER_PEER },
		{ 0xb, MS_ANSWER_L3 },      { 0xc, MS_ANSWER_PEER },
		{ 0xe, MS_ANSWER_LOCAL },   { 0xd, MS_ANSWER_REMOTE_PEER },
		{ 0x5, MS_ANSWER_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct area a = { .n = 0 };
		struct ms_perf_sample s;

		load(&a, cases[i].source);
		assert_int_equal(read_all(&a, &s, 1, NULL), 1);
		assert_int_equal(s.answer, cases[i].answer);
	}
}

/* Without a data source, events show the level. */
static void test_events(void **state)
{
	static const struct {
		uint16_t events;
		uint32_t answer;
	} cases[] = {
		{ 1 << 1 | 1 << 2, MS_ANSWER_L1 },
		{ 1 << 2 | 1 << 3, MS_ANSWER_L2 },
		{ 1 << 2 | 1 << 3 | 1 << 8, MS_ANSWER_L3 },
		{ 1 << 2 | 1 << 3 | 1 << 8 | 1 << 9, MS_ANSWER_LOCAL },
		{ 1 << 2 | 1 << 3 | 1 << 8 | 1 << 9 | 1 << 10, MS_ANSWER_REMOTE },
		{ 1 << 2 | 1 << 3 | 1 << 8 | 1 << 10, MS_ANSWER_REMOTE_PEER },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct area a = { .n = 0 };
		struct ms_perf_sample s;

		packet(&a, 0x49, 0x01, 1); /* a store */
		packet(&a, 0x52, cases[i].events, 2);
		byte(&a, 0x01);
		assert_int_equal(read_all(&a, &s, 1, NULL), 1);
		assert_int_equal(s.answer, cases[i].answer);
		assert_int_equal(s.kind, MS_SITE_WRITE);
	}
}

static void test_what_is_no_memory_reference(void **state)
{
	struct area a = { .n = 0 };
	struct ms_perf_sample s[3];

	(void)state;
	address(&a, 0, 0x1000);
	packet(&a, 0x4a, 0x01, 1); /* a branch */
	byte(&a, 0x01);
	for (int i = 0; i < 7; i++)
		byte(&a, 0x00); /* padding */
	load(&a, 0x00);
	assert_int_equal(read_all(&a, s, 3, NULL), 2);
	assert_true(s[0].skipped);
	assert_false(s[1].skipped);
	assert_int_equal(s[1].ip, UINT64_C(0x0000aaaabbbb1234));
}

/* Extended heads: an index above 7, and filling up to a multiple. */
static void test_extended_packets(void **state)
{
	struct area a = { .n = 0 };
	struct ms_perf_sample s;
	uint64_t broken;

	(void)state;
	packet(&a, 0x49, 0x00, 1);
	byte(&a, 0x21), latency(&a, 0, 999); /* counter 8, which is not the latency */
	latency(&a, 0, 55);
	byte(&a, 0x22), byte(&a, 0x00); /* to a multiple of 8 */
	while (a.n % 8 != 0)
		byte(&a, 0xff);
	byte(&a, 0x01);
	assert_int_equal(read_all(&a, &s, 1, &broken), 1);
	assert_int_equal(s.latency, 55);
	assert_int_equal(broken, 0);
}

/*
 * Recorded on an Ampere Altra (Neoverse N1), as perf report -D showed it in issue 123 of Ampere's
 * kernel, and in the commit that added SPE to perf (Linux, commit ffd3d18c20b8): a load of the
 * kernel's each, with the physical address. The first is shown from after the instruction's
 * address, and ends with that of the next record; the other has its packets in another order.
 */
static const uint8_t altra[] = {
	0x49, 0x00, 0x52, 0x1e, 0x03,                         /* load, events */
	0x99, 0x51, 0x01, 0x98, 0xf5, 0x01,                   /* issue, total */
	0xb2, 0x50, 0x9e, 0xd7, 0xf1, 0x3e, 0x40, 0xff, 0x00, /* address */
	0x9a, 0x01, 0x00,                                     /* translation */
	0xb3, 0x50, 0x9e, 0xd7, 0x71, 0x3f, 0x40, 0x00, 0x80, /* physical */
	0x43, 0x0c, 0x00, 0x00,                               /* source, padding */
	0x71, 0xb3, 0x9a, 0xe9, 0xbd, 0x3e, 0x07, 0x00, 0x00, /* time stamp */
	0xb0, 0x88, 0xb6, 0xcb, 0x8f, 0x22, 0xd4, 0xff, 0xc0, /* the next one's PC */
};
static const uint8_t first[] = {
	0x49, 0x00,                                           /* load */
	0xb2, 0xc0, 0x3b, 0x29, 0x0f, 0x00, 0x00, 0xff, 0xff, /* address */
	0xb3, 0xc0, 0xeb, 0x24, 0xfb, 0x00, 0x00, 0x00, 0x80, /* physical */
	0x9a, 0x00, 0x00, 0x42, 0x16,                         /* translation, events */
	0xb0, 0x00, 0xc4, 0x15, 0x08, 0x00, 0x00, 0xff, 0xff, /* PC */
	0x98, 0x00, 0x00,                                     /* total */
	0x71, 0x36, 0x6c, 0x21, 0x2c, 0x09, 0x00, 0x00, 0x00, /* time stamp */
};

static void read_recorded(const uint8_t *bytes, size_t n, struct ms_perf_sample *sample)
{
	struct area a = { .n = n };
	struct ms_perf_sample s[2];
	uint64_t broken;

	memcpy(a.at, bytes, n);
	assert_int_equal(read_all(&a, s, 2, &broken), 1);
	assert_int_equal(broken, 0);
	*sample = s[0];
	assert_int_equal(sample->kind, MS_SITE_READ);
	assert_false(sample->skipped);
}

static void test_recorded(void **state)
{
	struct ms_perf_sample s;

	(void)state;
	read_recorded(altra, sizeof(altra), &s);
	assert_int_equal(s.address, UINT64_C(0xffff403ef1d79e50));
	assert_int_equal(s.latency, 501);
	assert_int_equal(s.time, UINT64_C(7966055570099));
	assert_int_equal(s.answer, MS_ANSWER_PEER);
	read_recorded(first, sizeof(first), &s);
	assert_int_equal(s.ip, UINT64_C(0xffff00000815c400));
	assert_int_equal(s.address, UINT64_C(0xffff00000f293bc0));
	assert_int_equal(s.latency, 0);
	assert_int_equal(s.time, UINT64_C(39395093558));
	assert_int_equal(s.answer, MS_ANSWER_L1); /* by its events */
}

/* Cut at every place: nothing is read that is not there, and no record comes of it. */
static void test_cut_short(void **state)
{
	struct area whole = { .n = 0 };

	(void)state;
	load(&whole, 0x08);
	for (size_t n = 0; n < whole.n; n++) {
		struct area *cut = malloc(sizeof(*cut));
		struct ms_perf_sample s;

		memcpy(cut, &whole, sizeof(whole));
		cut->n = n;
		assert_int_equal(read_all(cut, &s, 1, NULL), 0);
		free(cut);
	}
}

static void test_any_bytes(void **state)
{
	unsigned seed = 3;

	(void)state;
	for (int t = 0; t < 20000; t++) {
		struct area a = { .n = (size_t)rand_r(&seed) % 64 };
		struct ms_perf_sample s[64];

		for (size_t i = 0; i < a.n; i++)
			a.at[i] = (uint8_t)rand_r(&seed);
		size_t n = read_all(&a, s, 64, NULL);
		assert_true(n <= 64);
		for (size_t i = 0; i < n; i++)
			assert_true(s[i].answer < MS_ANSWERS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_sources),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_what_is_no_memory_reference),
		cmocka_unit_test(test_extended_packets),
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_cut_short),
		cmocka_unit_test(test_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
