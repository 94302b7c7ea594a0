/*
 * Packed allocation records, in which most blocks are allocated and freed within one record, give
 * the same figures as single records. This program simulates the front-end, too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "collect/collect.h"
#include "collect/short_lived_blocks.h"
#include "launch/platform.h"
#include "unit/stream/writer.h"

enum {
	BASE = 0x100000,
	PATHS = 5,
	SLOTS = 96,
	APART = 640, /* so that blocks share pages, and some lie over two */
	ROUNDS = 300,
	EVENTS = 60, /* of a record */
};

/* --- which partners words have --- */

#define COMES(place) (MS_WIRE_PACKED_ALLOC | (place))
#define GOES(place)  ((uint64_t)(place))

static void frees_match_their_allocations(void **state)
{
	static const struct {
		uint64_t words[6];
		uint16_t partner[6];
	} cases[] = {
		{ { COMES(1), GOES(1), COMES(1), GOES(1), COMES(2), GOES(3) },
		  { 2, 1, 4, 3, 0, 0 } },
		{ { COMES(1), COMES(2), GOES(2), GOES(1), GOES(1), COMES(7) },
		  { 4, 3, 2, 1, 0, 0 } },
		/* Twice at one address: there is no record that the first one was freed. */
		{ { COMES(1), COMES(1), GOES(1), GOES(1), COMES(1), GOES(1) },
		  { 0, 0, 0, 0, 6, 5 } },
		/* Blocks of earlier records are forgotten, and for another with the same hash.
		 */
		{ { GOES(7), GOES(2), COMES(9), COMES(9 + MS_COLLECT_SHORT_LIVED_SLOTS * 4096),
		    GOES(9), GOES(8) },
		  { 0 } },
	};
	struct ms_collect_short_lived *passing = calloc(1, sizeof(*passing));

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		ms_collect_find_short_lived(passing, cases[i].words, MS_COUNT(cases[i].words));
		assert_memory_equal(passing->partner, cases[i].partner, sizeof(cases[i].partner));
	}
	free(passing);
}

/* --- the front-end --- */

#define RECORD(w, ...)                                     \
	write_record(w, (const uint64_t[]){ __VA_ARGS__ }, \
		     sizeof((const uint64_t[]){ __VA_ARGS__ }) / 8)

static uint64_t pack(uint64_t a, uint64_t b, uint64_t c)
{
	return a | b << 16 | c << 32;
}

static uint64_t random_below(uint64_t *seed, uint64_t below)
{
	*seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (*seed >> 33) % below;
}

static void describe(struct writer *w)
{
	RECORD(w, ms_wire_head(MS_WIRE_BLOCK, 5, 0), pack(1, 1, 1), 0x5000,
	       pack(0, 8, MS_WIRE_READ), pack(1, 1, 0));
	for (uint64_t i = 0; i < PATHS; i++)
		RECORD(w, ms_wire_head(MS_WIRE_PATH, 2, (uint32_t)i), 0x6000 + 16 * i);
}

/* Mostly what makes sense: a block comes where none is, and goes where one is. */
static uint64_t next_event(uint64_t *seed, bool *taken)
{
	uint64_t slot = random_below(seed, random_below(seed, 4) == 0 ? SLOTS : 8);
	uint64_t place = slot * (APART >> MS_WIRE_PACKED_UNIT);
	bool comes = random_below(seed, 50) == 0 ? taken[slot] : !taken[slot];

	taken[slot] = comes;
	return comes ? MS_WIRE_PACKED_ALLOC | random_below(seed, PATHS) << MS_WIRE_PACKED_PATH_AT |
			       random_below(seed, APART) << MS_WIRE_PACKED_SIZE_AT | place
		     : place;
}

static void write_events(struct writer *w, const uint64_t *words, bool packed)
{
	uint64_t record[2 + EVENTS] = { ms_wire_head(MS_WIRE_PACKED, 2 + EVENTS, 0), BASE };

	memcpy(record + 2, words, EVENTS * sizeof(*words));
	if (packed)
		write_record(w, record, 2 + EVENTS);
	for (size_t i = 0; i < EVENTS && !packed; i++) {
		size_t n = ms_wire_unpack(BASE, words[i], record);

		write_record(w, record, n);
	}
}

