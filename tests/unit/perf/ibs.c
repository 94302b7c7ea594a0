/*
 * perf: what AMD's instruction based sampling hands over, made by hand from the layouts of the
 * processor programming references (MSRC001_1033 and up): a word of capabilities, then seven
 * registers. Some were recorded by others.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "perf/perf_priv.h"

enum { ZEN4 = 1 << 11, RAW_BYTES = 4 + 7 * 8 };

#define LOAD     UINT64_C(1)
#define STORE    UINT64_C(2)
#define MISS     (UINT64_C(1) << 7)
#define UNCACHED (UINT64_C(1) << 14)
#define VALID    (UINT64_C(1) << 17)
#define L2MISS   (UINT64_C(1) << 20)
#define WIDE(n)  ((uint64_t)(n) << 22)
#define WAITS(n) ((uint64_t)(n) << 32)
#define FAR      (LOAD | VALID | MISS | L2MISS)
#define REMOTE   (1 << 4)
/* Zen 4 has the upper bits of the source elsewhere. */
#define FROM4(n) (((n) >> 3) << 6 | ((n)&7))

static void put_raw(uint8_t raw[RAW_BYTES], uint32_t caps, uint64_t data, uint64_t data2,
		    uint64_t data3)
{
	const uint64_t registers[7] = { 0 /* control */, 0x405678 /* ip */, data,  data2,
					data3,           0x7ffff0009998,    0x1000 };

	memcpy(raw, &caps, sizeof(caps));
	memcpy(raw + sizeof(caps), registers, sizeof(registers));
}

static const char *const answers[] = {
	[MS_ANSWER_UNKNOWN] = "unknown",
	[MS_ANSWER_L1] = "L1",
	[MS_ANSWER_L2] = "L2",
	[MS_ANSWER_L3] = "L3",
	[MS_ANSWER_PEER] = "peer",
	[MS_ANSWER_LOCAL] = "memory",
	[MS_ANSWER_REMOTE] = "remote",
	[MS_ANSWER_OTHER] = "other",
	[MS_ANSWER_REMOTE_PEER] = "remote peer",
};

/* "read 4 from L2, waits 14, at 7ffff0009998" */
static const char *describe(const struct ms_perf_sample *s)
{
	static const char *const kinds[] = {
		[MS_SITE_READ] = "read", [MS_SITE_WRITE] = "write", [MS_SITE_MODIFY] = "modify"
	};
	static char text[120];

	if (s->skipped)
		return "none";
	snprintf(text, sizeof(text), "%s %u from %s, waits %llu, at %llx", kinds[s->kind], s->size,
		 answers[s->answer], (unsigned long long)s->latency,
		 (unsigned long long)s->address);
	return text;
}

