/*
 * perf: records of the ring, as the kernel writes them: made by hand from the manuals' layouts, and
 * recorded on a machine without a PMU (page faults). What is cut short or damaged is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "perf/perf_priv.h"

/* --- writing a record --- */

struct writer {
	uint8_t at[512];
	size_t n;
};

static void put(struct writer *w, const void *bytes, size_t n)
{
	memcpy(w->at + w->n, bytes, n);
	w->n += n;
}

static void put64(struct writer *w, uint64_t value)
{
	put(w, &value, 8);
}

static void put32(struct writer *w, uint32_t value)
{
	put(w, &value, 4);
}

static void begin(struct writer *w, uint32_t type, uint16_t misc)
{
	struct perf_event_header head = { type, misc, 0 };

	w->n = 0;
	put(w, &head, sizeof(head));
}

static struct ms_perf_record finish(struct writer *w, const struct perf_event_attr *attr)
{
	struct ms_perf_record record;
	uint16_t size = (uint16_t)w->n;

	memcpy(w->at + offsetof(struct perf_event_header, size), &size, sizeof(size));
	ms_perf_record_read(attr, w->at, w->n, &record);
	return record;
}

enum {
	COMMON = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
		 PERF_SAMPLE_PERIOD
};

static void put_common(struct writer *w)
{
	put64(w, 0x401234);       /* ip */
	put32(w, 77);             /* pid */
	put32(w, 78);             /* tid */
	put64(w, 123456789);      /* time */
	put64(w, 0x7ffff0001000); /* address */
	put64(w, 2003);           /* period */
}

/* --- samples --- */

static void assert_common(const struct ms_perf_record *r)
{
	assert_int_equal(r->kind, MS_RECORD_SAMPLE);
	assert_int_equal(r->sample.ip, 0x401234);
	assert_int_equal(r->sample.pid, 77);
	assert_int_equal(r->sample.tid, 78);
	assert_int_equal(r->sample.time, 123456789);
	assert_int_equal(r->sample.address, 0x7ffff0001000);
	assert_int_equal(r->sample.period, 2003);
}

