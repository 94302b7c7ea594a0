/* Measuring this machine: the walk, what is made of samples, and the file that comes out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "machine/calibrate.h"
#include "machine/machine_priv.h"

/* --- the walk --- */

/* From 0 along next[], back at 0 after n steps and not before: one cycle of all. */
static void one_cycle(void **state)
{
	static const size_t sizes[] = { 1, 2, 3, 64, 1000, 65536, 100003 };

	(void)state;
	for (size_t k = 0; k < MS_COUNT(sizes); k++) {
		size_t n = sizes[k], steps = 0;
		uint32_t *next = ms_alloc(n * sizeof(*next)), at = 0;

		ms_machine_chase_shuffle(next, n, 12345 + k);
		do {
			at = next[at];
			assert_in_range(at, 0, n - 1);
			steps++;
		} while (at != 0 && steps <= n);
		assert_int_equal(steps, n);
		ms_free(next);
	}
}

/* An order that a prefetcher could guess would measure the prefetcher. */
static void no_order(void **state)
{
	enum { N = 10000 };
	static uint32_t next[N];
	int near = 0;

	(void)state;
	ms_machine_chase_shuffle(next, N, 1);
	for (uint32_t i = 0; i < N; i++)
		near += next[i] + 2 >= i && next[i] <= i + 2;
	/* Four of ten thousand places are so near: about four times in all. */
	assert_in_range(near, 0, 25);
}

/* The pointers lie in every line, one each, and lead through all of them. */
static void laid(void **state)
{
	enum { LINE = 128, BYTES = 1 << 20 };
	struct ms_machine_chase chase;
	size_t steps = 0;

	(void)state;
	ms_machine_chase_open(&chase, BYTES);
	assert_true(chase.bytes >= BYTES);
	ms_machine_chase_link(&chase, BYTES, LINE);
	void **at = chase.at;
	do {
		size_t offset = (size_t)((char *)at - chase.base);

		assert_int_equal(offset % LINE, 0);
		assert_true(offset < BYTES);
		at = *at;
		steps++;
	} while (at != chase.at && steps < BYTES);
	assert_int_equal(steps, BYTES / LINE);
	/* A whole lap leads back; half of one does not. */
	assert_true(ms_machine_chase_walk(&chase, BYTES / LINE) >= 0);
	assert_ptr_equal(chase.at, at);
	assert_true(ms_machine_chase_walk(&chase, BYTES / LINE / 2) >= 0);
	assert_ptr_not_equal(chase.at, at);
	ms_machine_chase_close(&chase);
}

static void chain(void **state)
{
	(void)state;
	assert_int_equal(ms_machine_chain(0), 0);
	assert_int_equal(ms_machine_chain(1), 3 * MS_CHAIN_ADDS);
	assert_int_equal(ms_machine_chain(1000), 3 * MS_CHAIN_ADDS * 1000);
	assert_true(ms_machine_chain_cycle() > 0);
}

/* --- samples --- */

static void spreads(void **state)
{
	static const struct {
		size_t n;
		double samples[9];
		struct ms_machine_spread want;
	} cases[] = {
		{ 1, { 7 }, { 7, 7, 7 } },
		{ 2, { 8, 4 }, { 4, 6, 8 } },
		{ 3, { 5, 1, 100 }, { 1, 5, 100 } },
		{ 4, { 4, 3, 2, 1 }, { 1, 2.5, 4 } },
		{ 9, { 50, 52, 51, 900, 49, 52, 53, 48, 61 }, { 48, 52, 900 } },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		double samples[9];

		memcpy(samples, cases[i].samples, sizeof(samples));
		struct ms_machine_spread got = ms_machine_spread_of(samples, cases[i].n);
		assert_memory_equal(&got, &cases[i].want, sizeof(got));
	}
}

static struct ms_machine machine_of(const uint64_t *sizes, size_t n)
{
	struct ms_machine machine = { .name = "test",
				      .processors = 1,
				      .memory_latency = 200,
				      .memory_latency_origin = "assumed",
				      .peer_latency = 120,
				      .peer_latency_origin = "assumed" };

	for (size_t i = 0; i < n; i++)
		*ms_vec_add(&machine.levels) = (struct ms_machine_level){
			.name = ms_arena_printf(&machine.arena, "L%zu", i + 1),
			.size = sizes[i],
			.ways = 4,
			.line = 64,
			.latency = i == 0 ? 0 : 20 * (uint32_t)i,
			.processors = 1,
			.origin = "sysfs",
			.latency_origin = i == 0 ? MS_ORIGIN_DEFINED : MS_ORIGIN_ASSUMED,
		};
	return machine;
}

