/*
 * perf: which sources a machine has, what they are opened with, and why one does not work: on
 * fictitious machines, with processors that libpfm4 is configured to assume.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "perf/perf_priv.h"
#include "perf/pfm.h"

static char root[] = "/tmp/ms-perf-XXXXXX";
static struct perf_event_attr opened;
static int error;

static int open_nothing(struct perf_event_attr *attr, pid_t pid, int cpu, int group,
			unsigned long flags)
{
	(void)pid, (void)cpu, (void)group, (void)flags;
	opened = *attr;
	errno = error;
	return error == 0 ? dup(0) : -1;
}

static int set_up(void **state)
{
	(void)state;
	return mkdtemp(root) == NULL;
}

static void shell(const char *command)
{
	char line[400];

	snprintf(line, sizeof(line), "cd %s && %s", root, command);
	assert_int_equal(system(line), 0);
}

static int tear_down(void **state)
{
	(void)state;
	shell("rm -rf sys proc && cd / && rmdir $OLDPWD");
	return 0;
}

/* A file of the machine; its folders too. */
static void file(const char *path, const char *text)
{
	char command[300];

	snprintf(command, sizeof(command), "mkdir -p $(dirname .%s) && printf '%%s\\n' '%s' >.%s",
		 path, text, path);
	shell(command);
}

static struct ms_perf_state probe(enum ms_run_source source, bool privileged, bool filtered,
				  struct ms_arena *arena)
{
	const struct ms_perf_world world = { root, open_nothing, privileged, filtered };
	const struct ms_perf_request request = { .source = source, .overhead = 0.01 };
	struct ms_perf_state state;

	ms_perf_probe(&world, &request, &state, arena);
	return state;
}

#define CPU "/sys/bus/event_source/devices/cpu"

static void test_no_pmu(void **state)
{
	struct ms_arena arena = MS_ARENA_INIT;

	(void)state;
	shell("rm -rf sys proc");
	for (int i = 0; i < MS_PERF_SOURCES; i++) {
		struct ms_perf_state s;

		error = 0;
		s = probe(ms_perf_sources[i], false, false, &arena);
		assert_int_equal(s.works, ms_perf_sources[i] == MS_RUN_FAULTS);
		if (!s.works) {
			assert_non_null(strstr(s.why, "this machine shows no"));
			assert_non_null(strstr(s.remedy, "virtual machines"));
		}
	}
	ms_arena_free(&arena);
}

static void test_refusals(void **state)
{
	static const struct {
		int error;
		const char *paranoid;
		bool privileged, filtered;
		const char *why, *remedy;
	} cases[] = {
		{ EACCES, "3", false, false, "perf_event_paranoid is 3", "setcap cap_perfmon+ep" },
		{ EACCES, "4", false, false, "perf_event_paranoid is 4",
		  "sysctl kernel.perf_event_paranoid=2" },
		{ EPERM, "2", true, true, "seccomp", "--cap-add PERFMON" },
		{ EPERM, "1", false, true, "seccomp", "--security-opt" },
		{ EPERM, "2", false, false, "not permitted", "setcap" },
		{ ENOSYS, "2", true, false, "no perf events", "CONFIG_PERF_EVENTS" },
		{ EOPNOTSUPP, "2", true, false, "does not sample this", "bare metal" },
		{ EBUSY, "2", true, false, "another user", "nmi_watchdog" },
		{ EMFILE, "2", true, false, "Too many open files", NULL },
	};
	struct ms_arena arena = MS_ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		file("/proc/sys/kernel/perf_event_paranoid", cases[i].paranoid);
		error = cases[i].error;
		struct ms_perf_state s =
			probe(MS_RUN_FAULTS, cases[i].privileged, cases[i].filtered, &arena);
		assert_false(s.works);
		if (strstr(s.why, cases[i].why) == NULL ||
		    (cases[i].remedy != NULL && strstr(s.remedy, cases[i].remedy) == NULL))
			fail_msg("case %zu: \"%s\", \"%s\"", i, s.why, s.remedy);
	}
	ms_arena_free(&arena);
}

/* libpfm4 looks at the processor once, and then remembers: each in a process of its own. */
static int in_child(const char *pmu, int (*look)(const char *pmu))
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		setenv("LIBPFM_FORCE_PMU", pmu, 1);
		_exit(look(pmu));
	}
	assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int look_at_intel(const char *pmu)
{
	bool old = strcmp(pmu, "nhm") == 0;
	struct ms_arena arena = MS_ARENA_INIT;

	error = 0;
	struct ms_perf_state s = probe(MS_RUN_PEBS, true, false, &arena);
	return s.works && opened.type == 4 && opened.config == (old ? 0x100b : 0x1cd) &&
			       opened.config1 == 32 && opened.precise_ip == 2 && opened.freq == 1 &&
			       opened.exclude_kernel == 1 &&
			       (opened.sample_type & PERF_SAMPLE_ADDR) != 0 &&
			       (opened.sample_type & PERF_SAMPLE_WEIGHT) != 0 &&
			       (opened.sample_type & PERF_SAMPLE_DATA_SRC) != 0 &&
			       strstr(s.event, old ? "MEM_INST_RETIRED" : "MEM_TRANS_RETIRED") !=
				       NULL
		       ? 0
		       : 1;
}

