/*
 * Collecting from a faulty front-end, which this program simulates. Whatever it writes, and
 * however it ends, memspy neither crashes nor hangs, the front-end never waits for ever, and what
 * was right until then is kept.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "collect/collect.h"
#include "launch/platform.h"
#include "unit/stream/writer.h"

enum { GOOD_RUNS = 100, BASE = 0x100000 };

/* --- the front-end --- */

#define RECORD(w, ...)                                     \
	write_record(w, (const uint64_t[]){ __VA_ARGS__ }, \
		     sizeof((const uint64_t[]){ __VA_ARGS__ }) / 8)

static uint64_t pack(uint64_t a, uint64_t b, uint64_t c)
{
	return a | b << 16 | c << 32;
}

/* One instruction that reads eight bytes, executed GOOD_RUNS times. */
static void play_well(struct writer *w)
{
	RECORD(w, ms_wire_head(MS_WIRE_BLOCK, 5, 0), pack(1, 1, 1), 0x5000,
	       pack(0, 8, MS_WIRE_READ), pack(1, 1, 0));
	for (uint64_t i = 0; i < GOOD_RUNS; i++)
		RECORD(w, ms_wire_head(MS_WIRE_EXEC, 2, 0), BASE + 8 * i);
}

/* Three instructions; the first exit is after one of them, the second after all. */
static void play_exits(struct writer *w)
{
	RECORD(w, ms_wire_head(MS_WIRE_BLOCK, 8, 1), pack(3, 1, 2), 0x6000, 0x6004, 0x6008,
	       pack(0, 8, MS_WIRE_READ), pack(1, 1, 0), pack(1, 3, 0));
	for (uint64_t i = 0; i < 10; i++)
		RECORD(w, ms_wire_head(MS_WIRE_EXEC, 2, 1), BASE);
	for (uint64_t i = 0; i < 5; i++)
		RECORD(w, ms_wire_head(MS_WIRE_EXEC, 2, 2), BASE);
}

/* Words of which each fourth or so is believable. */
static void play_dice(struct writer *w, uint64_t seed)
{
	for (int i = 0; i < 100000; i++) {
		seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
		uint64_t word = seed ^ seed >> 29;

		RECORD(w, word % 4 == 0 ? ms_wire_head(word >> 8 & 15, word >> 12 & 7, word >> 60)
					: word);
	}
}

struct scene {
	const char *name;
	const char *failure; /* what memspy says of the run's end; NULL: nothing is wrong with it */
	uint64_t words[8];   /* written after some good work, as they are */
	size_t n;
};

#define HEAD(kind, words, arg) ((uint64_t)(uint32_t)(arg) << 32 | (uint64_t)(words) << 16 | (kind))