#define KB(n) ((uint64_t)(n) << 10)
#define MB(n) ((uint64_t)(n) << 20)

/* How far to walk for each level of some real machines, and for memory below the last. */
static void walks(void **state)
{
	static const struct {
		uint64_t sizes[3], most, want[4];
		size_t n;
	} cases[] = {
		{ { KB(48), MB(2), MB(105) }, MB(1024), { KB(24), KB(192), MB(8), MB(420) }, 3 },
		{ { KB(32), KB(256), MB(8) }, MB(1024), { KB(16), KB(128), MB(1), MB(64) }, 3 },
		/* The next level is little larger: three quarters of it; too little: nothing. */
		{ { KB(64), KB(192), MB(4) }, MB(1024), { KB(32), KB(144), KB(768), MB(64) }, 3 },
		{ { KB(64), KB(96) }, MB(1024), { KB(32), 0, MB(64) }, 2 },
		{ { KB(64) }, MB(1024), { KB(32), MB(64) }, 1 },
		/* Little memory: half as much again as the last level is enough to distinguish
		   them, less is not. */
		{ { KB(48), MB(2), MB(105) }, MB(160), { KB(24), KB(192), MB(8), MB(160) }, 3 },
		{ { KB(48), MB(2), MB(105) }, MB(150), { KB(24), KB(192), MB(8), 0 }, 3 },
		{ { KB(48), MB(2), MB(260) }, MB(1024), { KB(24), KB(192), MB(8), MB(1024) }, 3 },
		{ { KB(48), MB(2), MB(105) }, 0, { 0, 0, 0, 0 }, 3 },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_machine machine = machine_of(cases[i].sizes, cases[i].n);

		for (size_t k = 0; k <= cases[i].n; k++) {
			uint64_t got = ms_machine_calibrate_bytes(&machine, k, cases[i].most);

			if (got != cases[i].want[k])
				fail_msg("case %zu, level %zu: %llu bytes", i, k,
					 (unsigned long long)got);
		}
		ms_machine_free(&machine);
	}
}

#define MEASURED(size, ns, least, median, most) \
	{                                       \
		size, { ns, ns, ns },           \
		{                               \
			least, median, most     \
		}                               \
	}

static void settled(void **state)
{
	static const uint64_t sizes[] = { KB(48), MB(2), MB(32) };
	static const struct ms_machine_measurement measured[] = {
		MEASURED(KB(24), 1.25, 4.9, 5.0, 5.4),
		MEASURED(KB(192), 4.0, 15.6, 16.0, 18.7),
		MEASURED(MB(8), 17.8, 66.1, 71.4, 90.2),
		MEASURED(MB(128), 80.0, 290.0, 320.5, 410.0),
	};
	struct ms_machine m = machine_of(sizes, 3);

	(void)state;
	m.remote_latency = m.memory_latency / 2 * 3; /* so many times as far it stays */
	ms_machine_calibrate_choose(&m, measured, "huge pages");
	assert_int_equal(m.remote_latency, 316 / 2 * 3);
	assert_int_equal(m.levels.at[0].latency, 0);
	assert_int_equal(m.levels.at[1].latency, 11);
	assert_int_equal(m.levels.at[2].latency, 66);
	assert_int_equal(m.memory_latency, 316);
	assert_int_equal(m.peer_latency, 120);
	assert_string_equal(m.peer_latency_origin, "assumed");
	assert_string_equal(
		m.levels.at[0].latency_origin,
		"by definition; a hit measured: 5.0 cycles (4.9..5.4 over 9 rounds), 1.2 ns");
	assert_string_equal(
		m.levels.at[1].latency_origin,
		"measured: 11 cycles (11..14 over 9 rounds), 4.0 ns, in 192 KiB of huge pages");
	assert_string_equal(
		m.memory_latency_origin,
		"measured: 316 cycles (285..405 over 9 rounds), 80.0 ns, in 128 MiB of huge pages");
	ms_machine_free(&m);
}

/* Noise must not make a level quicker than the one before; what was not measured stays assumed. */
static void settled_in_order(void **state)
{
	static const uint64_t sizes[] = { KB(48), MB(2), MB(32) };
	static const struct ms_machine_measurement measured[] = {
		MEASURED(KB(24), 1.25, 4.9, 5.0, 5.4),
		MEASURED(KB(192), 1.0, 2.0, 4.0, 18.7),
		{ 0 },
		MEASURED(MB(128), 5.0, 10.0, 20.0, 30.0),
	};
	struct ms_machine m = machine_of(sizes, 3);

	(void)state;
	ms_machine_calibrate_choose(&m, measured, "huge pages");
	assert_int_equal(m.levels.at[1].latency, 1);
	assert_string_equal(m.levels.at[1].latency_origin,
			    "measured: 0 cycles (0..14 over 9 rounds), 1.0 ns, in 192 KiB of huge "
			    "pages; raised to the least that it can be");
	assert_int_equal(m.levels.at[2].latency, 40);
	assert_string_equal(m.levels.at[2].latency_origin,
			    "assumed: it could not be distinguished from the level before");
	assert_int_equal(m.memory_latency, 40);
	assert_string_equal(m.memory_latency_origin,
			    "measured: 15 cycles (5..25 over 9 rounds), 5.0 ns, in 128 MiB of huge "
			    "pages; raised to the least that it can be");
	ms_machine_free(&m);
}