static int be_frontend(int argc, char **argv)
{
	bool packed = strcmp(argv[argc - 1], "packed") == 0, taken[SLOTS] = { false };
	uint64_t seed = 1, words[EVENTS];
	struct writer w;
	int fd = -1;

	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], "--stream-fd=", 12) == 0)
			fd = atoi(argv[i] + 12);
	writer_open(&w, fd);
	describe(&w);
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < EVENTS; i++)
			words[i] = next_event(&seed, taken);
		write_events(&w, words, packed);
		for (uint64_t i = 0; i < 40; i++)
			RECORD(&w, ms_wire_head(MS_WIRE_EXEC, 2, 0),
			       BASE + random_below(&seed, SLOTS * APART));
	}
	finish(&w);
	return 0;
}

/* --- memspy --- */

static char folder[64];

static int make_folder(void **state)
{
	char self[4096] = "", tool[128];

	(void)state;
	strcpy(folder, "memspy-passing-XXXXXX");
	if (mkdtemp(folder) == NULL || readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return -1;
	snprintf(tool, sizeof(tool), "%s/memspy-%s", folder, ms_launch_platform_valgrind);
	return symlink(self, tool);
}

static int remove_folder(void **state)
{
	char tool[128];

	(void)state;
	snprintf(tool, sizeof(tool), "%s/memspy-%s", folder, ms_launch_platform_valgrind);
	unlink(tool);
	return rmdir(folder);
}

static void collect(const char *what, unsigned workers, struct ms_run *run)
{
	char *argv[] = { (char[]){ "/bin/true" }, (char *)(uintptr_t)what, NULL };
	struct ms_machine machine = { .name = "test", .origin = "test" };
	struct ms_err err;

	*ms_vec_add(&machine.levels) =
		(struct ms_machine_level){ .name = "L1", .ways = 2, .line = 64, .size = 4096 };
	struct ms_collect_options options = {
		.launch.argv = argv,
		.launch.machine = &machine,
		.launch.frontend_dir = folder,
		.workers = workers,
	};
	alarm(60);
	if (ms_collect_program(&options, run, &err) != MS_OK)
		fail_msg("%s, %u workers: %s", what, workers, err.text);
	alarm(0);
	assert_int_equal(run->end, MS_END_EXITED);
	ms_vec_free(&machine.levels);
}

static void assert_same_data(const struct ms_run *a, const struct ms_run *b)
{
	assert_int_equal(a->data.n, b->data.n);
	assert_true(a->data.n >= PATHS);
	for (size_t i = 0; i < a->data.n; i++) {
		const struct ms_run_data *x = &a->data.at[i], *y = &b->data.at[i];

		assert_string_equal(x->name, y->name);
		assert_int_equal(x->objects, y->objects);
		assert_int_equal(x->bytes, y->bytes);
		assert_int_equal(x->peak_bytes, y->peak_bytes);
		assert_int_equal(x->largest, y->largest);
	}
}

static void assert_same_cells(const struct ms_run *a, const struct ms_run *b)
{
	assert_int_equal(a->cells.n, b->cells.n);
	for (size_t i = 0; i < a->cells.n; i++) {
		assert_int_equal(a->cells.at[i].data, b->cells.at[i].data);
		assert_int_equal(a->cells.at[i].references, b->cells.at[i].references);
	}
	assert_int_equal(a->replaced.n, b->replaced.n);
	for (size_t i = 0; i < a->replaced.n; i++) {
		assert_int_equal(a->replaced.at[i].evictor, b->replaced.at[i].evictor);
		assert_int_equal(a->replaced.at[i].count, b->replaced.at[i].count);
	}
}

static void packed_equals_single_records(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 3; workers++) {
		struct ms_run alone, packed;

		collect("alone", workers, &alone);
		collect("packed", workers, &packed);
		assert_same_data(&alone, &packed);
		assert_same_cells(&alone, &packed);
		ms_run_free(&alone);
		ms_run_free(&packed);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frees_match_their_allocations),
		cmocka_unit_test(packed_equals_single_records),
	};

	if (argc > 1)
		return be_frontend(argc, argv);
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
