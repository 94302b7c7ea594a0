/*
 * perf/sources.c - the sources of samples, the attributes with which each is opened, and the
 * reasons why one does not work here. One row per source.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "perf/perf_priv.h"
#include "perf/pfm.h"

const enum ms_run_source ms_perf_sources[MS_PERF_SOURCES] = { MS_RUN_PEBS, MS_RUN_IBS, MS_RUN_SPE,
							      MS_RUN_FAULTS };

/* --- this machine --- */

static int open_event(struct perf_event_attr *attr, pid_t pid, int cpu, int group,
		      unsigned long flags)
{
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, group, flags);
}

/* A field of /proc/self/status, "CapEff:\t000001ff"; 0 if there is none. */
static uint64_t status_field(const char *name, int base)
{
	char line[256];
	uint64_t value = 0;
	FILE *file = fopen("/proc/self/status", "re");

	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		if (strncmp(line, name, strlen(name)) == 0)
			value = strtoull(line + strlen(name), NULL, base);
	if (file != NULL)
		fclose(file);
	return value;
}

bool ms_perf_capable(unsigned capability)
{
	return (status_field("CapEff:", 16) >> capability & 1) != 0;
}

void ms_perf_this_world(struct ms_perf_world *world)
{
	*world = (struct ms_perf_world){
		.root = "",
		.open = open_event,
		.privileged = ms_perf_capable(MS_CAP_PERFMON) || ms_perf_capable(MS_CAP_ADMIN),
		.filtered = status_field("Seccomp:", 10) == 2,
	};
}

/* The first word of a file under the root; false: there is none. */
static bool read_word(const struct ms_perf_world *world, const char *path, char *word, size_t room)
{
	struct ms_text full = MS_TEXT_INIT;

	ms_text_addf(&full, "%s%s", world->root, path);
	int fd = open(full.at, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, word, room - 1) : -1;

	ms_text_free(&full);
	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return false;
	word[n] = '\0';
	word[strcspn(word, "\n")] = '\0';
	return true;
}

static bool read_number(const struct ms_perf_world *world, const char *path, long *number)
{
	char word[64];

	if (!read_word(world, path, word, sizeof(word)))
		return false;
	*number = strtol(word, NULL, 10);
	return true;
}

/* --- attributes --- */

#define DEVICES "/sys/bus/event_source/devices/"

/* The processors' own PMU: hybrid ones have two, of which that of the large cores counts loads. */
static const char *const core_pmus[] = { DEVICES "cpu", DEVICES "cpu_core" };

static const char *find_core(const struct ms_perf_world *world, const char *file,
			     struct ms_arena *arena)
{
	char word[128];

	for (size_t i = 0; i < sizeof(core_pmus) / sizeof(*core_pmus); i++) {
		const char *path = ms_arena_printf(arena, "%s/%s", core_pmus[i], file);

		if (read_word(world, path, word, sizeof(word)))
			return core_pmus[i];
	}
	return NULL;
}

enum { USUAL_LATENCY = 32, USUAL_EVENT = 0x1cd };

static int pebs_attr(const struct ms_perf_world *world, const struct ms_perf_request *request,
		     struct perf_event_attr *attr, const char **event, struct ms_arena *arena,
		     struct ms_err *err)
{
	uint64_t cycles = request->min_latency != 0 ? request->min_latency : USUAL_LATENCY;
	const char *pmu = find_core(world, "format/ldlat", arena);
	long type = PERF_TYPE_RAW;