/* On other architectures libpfm4 does not have Intel's tables. */
static int has_tables(const char *pmu)
{
	struct ms_arena arena = MS_ARENA_INIT;

	(void)pmu;
	return ms_perf_pfm_load_latency(&arena, 32) != NULL ? 0 : 1;
}

static void test_intel_events(void **state)
{
	static const char *const pmus[] = { "nhm", "snb", "ivb", "hsw", "bdw", "skl",
					    "skx", "clx", "icl", "icx", "spr" };

	(void)state;
	if (in_child("skx", has_tables) != 0)
		skip();
	file(CPU "/format/ldlat", "config1:0-15");
	file(CPU "/type", "4");
	for (size_t i = 0; i < MS_COUNT(pmus); i++)
		if (in_child(pmus[i], look_at_intel) != 0)
			fail_msg("%s: not the event of its manual", pmus[i]);
}

/* Of a processor that libpfm4's tables do not have, the event is the same as ever. */
static int look_at_unknown(const char *pmu)
{
	struct ms_arena arena = MS_ARENA_INIT;

	(void)pmu;
	error = 0;
	struct ms_perf_state s = probe(MS_RUN_PEBS, true, false, &arena);
	return s.works && opened.config == 0x1cd && opened.config1 == 32 &&
			       strcmp(s.event, "cpu/mem-loads,ldlat=32/") == 0
		       ? 0
		       : 1;
}

static void test_unknown_processor(void **state)
{
	(void)state;
	file(CPU "/format/ldlat", "config1:0-15");
	assert_int_equal(in_child("core", look_at_unknown), 0);
}

static void test_amd_and_arm(void **state)
{
	struct ms_arena arena = MS_ARENA_INIT;

	(void)state;
	file("/sys/bus/event_source/devices/ibs_op/type", "9");
	file("/sys/bus/event_source/devices/arm_spe_0/type", "12");
	error = 0;
	assert_true(probe(MS_RUN_IBS, true, false, &arena).works);
	assert_int_equal(opened.type, 9);
	assert_int_equal(opened.config, 1 << 19);
	assert_true((opened.sample_type & PERF_SAMPLE_RAW) != 0);
	assert_true(probe(MS_RUN_SPE, true, false, &arena).works);
	assert_int_equal(opened.type, 12);
	assert_int_equal(opened.config, UINT64_C(1) | 1 << 16 | UINT64_C(3) << 33);
	assert_int_equal(opened.freq, 0);
	ms_arena_free(&arena);
}

/* A kernel that supports less than is requested: what it does not support is dropped, one by one.
 */
static unsigned refusals;

static int open_old(struct perf_event_attr *attr, pid_t pid, int cpu, int group,
		    unsigned long flags)
{
	(void)pid, (void)cpu, (void)group, (void)flags;
	refusals++;
	opened = *attr;
	errno = EINVAL;
	return attr->exclude_kernel ? -1 : dup(0);
}

static void test_old_kernels(void **state)
{
	const struct ms_perf_world world = { root, open_old, true, false };
	struct ms_arena arena = MS_ARENA_INIT;
	struct perf_event_attr attr = { .read_format = PERF_FORMAT_LOST, .inherit_thread = 1 };
	struct ms_perf_state s;

	(void)state;
	file("/sys/bus/event_source/devices/ibs_op/type", "9");
	refusals = 0;
	ms_perf_probe(&world, &(struct ms_perf_request){ .source = MS_RUN_IBS }, &s, &arena);
	assert_true(s.works);
	assert_int_equal(refusals, 3); /* as it is, less precise, and with the kernel */
	/* What software events never had is not given up: then it is a refusal. */
	ms_perf_probe(&world, &(struct ms_perf_request){ .source = MS_RUN_FAULTS }, &s, &arena);
	assert_false(s.works);
	assert_non_null(strstr(s.why, "Invalid argument"));
	assert_true(ms_perf_relax(&attr) && attr.read_format == 0 && attr.inherit_thread);
	assert_true(ms_perf_relax(&attr) && !attr.inherit_thread);
	assert_false(ms_perf_relax(&attr));
	ms_arena_free(&arena);
}