static const struct scene scenes[] = {
	{ "nothing wrong", NULL, { 0 }, 0 },
	{ "an exit that was not described",
	  "stream: a block left by exit 7",
	  { HEAD(MS_WIRE_EXEC, 2, 7), 1 },
	  2 },
	{ "the exit after the last",
	  "stream: a block left by exit 1",
	  { HEAD(MS_WIRE_EXEC, 2, 1), 1 },
	  2 },
	{ "a kind that is none", "stream: record of kind", { HEAD(MS_WIRE_KINDS, 1, 0) }, 1 },
	{ "all ones", "stream: record of kind", { UINT64_MAX }, 1 },
	{ "an event of no words", "stream: a free of 0 words", { HEAD(MS_WIRE_FREE, 0, 0) }, 1 },
	{ "an event that is too short",
	  "stream: a free of 1 words",
	  { HEAD(MS_WIRE_FREE, 1, 0) },
	  1 },
	{ "an event longer than its chunk",
	  "stream: a free of 65535 words",
	  { HEAD(MS_WIRE_FREE, 65535, 0) },
	  1 },
	{ "a block out of turn", "stream: block 9 described", { HEAD(MS_WIRE_BLOCK, 2, 9), 0 }, 2 },
	{ "a block cut short",
	  "stream: block 1",
	  { HEAD(MS_WIRE_BLOCK, 2, 1), 0x0001000100010001 },
	  2 },
	{ "a path never described",
	  "stream: path 3 was never described",
	  { HEAD(MS_WIRE_ALLOC, 3, 3), BASE, 8 },
	  3 },
	{ "a path out of turn", "stream: path 5", { HEAD(MS_WIRE_PATH, 2, 5), 1 }, 2 },
	{ "a module out of turn",
	  "stream: module 5",
	  { HEAD(MS_WIRE_MODULE, 6, 5), 0, 0, 0, 8, 0 },
	  6 },
	{ "a module's path cut short",
	  "stream: module 0",
	  { HEAD(MS_WIRE_MODULE, 5, 0), 0, 0, 0, 4000 },
	  5 },
	{ "a mapping's path cut short",
	  "stream: a mapping's path",
	  { HEAD(MS_WIRE_MAP, 4, 0), BASE, 4096, (uint64_t)4000 << 32 | MS_WIRE_MAP_FILE },
	  4 },
	{ "a name without a text",
	  "stream: a name of 0 bytes",
	  { HEAD(MS_WIRE_NAME, 4, 0), BASE, 8, 0 },
	  4 },
	{ "a name cut short",
	  "stream: a name of 9 bytes",
	  { HEAD(MS_WIRE_NAME, 5, 0), BASE, 8, 9, 0x41414141 },
	  5 },
	{ "a phase without a name",
	  "stream: a name of 0 bytes",
	  { HEAD(MS_WIRE_PHASE, 2, 0), 0x41414141 },
	  2 },
	{ "blocks without their base",
	  "stream: blocks in 1 words where 1 are left",
	  { HEAD(MS_WIRE_PACKED, 1, 0) },
	  1 },
	{ "blocks beyond the chunk",
	  "stream: blocks in 65535 words",
	  { HEAD(MS_WIRE_PACKED, 65535, 0), BASE },
	  2 },
	{ "a packed block from a path that was not described",
	  "stream: path 3 was never described",
	  { HEAD(MS_WIRE_PACKED, 4, 0), BASE, 1,
	    MS_WIRE_PACKED_ALLOC | UINT64_C(3) << MS_WIRE_PACKED_PATH_AT },
	  4 },
	{ "a packed free of nothing", NULL, { HEAD(MS_WIRE_PACKED, 3, 0), BASE, 1 }, 3 },
	{ "a free of nothing", NULL, { HEAD(MS_WIRE_FREE, 2, 0), 0x1234 }, 2 },
	{ "an unmapping of nothing", NULL, { HEAD(MS_WIRE_UNMAP, 3, 0), 0x1000, 0x1000 }, 3 },
	{ "an unmapping round the end",
	  NULL,
	  { HEAD(MS_WIRE_UNMAP, 3, 0), UINT64_MAX - 10, 100 },
	  3 },
	{ "a module that is not there goes", NULL, { HEAD(MS_WIRE_MODULE_GONE, 1, 99) }, 1 },
	{ "a stack upside down", NULL, { HEAD(MS_WIRE_THREAD, 3, 1), 0x9000, 0x1000 }, 3 },
	{ "a switch to an unknown thread", NULL, { HEAD(MS_WIRE_SWITCH, 1, 12345) }, 1 },
	{ "a thread pointer of 0", NULL, { HEAD(MS_WIRE_TLS, 2, 1), 0 }, 2 },
	{ "a reference that did not happen", NULL, { HEAD(MS_WIRE_EXEC, 2, 0), 0 }, 2 },
};

static int stream_fd_of(int argc, char **argv)
{
	int fd = -1;

	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], "--stream-fd=", 12) == 0)
			fd = atoi(argv[i] + 12);
	return fd;
}