	if (pmu == NULL)
		return ms_fail(err, MS_EMISSING,
			       "this machine shows no PMU with Intel's load latency facility (no "
			       "format/ldlat in %s*)",
			       core_pmus[0]);
	const char *name =
		request->event != NULL ? request->event : ms_perf_pfm_load_latency(arena, cycles);
	if (name != NULL) {
		struct ms_perf_pfm_event found;

		MS_TRY(ms_perf_pfm_encode(name, &found, arena, err));
		*attr = (struct perf_event_attr){ .config = found.config,
						  .config1 = found.config1,
						  .config2 = found.config2 };
		*event = found.name;
	} else { /* newer than libpfm4's tables: the encoding is the same for ten years */
		*attr = (struct perf_event_attr){ .config = USUAL_EVENT, .config1 = cycles };
		*event = ms_arena_printf(arena, "cpu/mem-loads,ldlat=%llu/",
					 (unsigned long long)cycles);
	}
	read_number(world, ms_arena_printf(arena, "%s/type", pmu), &type);
	attr->type = (uint32_t)type;
	attr->precise_ip = 2;
	attr->sample_type = PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC;
	return MS_OK;
}

static int ibs_attr(const struct ms_perf_world *world, const struct ms_perf_request *request,
		    struct perf_event_attr *attr, const char **event, struct ms_arena *arena,
		    struct ms_err *err)
{
	enum { COUNT_OPS = 1 << 19 };
	long type;

	(void)request;
	(void)arena;
	if (!read_number(world, DEVICES "ibs_op/type", &type))
		return ms_fail(err, MS_EMISSING, "this machine shows no AMD IBS (no %sibs_op)",
			       DEVICES);
	*attr = (struct perf_event_attr){ .type = (uint32_t)type,
					  .config = COUNT_OPS,
					  .precise_ip = 2,
					  .sample_type = PERF_SAMPLE_RAW };
	*event = "ibs_op";
	return MS_OK;
}

static int spe_attr(const struct ms_perf_world *world, const struct ms_perf_request *request,
		    struct perf_event_attr *attr, const char **event, struct ms_arena *arena,
		    struct ms_err *err)
{
	/* The driver's format: time stamps, jitter, loads and stores; the minimum latency. */
	enum { TS_ENABLE = 1 << 0, JITTER = 1 << 16 };
	const uint64_t loads = UINT64_C(1) << 33, stores = UINT64_C(1) << 34;
	long type;

	(void)arena;
	if (!read_number(world, DEVICES "arm_spe_0/type", &type))
		return ms_fail(err, MS_EMISSING, "this machine shows no Arm SPE (no %sarm_spe_0)",
			       DEVICES);
	*attr = (struct perf_event_attr){
		.type = (uint32_t)type,
		.config = TS_ENABLE | JITTER | loads | stores,
		.config2 = request->min_latency,
	};
	*event = "arm_spe_0";
	return MS_OK;
}

static int faults_attr(const struct ms_perf_world *world, const struct ms_perf_request *request,
		       struct perf_event_attr *attr, const char **event, struct ms_arena *arena,
		       struct ms_err *err)
{
	(void)world;
	(void)request;
	(void)arena;
	(void)err;
	*attr = (struct perf_event_attr){ .type = PERF_TYPE_SOFTWARE,
					  .config = PERF_COUNT_SW_PAGE_FAULTS };
	*event = "page-faults";
	return MS_OK;
}

/* For attached programs: other programs use a timer of the runtime. */
static int timer_attr(const struct ms_perf_world *world, const struct ms_perf_request *request,
		      struct perf_event_attr *attr, const char **event, struct ms_arena *arena,
		      struct ms_err *err)
{
	(void)world;
	(void)request;
	(void)arena;
	(void)err;
	*attr = (struct perf_event_attr){ .type = PERF_TYPE_SOFTWARE,
					  .config = PERF_COUNT_SW_TASK_CLOCK,
					  .sample_type = PERF_SAMPLE_REGS_USER,
					  .sample_regs_user = ms_perf_regs_mask };
	*event = "task-clock";
	return MS_OK;
}