/* As many samples a second as take the wished share of it. */
static void test_rates(void **state)
{
	const struct ms_perf_world world = { root, open_nothing, true, false };
	static const struct {
		struct ms_perf_request request;
		uint64_t freq, period;
	} cases[] = {
		{ { .source = MS_RUN_FAULTS, .overhead = 0.01 }, 25000, 0 },
		{ { .source = MS_RUN_FAULTS, .overhead = 0.5 }, 30000, 0 }, /* the kernel's limit */
		{ { .source = MS_RUN_FAULTS, .overhead = 1e-9 }, 1, 0 },
		{ { .source = MS_RUN_FAULTS, .rate = 77, .overhead = 0.01 }, 77, 0 },
		{ { .source = MS_RUN_FAULTS, .period = 5, .overhead = 0.01 }, 0, 5 },
		/* The kernel keeps no rate of these: the period is so long that it holds. */
		{ { .source = MS_RUN_TIMER, .overhead = 0.01 }, 0, 1000003 },
		{ { .source = MS_RUN_TIMER, .overhead = 0.0005 }, 0, 16000000 },
		{ { .source = MS_RUN_TIMER, .rate = 5000, .overhead = 0.0005 }, 0, 200000 },
		{ { .source = MS_RUN_TIMER, .period = 7, .overhead = 0.0005 }, 0, 7 },
		{ { .source = MS_RUN_TIMER }, 0, 4000000000 },
		{ { .source = MS_RUN_SPE, .overhead = 0.01 }, 0, 160000 },
		{ { .source = MS_RUN_SPE, .overhead = 0.5 }, 0, 4096 },
		{ { .source = MS_RUN_SPE, .rate = 1000, .overhead = 0.01 }, 0, 16000000 },
	};
	struct ms_arena arena = MS_ARENA_INIT;

	(void)state;
	file("/proc/sys/kernel/perf_event_max_sample_rate", "30000");
	file("/sys/bus/event_source/devices/arm_spe_0/type", "12");
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct perf_event_attr attr;
		const char *event;
		struct ms_err err;

		assert_int_equal(
			ms_perf_attr(&world, &cases[i].request, &attr, &event, &arena, &err),
			MS_OK);
		assert_int_equal(attr.freq, cases[i].freq != 0);
		assert_int_equal(attr.sample_period,
				 cases[i].freq != 0 ? cases[i].freq : cases[i].period);
	}
	ms_arena_free(&arena);
}

static void test_unknown_event(void **state)
{
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_perf_pfm_event event;
	struct ms_err err;

	(void)state;
	assert_int_equal(ms_perf_pfm_encode("NO_SUCH:EVENT", &event, &arena, &err), MS_EUSAGE);
	assert_non_null(strstr(err.text, "\"NO_SUCH:EVENT\""));
	ms_arena_free(&arena);
}

/* The counter's time, while both run: it lies between what the clock says before and after. */
static void test_clock(void **state)
{
	struct ms_perf_clock clock;
	struct timespec before, after;

	(void)state;
	ms_perf_clock_start(&clock);
	for (int i = 0; i < 100; i++) {
		clock_gettime(CLOCK_MONOTONIC_RAW, &before);
		uint64_t counter = ms_perf_counter();
		clock_gettime(CLOCK_MONOTONIC_RAW, &after);
		for (volatile int k = 0; k < 20000; k++)
			;
		ms_perf_clock_read(&clock);
		int64_t time = (int64_t)ms_perf_clock_time(&clock, counter);
		const int64_t slack = 5000;
		assert_true(time >= before.tv_sec * 1000000000 + before.tv_nsec - slack);
		assert_true(time <= after.tv_sec * 1000000000 + after.tv_nsec + slack);
	}
}

/* In a time namespace the kernel's stamps are those of the machine, not of its clocks. */
static void test_time_namespace(void **state)
{
	char path[100];

	(void)state;
	snprintf(path, sizeof(path), "%s/proc/offsets", root);
	assert_int_equal(ms_perf_clock_offset(path), 0);
	file("/proc/offsets", "monotonic           0         0");
	assert_int_equal(ms_perf_clock_offset(path), 0);
	file("/proc/offsets", "monotonic      100000        25");
	assert_int_equal(ms_perf_clock_offset(path), UINT64_C(100000000000025));
	file("/proc/offsets", "boottime 7 7\nmonotonic -3 500000000");
	assert_true(ms_perf_clock_offset(path) == (uint64_t)INT64_C(-2500000000));
	file("/proc/offsets", "of another kernel");
	assert_int_equal(ms_perf_clock_offset(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_pmu),       cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_intel_events), cmocka_unit_test(test_unknown_processor),
		cmocka_unit_test(test_amd_and_arm),  cmocka_unit_test(test_rates),
		cmocka_unit_test(test_old_kernels),  cmocka_unit_test(test_unknown_event),
		cmocka_unit_test(test_clock),        cmocka_unit_test(test_time_namespace),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