#define AT __LINE__
static const struct ibs_case {
	int line;
	uint32_t caps;
	uint64_t data2, data3;
	const char *want; /* but for the address, where that is the usual one */
} cases[] = {
	{ AT, 0, 0, LOAD | VALID | WIDE(4), "read 8 from L1, waits 0" },
	{ AT, 0, 0, LOAD | VALID | WIDE(7), "read 64 from L1, waits 0" },
	{ AT, 0, 0, LOAD | VALID | WIDE(8), "read 0 from L1, waits 0" },
	/* The latency of a hit is not reported, whatever the register holds. */
	{ AT, 0, 0, LOAD | VALID | WAITS(9), "read 0 from L1, waits 0" },
	{ AT, 0, 0, LOAD | VALID | MISS | WIDE(3) | WAITS(14), "read 4 from L2, waits 14" },
	{ AT, 0, 0, LOAD | VALID | MISS | WAITS(65535), "read 0 from L2, waits 65535" },
	{ AT, 0, 2, FAR | WAITS(50), "read 0 from L3, waits 50" },
	{ AT, 0, 2 | REMOTE, FAR | WAITS(51), "read 0 from remote peer, waits 51" },
	{ AT, 0, 3, FAR | WAITS(300), "read 0 from memory, waits 300" },
	{ AT, 0, 3 | REMOTE, FAR | WAITS(500), "read 0 from remote, waits 500" },
	{ AT, 0, 4, FAR | WAITS(90), "read 0 from remote peer, waits 90" },
	{ AT, 0, 7, FAR | WAITS(900), "read 0 from other, waits 900" },
	{ AT, 0, 1, FAR | WAITS(9), "read 0 from unknown, waits 9" },
	{ AT, ZEN4, FROM4(1), FAR | WAITS(60), "read 0 from L3, waits 60" },
	{ AT, ZEN4, FROM4(2), FAR | WAITS(70), "read 0 from peer, waits 70" },
	{ AT, ZEN4, FROM4(3), FAR | WAITS(71), "read 0 from memory, waits 71" },
	{ AT, ZEN4, FROM4(3) | REMOTE, FAR | WAITS(72), "read 0 from remote, waits 72" },
	{ AT, ZEN4, FROM4(5), FAR | WAITS(73), "read 0 from remote peer, waits 73" },
	{ AT, ZEN4, FROM4(6), FAR | WAITS(74), "read 0 from memory, waits 74" },
	{ AT, ZEN4, FROM4(7), FAR | WAITS(75), "read 0 from other, waits 75" },
	{ AT, ZEN4, FROM4(8), FAR | WAITS(700), "read 0 from memory, waits 700" },
	{ AT, ZEN4, FROM4(12) | REMOTE, FAR | WAITS(701), "read 0 from remote, waits 701" },
	{ AT, ZEN4, FROM4(30), FAR | WAITS(1), "read 0 from unknown, waits 1" },
	{ AT, 0, 0, LOAD | VALID | UNCACHED | MISS | WAITS(8), "read 0 from other, waits 8" },
	{ AT, 0, 0, STORE | VALID | WIDE(6), "write 32 from L1, waits 0" },
	/* Stores have no latency. */
	{ AT, 0, 0, STORE | VALID | MISS | WAITS(80), "write 0 from L2, waits 0" },
	{ AT, 0, 0, LOAD | STORE | VALID, "modify 0 from L1, waits 0" },
	{ AT, 0, 0, LOAD, "read 0 from L1, waits 0, at 0" },
	{ AT, 0, 0, 0, "none" },
	{ AT, 0, 3, VALID | MISS | L2MISS, "none" },
};

static void test_operations(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		const struct ibs_case *c = &cases[i];
		struct ms_perf_sample sample = { .ip = 1 };
		uint8_t raw[RAW_BYTES];

		put_raw(raw, c->caps, 0, c->data2, c->data3);
		assert_true(ms_perf_ibs_read(raw, sizeof(raw), &sample));
		assert_int_equal(sample.ip, 0x405678);
		const char *got = describe(&sample);
		size_t n = strlen(c->want);
		bool usual =
			strncmp(got, c->want, n) == 0 && strcmp(got + n, ", at 7ffff0009998") == 0;
		if (!usual && strcmp(got, c->want) != 0)
			fail_msg("line %d: %s, expected %s", c->line, got, c->want);
	}
}

/*
 * Registers as perf report -D shows them since it supports IBS (Linux, commit "perf
 * script/report: Support AMD IBS raw data"), in perf-amd-ibs(1), and of a load that was published
 * with ibs_op/l3missonly=1/: a store that hits, one that goes to another node's memory, a load that
 * waits for memory.
 */
static const struct {
	uint64_t ip, data, data2, data3, linear, physical;
	const char *want;
} recorded[] = {
	{ 0x56016b2ea73d, 0xb0002, 0x2, 0xc60002, 0x7f133c319ce0, 0x270485ce0,
	  "write 4 from L1, waits 0, at 7f133c319ce0" },
	{ UINT64_C(0xffffffff8204aea7), UINT64_C(0x10002550001), 0x13, 0x31960092,
	  UINT64_C(0xff110008a5398920), 0x8a5398920,
	  "write 32 from remote, waits 0, at ff110008a5398920" },
	{ UINT64_C(0xffffffff81143526), 0x4f70200, 0x23, UINT64_C(0x1dc14d700a1),
	  UINT64_C(0xffff899f7c3b5784), UINT64_C(0x11f7c3b5784),
	  "read 4 from memory, waits 476, at ffff899f7c3b5784" },
};