struct source_row {
	int (*attr)(const struct ms_perf_world *world, const struct ms_perf_request *request,
		    struct perf_event_attr *attr, const char **event, struct ms_arena *arena,
		    struct ms_err *err);
	uint64_t cost;   /* of one sample, in nanoseconds, approximate */
	uint64_t events; /* per second of a thread, at most; 0: the kernel adjusts the rate */
	uint64_t period; /* otherwise: the shortest default period */
	const char *tells;
};

enum { NANOSECONDS = 1000000000 };
/* Four per cycle at four billion cycles per second: more is rare. */
static const uint64_t operations = UINT64_C(16) * NANOSECONDS;

static const struct source_row rows[MS_RUN_SOURCES] = {
	[MS_RUN_PEBS] = { pebs_attr, 2500, 0, 0,
			  "address, latency and data source, of loads that waited" },
	[MS_RUN_IBS] = { ibs_attr, 2500, 0, 0,
			 "address, latency of misses and data source, of any operation" },
	[MS_RUN_SPE] = { spe_attr, 100, operations, 4096,
			 "address, latency and data source, of any operation" },
	[MS_RUN_TIMER] = { timer_attr, 8000, NANOSECONDS, 1000003,
			   "time at an instruction, with its registers" },
	[MS_RUN_FAULTS] = { faults_attr, 400, 0, 0, "address of every page that is touched first" },
};

/* The samples per second that cost this share of the time, at most the kernel's limit. */
static uint64_t rate_of(const struct ms_perf_world *world, double overhead, uint64_t cost)
{
	long most = 100000;

	read_number(world, "/proc/sys/kernel/perf_event_max_sample_rate", &most);
	double rate = overhead * 1e9 / (double)cost;
	return rate < 1 ? 1 : rate > (double)most ? (uint64_t)most : (uint64_t)rate;
}

uint64_t ms_perf_cost(enum ms_run_source source)
{
	return rows[source].cost;
}

/*
 * Sets the distance of samples if no period is requested: a rate that the kernel keeps, or a
 * period.
 */
static void set_pace(const struct ms_perf_world *world, const struct ms_perf_request *request,
		     const struct source_row *row, struct perf_event_attr *attr)
{
	const double most = 4e9; /* the maximum of SPE */
	double events = (double)row->events;

	if (row->events == 0) {
		attr->freq = 1;
		attr->sample_freq = request->rate != 0
					    ? request->rate
					    : rate_of(world, request->overhead, row->cost);
		return;
	}
	double period = request->rate != 0
				? events / (double)request->rate
				: events * (double)row->cost / (request->overhead * NANOSECONDS);
	if (request->rate == 0 && period < (double)row->period)
		period = (double)row->period;
	attr->sample_period = period < most ? (uint64_t)period : (uint64_t)most;
}

int ms_perf_attr(const struct ms_perf_world *world, const struct ms_perf_request *request,
		 struct perf_event_attr *attr, const char **event, struct ms_arena *arena,
		 struct ms_err *err)
{
	const struct source_row *row = &rows[request->source];

	MS_TRY(row->attr(world, request, attr, event, arena, err));
	attr->size = sizeof(*attr);
	if (request->period != 0)
		attr->sample_period = request->period;
	else
		set_pace(world, request, row, attr);
	attr->sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR;
	/* With this flag the kernel samples every software event, whatever the period. */
	if (attr->type != PERF_TYPE_SOFTWARE || attr->freq)
		attr->sample_type |= PERF_SAMPLE_PERIOD;
	attr->disabled = 1;
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC_RAW;
	attr->comm = 1;
	attr->comm_exec = 1;
	attr->sample_id_all = 1;
	return MS_OK;
}

bool ms_perf_relax(struct perf_event_attr *attr)
{
	if (attr->read_format != 0)
		attr->read_format = 0; /* the number of lost samples: since Linux 6.0 */
	else if (attr->inherit_thread)
		attr->inherit_thread = 0; /* threads inherit it, children do not: since 5.13 */
	else if (attr->precise_ip > 1)
		attr->precise_ip = 1;
	else if (attr->precise_ip > 0 && attr->exclude_kernel)
		attr->exclude_kernel = attr->exclude_hv = 0; /* IBS: memspy drops these */
	else
		return false;
	return true;
}