/* The last argument says what to do. */
static int be_frontend(int argc, char **argv)
{
	const char *what = argv[argc - 1];
	struct writer w;

	if (strcmp(what, "exit at once") == 0)
		return 1;
	if (strcmp(what, "crash at once") == 0)
		raise(SIGSEGV);
	if (strcmp(what, "be killed at once") == 0)
		raise(SIGKILL);
	writer_open(&w, stream_fd_of(argc, argv));
	if (strcmp(what, "say nothing") == 0)
		return 4;
	play_well(&w);
	for (size_t i = 0; i < MS_COUNT(scenes); i++)
		if (strcmp(what, scenes[i].name) == 0)
			write_record(&w, scenes[i].words, scenes[i].n);
	if (strcmp(what, "two exits") == 0)
		play_exits(&w);
	if (strncmp(what, "dice ", 5) == 0)
		play_dice(&w, strtoull(what + 5, NULL, 10));
	if (strcmp(what, "vanish") == 0)
		raise(SIGKILL);
	if (strcmp(what, "just leave") == 0)
		return 9;
	if (strcmp(what, "nonsense at the end") == 0) {
		w.lane->cursor = UINT64_MAX;
		return 0;
	}
	finish(&w);
	return 3;
}

/* --- memspy --- */

static char folder[64];

static int make_folder(void **state)
{
	char self[4096] = "", tool[128];

	(void)state;
	strcpy(folder, "memspy-collect-XXXXXX");
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

static int collect(const char *what, unsigned workers, struct ms_run *run, struct ms_err *err)
{
	char *argv[] = { (char[]){ "/bin/true" }, (char *)(uintptr_t)what, NULL };
	/* A worker that fails must not bring a monitor out of step. */
	const struct ms_pmu_config pmus[] = { { .event = MS_PMU_MISSES, .period = 3 },
					      { .event = MS_PMU_MISSES, .wish = 0.1, .cost = 10 } };
	struct ms_machine machine = { .name = "test", .origin = "test", .processors = 1 };

	*ms_vec_add(&machine.levels) =
		(struct ms_machine_level){ .name = "L1", .ways = 2, .line = 64, .size = 4096 };
	struct ms_collect_options options = {
		.launch.argv = argv,
		.launch.machine = &machine,
		.pmus = pmus,
		.pmu_count = MS_COUNT(pmus),
		.launch.frontend_dir = folder,
		.workers = workers,
	};
	alarm(60);
	int code = ms_collect_program(&options, run, err);
	alarm(0);
	ms_vec_free(&machine.levels);
	return code;
}

static uint64_t references(const struct ms_run *run)
{
	uint64_t n = 0;

	for (size_t i = 0; i < run->cells.n; i++)
		n += run->cells.at[i].references;
	return n;
}

static void check_scene(const struct scene *scene, unsigned workers)
{
	struct ms_err err;
	struct ms_run run;

	if (collect(scene->name, workers, &run, &err) != MS_OK)
		fail_msg("%s, %u workers: %s", scene->name, workers, err.text);
	if (references(&run) != GOOD_RUNS)
		fail_msg("%s, %u workers: %llu references", scene->name, workers,
			 (unsigned long long)references(&run));
	if (scene->failure == NULL) {
		if (run.end != MS_END_EXITED || run.exit_status != 3)
			fail_msg("%s, %u workers: end %u, status %d: %s", scene->name, workers,
				 run.end, run.exit_status, run.failure != NULL ? run.failure : "");
	} else if (run.end != MS_END_LOST || run.failure == NULL ||
		   strncmp(run.failure, scene->failure, strlen(scene->failure)) != 0) {
		fail_msg("%s, %u workers: end %u, says \"%s\", expected \"%s\"", scene->name,
			 workers, run.end, run.failure != NULL ? run.failure : "", scene->failure);
	}
	ms_run_free(&run);
}

static void faulty_scenes_keep_the_valid_part(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(scenes); i++) {
		check_scene(&scenes[i], 1);
		check_scene(&scenes[i], 3);
	}
}

/* Those before the exit by which a block was left, and no more. */
static void instructions_up_to_the_exit(void **state)
{
	struct ms_err err;
	struct ms_run run;

	(void)state;
	assert_int_equal(collect("two exits", 1, &run, &err), MS_OK);
	assert_int_equal(run.instructions, GOOD_RUNS + 10 * 1 + 5 * 3);
	assert_int_equal(references(&run), GOOD_RUNS + 10 + 5);
	ms_run_free(&run);
}