static void test_recorded(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(recorded); i++) {
		const uint64_t registers[7] = { 0,
						recorded[i].ip,
						recorded[i].data,
						recorded[i].data2,
						recorded[i].data3,
						recorded[i].linear,
						recorded[i].physical };
		struct ms_perf_sample sample = { .ip = 1 };
		uint8_t raw[RAW_BYTES] = { 0 };

		memcpy(raw + 4, registers, sizeof(registers));
		assert_true(ms_perf_ibs_read(raw, sizeof(raw), &sample));
		assert_int_equal(sample.ip, recorded[i].ip);
		assert_string_equal(describe(&sample), recorded[i].want);
	}
}

/* An instruction pointer that is not valid leaves perf's own. */
static void test_no_pointer(void **state)
{
	struct ms_perf_sample sample = { .ip = 0x401234 };
	uint8_t raw[RAW_BYTES];

	(void)state;
	put_raw(raw, 0, UINT64_C(1) << 38, 0, LOAD | VALID);
	assert_true(ms_perf_ibs_read(raw, sizeof(raw), &sample));
	assert_int_equal(sample.ip, 0x401234);
}

/* A truncated record is ignored; records of newer processors are longer. */
static void test_lengths(void **state)
{
	struct ms_perf_sample sample = { .ip = 1 };
	uint8_t raw[RAW_BYTES + 16] = { 0 };

	(void)state;
	put_raw(raw, 0, 0, 0, LOAD | VALID | WIDE(1));
	for (size_t n = 0; n < RAW_BYTES; n++) {
		assert_false(ms_perf_ibs_read(raw, n, &sample));
		assert_int_equal(sample.ip, 1);
	}
	assert_true(ms_perf_ibs_read(raw, sizeof(raw), &sample));
	assert_string_equal(describe(&sample), "read 1 from L1, waits 0, at 7ffff0009998");
}

/* A whole record, byte for byte as the kernel of an EPYC would write it: a load that waited for 312
 * cycles (0x138) for memory of the other socket. */
static void test_record(void **state)
{
	static const uint8_t bytes[] = {
		9,    0,    0,    0,    2,    0,    112, 0, /* sample, user, 112 bytes */
		0x34, 0x12, 0x40, 0,    0,    0,    0,   0, /* ip */
		77,   0,    0,    0,    78,   0,    0,   0, /* process, thread */
		0x15, 0xcd, 0x5b, 0x07, 0,    0,    0,   0, /* time */
		0,    0,    0,    0,    0,    0,    0,   0, /* address: perf has none of its own */
		0,    0,    4,    0,    0,    0,    0,   0, /* period */
		60,   0,    0,    0,    0xff, 0x01, 0,   0, /* raw: length, capabilities */
		0,    0,    0x0f, 0,    0,    0,    0,   0, /* control */
		0x30, 0x12, 0x40, 0,    0,    0,    0,   0, /* ip */
		0,    0,    0,    0,    0,    0,    0,   0, /* data */
		0x13, 0,    0,    0,    0,    0,    0,   0, /* data 2: memory, remote */
		0x81, 0,    0x12, 0x01, 0x38, 0x01, 0,   0, /* data 3 */
		0x98, 0x99, 0x00, 0xf0, 0xff, 0x7f, 0,   0, /* linear address */
		0,    0x10, 0,    0,    0,    0,    0,   0, /* physical address */
	};
	const struct perf_event_attr attr = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							     PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
							     PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW };
	struct ms_perf_record r;

	(void)state;
	_Static_assert(sizeof(bytes) == 112, "the record's own length");
	ms_perf_record_read(&attr, bytes, sizeof(bytes), &r);
	assert_int_equal(r.kind, MS_RECORD_SAMPLE);
	assert_int_equal(r.sample.ip, 0x401230);
	assert_int_equal(r.sample.tid, 78);
	assert_int_equal(r.sample.time, 123456789);
	assert_int_equal(r.sample.period, 262144);
	assert_string_equal(describe(&r.sample), "read 8 from remote, waits 312, at 7ffff0009998");
	for (size_t n = 0; n < sizeof(bytes); n++) {
		ms_perf_record_read(&attr, bytes, n, &r);
		assert_int_equal(r.kind, MS_RECORD_BROKEN);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_operations), cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_no_pointer), cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