/* A last level that is farther than what is assumed of other processors' caches. */
static void settled_peers(void **state)
{
	static const uint64_t sizes[] = { KB(48), MB(2) };
	static const struct ms_machine_measurement measured[] = {
		MEASURED(KB(24), 1.25, 4.9, 5.0, 5.4),
		MEASURED(MB(1), 70.0, 150.0, 160.0, 170.0),
		MEASURED(MB(128), 100.0, 300.0, 305.0, 400.0),
	};
	struct ms_machine m = machine_of(sizes, 2);

	(void)state;
	ms_machine_calibrate_choose(&m, measured, "huge pages");
	assert_int_equal(m.levels.at[1].latency, 155);
	assert_int_equal(m.peer_latency, 155);
	assert_string_equal(m.peer_latency_origin,
			    "assumed, not measured: as far as the last level");
	ms_machine_free(&m);
}

/* --- all of it --- */

struct reports {
	size_t levels;
	bool memory;
};

static void count_levels(const char *level, const struct ms_machine_measurement *measured,
			 void *arg)
{
	struct reports *reports = arg;

	reports->levels++;
	reports->memory = strcmp(level, "memory") == 0;
	assert_true(measured->bytes == 0 ||
		    (measured->ns.least > 0 && measured->ns.least <= measured->ns.median &&
		     measured->ns.median <= measured->ns.most && measured->cycles.least > 0));
}

static void check_file(const char *sysfs_root, const char *source)
{
	struct reports reports = { 0 };
	const struct ms_machine_calibrate_options options = { .sysfs_root = sysfs_root,
							      .round_seconds = 0.0002,
							      .most_bytes = MB(16),
							      .force = true,
							      .progress = count_levels,
							      .progress_arg = &reports };
	struct ms_machine m, again;
	struct ms_err err;
	char path[] = "calibrated-XXXXXX";

	assert_int_equal(ms_machine_calibrate(&m, &options, &err), MS_OK);
	assert_int_equal(reports.levels, m.levels.n + 1);
	assert_true(reports.memory);
	FILE *out = fdopen(mkstemp(path), "w");
	ms_machine_write(&m, out);
	fclose(out);
	if (ms_machine_load_file(&again, path, &err) != MS_OK)
		fail_msg("%s", err.text);
	unlink(path);
	assert_non_null(strstr(m.origin, source));
	assert_int_equal(again.levels.n, m.levels.n);
	uint32_t before = 0;
	for (size_t i = 0; i < m.levels.n; i++) {
		assert_int_equal(again.levels.at[i].latency, m.levels.at[i].latency);
		assert_int_equal(again.levels.at[i].size, m.levels.at[i].size);
		assert_true(i == 0 || m.levels.at[i].latency >= 1);
		assert_true(m.levels.at[i].latency >= before);
		before = m.levels.at[i].latency;
	}
	assert_true(m.memory_latency >= before);
	assert_int_equal(again.memory_latency, m.memory_latency);
	ms_machine_free(&m);
	ms_machine_free(&again);
}

static void whole(void **state)
{
	(void)state;
	check_file("/sys", "measured on this machine on ");
	check_file("/no/such/folder", "geometry assumed: the system shows no caches");
}

static void no_memory(void **state)
{
	const struct ms_machine_calibrate_options options = { .sysfs_root = "/no/such/folder",
							      .round_seconds = 0.0002,
							      .most_bytes = 1 };
	struct ms_machine m;
	struct ms_err err;

	(void)state;
	/* One byte is no line. */
	assert_int_equal(ms_machine_calibrate(&m, &options, &err), MS_EIO);
	assert_string_equal(err.text, "there is too little free memory to measure anything");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_cycle),     cmocka_unit_test(no_order),
		cmocka_unit_test(laid),          cmocka_unit_test(chain),
		cmocka_unit_test(spreads),       cmocka_unit_test(walks),
		cmocka_unit_test(settled),       cmocka_unit_test(settled_in_order),
		cmocka_unit_test(settled_peers), cmocka_unit_test(whole),
		cmocka_unit_test(no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