/* Hundreds of chunks of random bytes: longer than the ring, so the writer must be let go. */
static void random_chunks_do_not_block(void **state)
{
	(void)state;
	for (int seed = 1; seed <= 12; seed++) {
		char what[32];
		struct ms_err err;
		struct ms_run run;

		snprintf(what, sizeof(what), "dice %d", seed);
		assert_int_equal(collect(what, 1 + (unsigned)seed % 3, &run, &err), MS_OK);
		assert_true(references(&run) >= GOOD_RUNS);
		assert_true(run.end == MS_END_LOST || run.end == MS_END_EXITED);
		ms_run_free(&run);
	}
}

static void ends(void **state)
{
	static const struct {
		const char *what;
		uint32_t end;
		int status;
	} cases[] = {
		{ "vanish", MS_END_SIGNALED, SIGKILL },
		{ "just leave", MS_END_EXITED, 9 },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_err err;
		struct ms_run run;

		assert_int_equal(collect(cases[i].what, 2, &run, &err), MS_OK);
		assert_int_equal(run.end, cases[i].end);
		assert_int_equal(run.exit_status, cases[i].status);
		assert_int_equal(references(&run), GOOD_RUNS);
		ms_run_free(&run);
	}
}

/* A front-end that never came to its work is an error, not a run. */
static void never_began(void **state)
{
	static const char *const whats[] = { "exit at once", "crash at once" };
	struct ms_err err;
	struct ms_run run;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(whats); i++) {
		if (collect(whats[i], 2, &run, &err) == MS_OK)
			fail_msg("%s: taken for a run", whats[i]);
		assert_non_null(strstr(err.text, "/bin/true"));
	}
}

/* A signal from outside is no failure of the front-end, however early it arrives. */
static void killed_before_start(void **state)
{
	struct ms_err err;
	struct ms_run run;

	(void)state;
	assert_int_equal(collect("be killed at once", 2, &run, &err), MS_OK);
	assert_int_equal(run.end, MS_END_SIGNALED);
	assert_int_equal(run.exit_status, SIGKILL);
	assert_int_equal(references(&run), 0);
	ms_run_free(&run);
}

/* Figures that make no sense at the end: no crash, whatever is made of them. */
static void invalid_or_silent_end_does_not_hang(void **state)
{
	struct ms_err err;
	struct ms_run run;

	(void)state;
	if (collect("nonsense at the end", 2, &run, &err) == MS_OK)
		ms_run_free(&run);
	if (collect("say nothing", 2, &run, &err) == MS_OK)
		ms_run_free(&run);
}

/* No front-end at all. */
static void missing(void **state)
{
	char *argv[] = { (char[]){ "/bin/true" }, NULL };
	struct ms_machine machine = { .name = "test", .origin = "test" };
	struct ms_err err;
	struct ms_run run;

	(void)state;
	*ms_vec_add(&machine.levels) =
		(struct ms_machine_level){ .name = "L1", .ways = 2, .line = 64, .size = 4096 };
	struct ms_collect_options options = { .launch.argv = argv,
					      .launch.machine = &machine,
					      .launch.frontend_dir = "/nowhere" };
	assert_int_equal(ms_collect_program(&options, &run, &err), MS_EMISSING);
	assert_non_null(strstr(err.text, "/nowhere"));
	ms_vec_free(&machine.levels);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faulty_scenes_keep_the_valid_part),
		cmocka_unit_test(instructions_up_to_the_exit),
		cmocka_unit_test(random_chunks_do_not_block),
		cmocka_unit_test(ends),
		cmocka_unit_test(never_began),
		cmocka_unit_test(killed_before_start),
		cmocka_unit_test(invalid_or_silent_end_does_not_hang),
		cmocka_unit_test(missing),
	};

	if (argc > 1 && strcmp(argv[1], "--tool=memspy") == 0)
		return be_frontend(argc, argv);
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