static void test_pebs(void **state)
{
	struct perf_event_attr attr = { .sample_type = COMMON | PERF_SAMPLE_WEIGHT |
						       PERF_SAMPLE_DATA_SRC };
	union perf_mem_data_src src = { .mem_op = PERF_MEM_OP_LOAD,
					.mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_LOC_RAM,
					.mem_lvl_num = PERF_MEM_LVLNUM_RAM,
					.mem_snoop = PERF_MEM_SNOOP_MISS };
	struct writer w;

	(void)state;
	begin(&w, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	put_common(&w);
	put64(&w, 312);
	put64(&w, src.val);
	struct ms_perf_record r = finish(&w, &attr);
	assert_common(&r);
	assert_int_equal(r.sample.latency, 312);
	assert_int_equal(r.sample.answer, MS_ANSWER_LOCAL);
	assert_int_equal(r.sample.kind, MS_SITE_READ);
	/* The newer structure holds more above the latency. */
	attr.sample_type = COMMON | PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC;
	begin(&w, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	put_common(&w);
	put64(&w, UINT64_C(7) << 32 | 45);
	put64(&w, src.val);
	r = finish(&w, &attr);
	assert_int_equal(r.sample.latency, 45);
	/* Each way to be cut short. */
	for (size_t n = 0; n < w.n; n++) {
		ms_perf_record_read(&attr, w.at, n, &r);
		assert_int_equal(r.kind, MS_RECORD_BROKEN);
	}
}

static void test_data_sources(void **state)
{
	static const struct {
		union perf_mem_data_src src;
		uint32_t answer;
	} cases[] = {
		{ { .mem_lvl_num = PERF_MEM_LVLNUM_L1 }, MS_ANSWER_L1 },
		{ { .mem_lvl_num = PERF_MEM_LVLNUM_L2 }, MS_ANSWER_L2 },
		{ { .mem_lvl_num = PERF_MEM_LVLNUM_L3 }, MS_ANSWER_L3 },
		{ { .mem_lvl_num = PERF_MEM_LVLNUM_L3, .mem_snoop = PERF_MEM_SNOOP_HITM },
		  MS_ANSWER_PEER },
		{ { .mem_lvl_num = PERF_MEM_LVLNUM_ANY_CACHE, .mem_remote = 1 },
		  MS_ANSWER_REMOTE_PEER },
		{ { .mem_lvl_num = PERF_MEM_LVLNUM_LFB }, MS_ANSWER_BUFFER },
		{ { .mem_lvl_num = PERF_MEM_LVLNUM_RAM, .mem_remote = 1 }, MS_ANSWER_REMOTE },
		{ { .mem_lvl_num = PERF_MEM_LVLNUM_PMEM }, MS_ANSWER_LOCAL },
		{ { .mem_lvl_num = PERF_MEM_LVLNUM_NA,
		    .mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_L1 },
		  MS_ANSWER_L1 },
		{ { .mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_LFB }, MS_ANSWER_BUFFER },
		{ { .mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_L3 }, MS_ANSWER_L3 },
		{ { .mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_L3,
		    .mem_snoop = PERF_MEM_SNOOP_HITM },
		  MS_ANSWER_PEER },
		{ { .mem_lvl = PERF_MEM_LVL_MISS | PERF_MEM_LVL_L3 }, MS_ANSWER_LOCAL },
		{ { .mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_REM_RAM1 }, MS_ANSWER_REMOTE },
		{ { .mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_REM_CCE2 }, MS_ANSWER_REMOTE_PEER },
		{ { .mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_UNC }, MS_ANSWER_OTHER },
		{ { .mem_lvl = PERF_MEM_LVL_NA }, MS_ANSWER_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++)
		if (ms_perf_data_src_answer(cases[i].src.val) != cases[i].answer)
			fail_msg("case %zu: found %u, expected %u", i,
				 ms_perf_data_src_answer(cases[i].src.val), cases[i].answer);
}

/* --- registers --- */

static void test_registers(void **state)
{
	const struct perf_event_attr attr = { .sample_type = (COMMON & ~PERF_SAMPLE_PERIOD) |
							     PERF_SAMPLE_REGS_USER,
					      .sample_period = 1000003 };
	struct writer w;

	(void)state;
	for (int abi = PERF_SAMPLE_REGS_ABI_NONE; abi <= PERF_SAMPLE_REGS_ABI_64; abi++) {
		begin(&w, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
		put_common(&w);
		w.n -= 8; /* no period */
		put64(&w, (uint64_t)abi);
		for (unsigned i = 0; abi != PERF_SAMPLE_REGS_ABI_NONE && i < ms_perf_regs_count;
		     i++)
			put64(&w, 100 + i);
		struct ms_perf_record r = finish(&w, &attr);
		assert_int_equal(r.kind, MS_RECORD_SAMPLE);
		assert_int_equal(r.sample.period, 1000003);
		assert_int_equal(r.regs != NULL, abi != PERF_SAMPLE_REGS_ABI_NONE);
		if (r.regs == NULL)
			continue;
		ms_perf_record_read(&attr, w.at, w.n - 1, &r);
		assert_int_equal(r.kind, MS_RECORD_BROKEN);
	}
	/* Every number has a place of its own. */
	uint64_t seen = 0;
	for (unsigned i = 0; i < ms_perf_regs_count; i++)
		seen |= UINT64_C(1) << ms_perf_reg_at(i);
	assert_int_equal(seen, (UINT64_C(1) << ms_perf_regs_count) - 1);
}

/* --- others --- */

static void test_other_records(void **state)
{
	const struct perf_event_attr attr = { .sample_type = COMMON, .sample_id_all = 1 };
	struct writer w;

	(void)state;
	begin(&w, PERF_RECORD_LOST, 0);
	put64(&w, 5);
	put64(&w, 1234);
	struct ms_perf_record r = finish(&w, &attr);
	assert_int_equal(r.kind, MS_RECORD_LOST);
	assert_int_equal(r.lost, 1234);

	begin(&w, PERF_RECORD_LOST_SAMPLES, 0);
	put64(&w, 77);
	r = finish(&w, &attr);
	assert_int_equal(r.kind, MS_RECORD_LOST);
	assert_int_equal(r.lost, 77);

	begin(&w, PERF_RECORD_THROTTLE, 0);
	put64(&w, 1), put64(&w, 2), put64(&w, 3);
	assert_int_equal(finish(&w, &attr).kind, MS_RECORD_THROTTLE);

	begin(&w, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	put32(&w, 77), put32(&w, 77);
	put(&w, "program\0", 8);
	put32(&w, 77), put32(&w, 77), put64(&w, 987654321); /* the identity of a sample */
	r = finish(&w, &attr);
	assert_int_equal(r.kind, MS_RECORD_EXEC);
	assert_int_equal(r.pid, 77);
	assert_int_equal(r.time, 987654321);

	begin(&w, PERF_RECORD_AUX, 0);
	put64(&w, 4096), put64(&w, 512), put64(&w, PERF_AUX_FLAG_TRUNCATED);
	r = finish(&w, &attr);
	assert_int_equal(r.kind, MS_RECORD_AUX);
	assert_int_equal(r.aux_offset, 4096);
	assert_int_equal(r.aux_size, 512);
	assert_true(r.aux_cut);

	begin(&w, PERF_RECORD_FORK, 0);
	assert_int_equal(finish(&w, &attr).kind, MS_RECORD_OTHER);
	begin(&w, PERF_RECORD_LOST, 0);
	assert_int_equal(finish(&w, &attr).kind, MS_RECORD_BROKEN);
}

/* As a kernel 6.18 wrote them: `true` begins, and its first instruction is not in memory yet. */
static const uint8_t recorded_exec[] = {
	0x03, 0x00, 0x00, 0x00, 0x00, 0x20, 0x28, 0x00, 0x85, 0x23, 0x00, 0x00, 0x85, 0x23,
	0x00, 0x00, 0x74, 0x72, 0x75, 0x65, 0x00, 0x00, 0x00, 0x00, 0x85, 0x23, 0x00, 0x00,
	0x85, 0x23, 0x00, 0x00, 0x48, 0x3e, 0xec, 0xa4, 0x25, 0x2a, 0x00, 0x00
};
static const uint8_t recorded_fault[] = { 0x09, 0x00, 0x00, 0x00, 0x02, 0x00, 0x30, 0x00,
					  0x70, 0xcb, 0x8b, 0x58, 0xa8, 0x7f, 0x00, 0x00,
					  0x85, 0x23, 0x00, 0x00, 0x85, 0x23, 0x00, 0x00,
					  0xe0, 0x57, 0xed, 0xa4, 0x25, 0x2a, 0x00, 0x00,
					  0x70, 0xcb, 0x8b, 0x58, 0xa8, 0x7f, 0x00, 0x00,
					  0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00 };
enum { RECORDED_PID = 9093 };
#define RECORDED_IP UINT64_C(0x7fa8588bcb70)

static void test_recorded(void **state)
{
	const struct perf_event_attr attr = { .sample_type = COMMON, .sample_id_all = 1 };
	struct ms_perf_record r;

	(void)state;
	ms_perf_record_read(&attr, recorded_exec, sizeof(recorded_exec), &r);
	assert_int_equal(r.kind, MS_RECORD_EXEC);
	assert_int_equal(r.pid, RECORDED_PID);
	uint64_t exec_time = r.time;
	ms_perf_record_read(&attr, recorded_fault, sizeof(recorded_fault), &r);
	assert_int_equal(r.kind, MS_RECORD_SAMPLE);
	assert_int_equal(r.sample.pid, RECORDED_PID);
	assert_int_equal(r.sample.tid, RECORDED_PID);
	assert_int_equal(r.sample.ip, RECORDED_IP);
	assert_int_equal(r.sample.address, RECORDED_IP);
	assert_int_equal(r.sample.period, 1);
	assert_true(r.sample.time > exec_time && r.sample.time < exec_time + 100000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pebs),          cmocka_unit_test(test_data_sources),
		cmocka_unit_test(test_other_records), cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_registers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