/* --- reasons of failure --- */

/* What prevents memspy from opening events at all. */
static void explain_refusal(const struct ms_perf_world *world,
			    const struct ms_perf_request *request, struct ms_perf_state *state,
			    struct ms_arena *arena)
{
	static const char path[] = "/proc/sys/kernel/perf_event_paranoid";
	long paranoid = 2;

	read_number(world, path, &paranoid);
	if (!world->privileged && paranoid > 2) {
		state->why = ms_arena_printf(arena,
					     "kernel.perf_event_paranoid is %ld, which allows "
					     "perf events only with CAP_PERFMON",
					     paranoid);
		/* A program that memspy starts sets up its own timer, without memspy's rights. */
		state->remedy = request->source == MS_RUN_TIMER && !request->attach
					? "sysctl kernel.perf_event_paranoid=2 (as root)"
					: "sysctl kernel.perf_event_paranoid=2 (as root), or give "
					  "memspy the right: setcap cap_perfmon+ep $(command -v "
					  "memspy)";
	} else if (world->filtered) {
		state->why = "a seccomp filter of this container forbids perf_event_open";
		state->remedy = "start the container with --cap-add PERFMON, or with a seccomp "
				"profile that allows perf_event_open (--security-opt "
				"seccomp=PROFILE.json)";
	} else {
		state->why = "perf_event_open is not permitted";
		state->remedy = "run memspy as root, or give it the right: setcap cap_perfmon+ep "
				"$(command -v memspy); a security module (SELinux, lockdown) may "
				"forbid it too";
	}
}

static void explain(const struct ms_perf_world *world, const struct ms_perf_request *request,
		    int error, struct ms_perf_state *state, struct ms_arena *arena)
{
	switch (error) {
	case EACCES:
	case EPERM:
		explain_refusal(world, request, state, arena);
		break;
	case ENOSYS:
		state->why = "this kernel has no perf events (or a sandbox hides them)";
		state->remedy = "a kernel with CONFIG_PERF_EVENTS, outside of sandboxes such as "
				"gVisor";
		break;
	case ENOENT:
	case EOPNOTSUPP:
	case ENODEV:
		state->why = ms_arena_printf(arena,
					     "the PMU is there, but does not sample this (%s): a "
					     "virtual machine's often cannot",
					     strerror(error));
		state->remedy = "a machine of bare metal, or a virtual one that is given PEBS, IBS "
				"or SPE by its host";
		break;
	case EBUSY:
		state->why = "another user of the PMU holds it (a watchdog, a profiler)";
		state->remedy = "end the other profiler; sysctl kernel.nmi_watchdog=0 frees a "
				"counter";
		break;
	default:
		state->why = ms_arena_printf(arena, "the kernel refuses it: %s", strerror(error));
		break;
	}
}

void ms_perf_probe(const struct ms_perf_world *world, const struct ms_perf_request *request,
		   struct ms_perf_state *state, struct ms_arena *arena)
{
	struct perf_event_attr attr;
	struct ms_err err;

	*state = (struct ms_perf_state){ .source = request->source,
					 .tells = rows[request->source].tells };
	if (ms_perf_attr(world, request, &attr, &state->event, arena, &err) != MS_OK) {
		state->why = ms_arena_strdup(arena, err.text);
		if (err.code == MS_EMISSING)
			state->remedy =
				"a machine that has one; most virtual machines hide it. The "
				"timer needs none";
		return;
	}
	int fd;
	do
		fd = world->open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	while (fd < 0 && errno == EINVAL && ms_perf_relax(&attr));
	state->works = fd >= 0;
	if (fd < 0)
		explain(world, request, errno, state, arena);
	else
		close(fd);
}
