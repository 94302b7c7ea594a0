/* Time in the kernel and in page faults, from events of the runtime. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "hardware/hardware.h"
#include "hardware/timer_samples.h"
#include "wire/wire.h"

enum { PC = 0x400000, TOUCHED = 0x7000, PERIOD = 1000, REGS = 32 };

struct fixture {
	struct ms_hardware_options options;
	struct ms_machine machine;
	struct ms_engine *engine;
	struct ms_hardware hardware;
};

static void open_fixture(struct fixture *f)
{
	const struct ms_engine_fallback_data special = { MS_BOUND_UNMAPPED, MS_BOUND_FREED, 0 };

	*f = (struct fixture){ .options = { .source = MS_RUN_TIMER },
			       .machine = { .name = "one level" } };
	*ms_vec_add(&f->machine.levels) =
		(struct ms_machine_level){ .name = "L1", .ways = 2, .line = 64, .size = 8192 };
	f->engine = ms_engine_open(&f->machine, 1, 1, &special);
	ms_hardware_open(&f->hardware, &f->options);
	f->hardware.memory =
		(struct ms_hardware_memory){ .binder = ms_bins_open(),
					     .shard = ms_engine_get_shard(f->engine, 0) };
	*ms_vec_add(&f->hardware.phases) = (struct ms_hardware_phase){ .samples = 0 };
}

static void close_fixture(struct fixture *f)
{
	ms_bins_close(f->hardware.memory.binder);
	ms_hardware_close(&f->hardware);
	ms_engine_close(f->engine);
	ms_vec_free(&f->machine.levels);
}

static void kernel_samples(struct fixture *f, uint32_t n)
{
	const struct ms_wire_sample sample = { .nanoseconds = PERIOD,
					       .lost = n,
					       .flags = MS_WIRE_SAMPLE_KERNEL };

	assert_int_equal(
		ms_hardware_timer_check((const uint64_t *)&sample, sizeof(sample) / 8, NULL),
		MS_OK);
	ms_hardware_timer_take(&f->hardware, 0, NULL, (const uint64_t *)&sample);
}

/* By a store to the address in register 1. */
static void fault_sample(struct fixture *f, uint32_t faults)
{
#if defined(__x86_64__)
	static const uint8_t code[8] = { 0x48, 0x89, 0x01 }; /* mov %rax,(%rcx) */
#else
	static const uint8_t code[8] = { 0x20, 0, 0, 0xf9 }; /* str x0,[x1] */
#endif
	struct {
		struct ms_wire_sample sample;
		uint64_t regs[REGS];
		uint8_t code[8];
	} record = { .sample = { .pc = PC,
				 .nanoseconds = faults * 10,
				 .lost = faults,
				 .regs = REGS,
				 .after = 8,
				 .flags = MS_WIRE_SAMPLE_FAULT } };

	record.regs[1] = TOUCHED;
	memcpy(record.code, code, sizeof(code));
	ms_hardware_timer_take(&f->hardware, 0, NULL, (const uint64_t *)&record);
}

/* Nanoseconds of rows of this code. */
static uint64_t time_of(const struct ms_hardware *h, uint64_t pc, bool compute)
{
	uint64_t time = 0;

	for (size_t i = 0; i < h->rows.n; i++)
		if (h->sites.at[h->rows.at[i].site].offset == pc &&
		    (h->rows.at[i].data == MS_NONE) == compute)
			time += h->rows.at[i].latency;
	return time;
}

static void kernel_time_is_compute_time(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	kernel_samples(&f, 3);
	kernel_samples(&f, 1);
	assert_int_equal(time_of(&f.hardware, MS_BOUND_KERNEL_PC, true), 4 * PERIOD);
	assert_int_equal(f.hardware.about.samples, 4);
	close_fixture(&f);
}

/* Samples in the kernel that page faults explain are not counted again. */
static void page_faults_are_part_of_it(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	fault_sample(&f, 250); /* 2500 ns */
	kernel_samples(&f, 10);
	assert_int_equal(time_of(&f.hardware, MS_BOUND_FAULTS_PC, false), 2500);
	assert_int_equal(time_of(&f.hardware, MS_BOUND_KERNEL_PC, true), 8 * PERIOD);
	fault_sample(&f, 50); /* the 500 ns that were left, and these */
	kernel_samples(&f, 2);
	assert_int_equal(time_of(&f.hardware, MS_BOUND_KERNEL_PC, true), 9 * PERIOD);
	assert_int_equal(f.hardware.about.samples, 2 + 9);
	close_fixture(&f);
}

/* The data is what the faulting instruction touches. */
static void faults_belong_to_touched_data(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	ms_engine_map_region(f.hardware.memory.shard, TOUCHED, TOUCHED + 4096, MS_BOUND_TLS, true);
	fault_sample(&f, 100);
	assert_int_equal(f.hardware.rows.n, 1);
	assert_int_equal(f.hardware.rows.at[0].data, MS_BOUND_TLS);
	assert_int_equal(f.hardware.rows.at[0].sureness, MS_SURE_GUESSED);
	close_fixture(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernel_time_is_compute_time),
		cmocka_unit_test(page_faults_are_part_of_it),
		cmocka_unit_test(faults_belong_to_touched_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
