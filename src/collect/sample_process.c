/*
 * collect/sample_process.c - samples a running program. The kernel takes the samples; memspy does
 * not change the program and leaves nothing in it. The memory map is read from /proc. So the
 * program's variables have their names, but its heap is a single data structure: the allocations
 * were not observed.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "collect/collect_priv.h"
#include "hardware/timer_samples.h"
#include "name/run_origin.h"
#include "perf/perf.h"

/* A line of /proc/PID/maps. */
struct mapping {
	uint64_t start, end, offset;
	bool code;
	bool before; /* the process had it, or a part of it, before samples began */
	char *path;  /* "" where it has none */
};

struct mappings {
	MS_VEC(struct mapping) at; /* by their addresses */
};

struct watch {
	const struct ms_collect_sample_options *options;
	struct ms_collect_state c;
	struct ms_hardware hardware;
	struct ms_engine_shard *shard;
	struct ms_collect_assignment *none;
	struct ms_collect_worker worker;
	struct mappings maps;
	uint32_t modules;
	clockid_t clock; /* of the process */
	double used;     /* its time, in seconds, when samples began */
};

/* --- memory maps --- */

static int process_record(struct watch *w, uint32_t kind, uint32_t arg, const void *fixed,
			  size_t bytes, const char *text, struct ms_err *err)
{
	uint64_t words[1 + 16 + MS_WIRE_MAX_TEXT / 8 + 1] = { 0 };
	size_t n = 1 + bytes / 8 + (text != NULL ? (strlen(text) + 7) / 8 : 0);

	words[0] = ms_wire_head(kind, (uint32_t)n, arg);
	memcpy(words + 1, fixed, bytes);
	if (text != NULL)
		memcpy(words + 1 + bytes / 8, text, strlen(text));
	return ms_collect_process_event(&w->worker, words, n, err);
}

/* Its origin was not observed; in most cases it belongs to an allocator. */
static bool is_private(const struct mapping *m)
{
	return m->path[0] == '\0' || strcmp(m->path, "[heap]") == 0 ||
	       strncmp(m->path, "[anon", 5) == 0;
}

static int add_mapping(struct watch *w, const struct mapping *m, struct ms_err *err)
{
	size_t bytes = strlen(m->path);
	bool file = m->path[0] == '/' && bytes <= MS_WIRE_MAX_TEXT;

	if (strcmp(m->path, "[stack]") == 0) {
		uint64_t stack[2] = { m->start, m->end };

		return process_record(w, MS_WIRE_THREAD, 1, stack, sizeof(stack), NULL, err);
	}
	struct ms_wire_map map = { m->start, m->end - m->start,
				   file            ? MS_WIRE_MAP_FILE
				   : is_private(m) ? MS_WIRE_MAP_HEAP
						   : MS_WIRE_MAP_START,
				   file ? (uint32_t)bytes : 0 };
	w->c.setup.attached = m->before;
	MS_TRY(process_record(w, MS_WIRE_MAP, MS_WIRE_NO_PATH, &map, sizeof(map),
			      file ? m->path : NULL, err));
	if (!file || !m->code)
		return MS_OK;
	struct ms_wire_module module = { m->offset, m->start, m->end - m->start, (uint32_t)bytes,
					 0 };
	return process_record(w, MS_WIRE_MODULE, w->modules++, &module, sizeof(module), m->path,
			      err);
}

static bool read_mapping(char *line, struct mapping *m)
{
	char rights[8];
	int at = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %n", &m->start, &m->end,
		   rights, &m->offset, &at) < 4 ||
	    at == 0)
		return false;
	m->code = rights[2] == 'x';
	m->path = ms_strdup(line + at);
	return true;
}

static bool is_same(const struct mapping *a, const struct mapping *b)
{
	return a->start == b->start && a->end == b->end && strcmp(a->path, b->path) == 0;
}

/* Both lists are in the order of addresses. */
static bool was_there(const struct mappings *last, size_t *next, const struct mapping *m)
{
	while (*next < last->at.n && last->at.at[*next].start < m->start)
		++*next;
	return *next < last->at.n && is_same(&last->at.at[*next], m);
}

/* A heap that has grown is still that of before; both lists are in the order of addresses. */
static bool was_before(const struct mappings *last, size_t next, const struct mapping *m)
{
	for (size_t i = next > 0 ? next - 1 : 0; i < last->at.n && last->at.at[i].start < m->end;
	     i++)
		if (last->at.at[i].end > m->start)
			return last->at.at[i].before;
	return last->at.n == 0;
}

static void forget(struct mappings *maps)
{
	for (size_t i = 0; i < maps->at.n; i++)
		ms_free(maps->at.at[i].path);
	ms_vec_free(&maps->at);
}

/* Reads the present mappings, and reports those that are new since the last time. */
static int read_maps(struct watch *w, struct ms_err *err)
{
	struct mappings last = w->maps;
	char path[64], line[5000];
	size_t next = 0;
	int code = MS_OK;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)w->options->pid);
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return ms_fail_errno(err, "%s: cannot be read", path);
	w->maps = (struct mappings){ MS_VEC_INIT };
	while (code == MS_OK && fgets(line, sizeof(line), file) != NULL) {
		struct mapping m;

		if (!read_mapping(line, &m))
			continue;
		bool known = was_there(&last, &next, &m);
		m.before = was_before(&last, next, &m);
		*ms_vec_add(&w->maps.at) = m;
		if (!known)
			code = add_mapping(w, &m, err);
	}
	fclose(file);
	if (w->maps.at.n == 0) { /* it has ended: its last samples are still to be looked up */
		w->maps = last;
		return code;
	}
	forget(&last);
	return code;
}

/* --- samples --- */

/* The code around pc, out of the file that it was mapped from; how much of it is in front of pc. */
static uint16_t read_code(const struct watch *w, uint64_t pc, uint8_t *bytes, uint16_t *after)
{
	enum { BEFORE = 192, AFTER = 64 };
	const struct mapping *m = NULL;

	for (size_t i = 0; i < w->maps.at.n; i++)
		if (pc >= w->maps.at.at[i].start && pc < w->maps.at.at[i].end &&
		    w->maps.at.at[i].path[0] == '/')
			m = &w->maps.at.at[i];
	*after = 0;
	if (m == NULL)
		return 0;
	uint64_t before = pc - m->start < BEFORE ? pc - m->start : BEFORE;
	int fd = open(m->path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? pread(fd, bytes, before + AFTER,
				    (off_t)(m->offset + (pc - m->start) - before))
			    : -1;
	if (fd >= 0)
		close(fd);
	if (n < (ssize_t)before)
		return 0;
	*after = (uint16_t)((uint64_t)n - before);
	return (uint16_t)before;
}

/* Encodes the sample like one of the runtime's own timer, for hardware/timer_samples.c. */
static void take_timed(struct watch *w, const struct ms_perf_sample *s)
{
	uint64_t words[sizeof(struct ms_wire_sample) / 8 + MS_PERF_REGS + 64] = { 0 };
	uint64_t *regs = words + sizeof(struct ms_wire_sample) / 8;
	struct ms_wire_sample wire = { .pc = s->ip, .nanoseconds = s->period };

	wire.regs = (uint16_t)ms_perf_registers(w->hardware.perf, regs);
	wire.before = read_code(w, s->ip, (uint8_t *)(regs + wire.regs), &wire.after);
	memcpy(words, &wire, sizeof(wire));
	ms_hardware_timer_take(&w->hardware, s->tid, NULL, words);
}

static void take_all(struct watch *w)
{
	struct ms_perf_sample s;

	while (ms_perf_take(w->hardware.perf, UINT64_MAX, &s)) {
		if (w->options->hardware->source == MS_RUN_TIMER)
			take_timed(w, &s);
		else
			ms_hardware_take_perf(&w->hardware, &s);
	}
}

/* --- while the program runs --- */

static double used_seconds(const struct watch *w)
{
	struct timespec t;

	return clock_gettime(w->clock, &t) == 0 ? (double)t.tv_sec + (double)t.tv_nsec / 1e9 : 0;
}

static bool is_alive(pid_t pid)
{
	return kill(pid, 0) == 0 || errno == EPERM;
}

/* Until the time has passed, the program has ended, or the user interrupts memspy. */
static void look_on(struct watch *w)
{
	enum { MANY_MAPS = 4000 };
	double began = ms_seconds_now(), until = began + w->options->seconds;
	const struct timespec pause = { 0, 100 * 1000 * 1000 };
	unsigned rounds = 0;
	sigset_t stops;

	sigemptyset(&stops);
	sigaddset(&stops, SIGINT);
	sigaddset(&stops, SIGTERM);
	while (is_alive(w->options->pid) &&
	       (w->options->seconds <= 0 || ms_seconds_now() < until)) {
		struct ms_err ignored;

		if (sigtimedwait(&stops, NULL, &pause) > 0)
			break;
		/* Mappings since the last round, which samples refer to; less often if there are
		 * many, because reading them takes long. */
		if (w->maps.at.n < MANY_MAPS || ++rounds % 10 == 0)
			read_maps(w, &ignored);
		take_all(w);
		ms_collect_report_progress(&w->c, began);
		ms_collect_snapshot_if_wanted(&w->c, w->options->pid, began);
		ms_collect_checkpoint_if_due(&w->c, w->options->pid, began,
					     w->options->checkpoint.keep,
					     w->options->checkpoint.arg);
	}
	ms_collect_snapshot_finish(&w->c);
	ms_collect_checkpoint_finish(&w->c);
}

/* --- the run --- */

char *const *ms_collect_process_command(pid_t pid, struct ms_arena *arena)
{
	char path[64], text[4096];
	MS_VEC(char *) words = MS_VEC_INIT;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : 0;
	if (fd >= 0)
		close(fd);
	for (ssize_t at = 0; at < n; at += (ssize_t)strlen(text + at) + 1) {
		text[n] = '\0';
		*ms_vec_add(&words) = ms_arena_strdup(arena, text + at);
	}
	char **kept = ms_arena_take(arena, (words.n + 1) * sizeof(*kept));
	if (words.n > 0)
		memcpy(kept, words.at, words.n * sizeof(*kept));
	kept[words.n] = NULL;
	ms_vec_free(&words);
	return kept;
}

static int begin(struct watch *w, struct ms_run *run, struct ms_err *err)
{
	const struct ms_collect_sample_options *o = w->options;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)o->pid);
	if (access(path, R_OK) != 0)
		return ms_fail_errno(
			err,
			"process %d cannot be looked at; run memspy as its owner, or as "
			"root",
			(int)o->pid);
	MS_TRY(ms_launch_check_program(path, err));
	MS_TRY(read_maps(w, err));
	if (clock_getcpuclockid(o->pid, &w->clock) != 0)
		return ms_fail(err, MS_ENOENT, "process %d has ended", (int)o->pid);
	/* Samples are of its time from here on. */
	w->used = used_seconds(w);
	MS_TRY(ms_hardware_attach(&w->hardware, o->pid, err));
	ms_collect_describe_run(
		&w->c, o->machine, "perf",
		(const char *const *)ms_collect_process_command(o->pid, &run->arena), run);
	ms_collect_forget_machine(run);
	struct ms_name_origin origin;
	ms_name_origin_start(&origin, run, path, NULL);
	ms_name_origin_finish(&origin, run);
	return MS_OK;
}

static int watch(struct watch *w, struct ms_run *run, struct ms_err *err)
{
	MS_TRY(begin(w, run, err));
	double began = ms_seconds_now();
	w->c.snapshots.before = (uint64_t)(w->used * 1e9);
	look_on(w);
	ms_perf_stop(w->hardware.perf);
	double now = used_seconds(w);
	run->wall_seconds = ms_seconds_now() - began;
	run->end = MS_END_LOST; /* it still runs, or its exit status is not available */
	w->hardware.about.cpu_ns = now > w->used ? (uint64_t)((now - w->used) * 1e9) : 0;
	take_all(w);
	ms_hardware_count(&w->hardware);
	ms_collect_result(&w->c, 0, run);
	return MS_OK;
}

int ms_collect_sample_process(const struct ms_collect_sample_options *options, struct ms_run *run,
			      struct ms_err *err)
{
	struct watch w = { .options = options };
	const struct ms_launch_cpus cpus = { .text = NULL };

	memset(run, 0, sizeof(*run));
	if (!is_alive(options->pid))
		return ms_fail(err, MS_ENOENT, "there is no process %d", (int)options->pid);
	ms_hardware_open(&w.hardware, options->hardware);
	w.c = (struct ms_collect_state){ .setup.machines = &options->machine,
					 .setup.machine_count = 1,
					 .setup.cpus = &cpus,
					 .hardware = &w.hardware,
					 .setup.progress = options->progress,
					 .setup.progress_arg = options->progress_arg,
					 .snapshots.options = options->snapshot,
					 .checkpoints.seconds = options->checkpoint.seconds,
					 .run = run };
	int code = ms_collect_open(&w.c, 0, 1, false, err);
	if (code == MS_OK) {
		w.shard = ms_engine_get_shard(w.c.sim.engines[0], 0);
		w.worker = (struct ms_collect_worker){ .collector = &w.c,
						       .shards = &w.shard,
						       .assignments = &w.none };
		ms_launch_wait_prepare(); /* whoever stops it from now on gets what there is by then
					   */
		code = watch(&w, run, err);
		ms_launch_wait_finish();
		ms_collect_close(&w.c);
	}
	ms_hardware_close(&w.hardware);
	forget(&w.maps);
	ms_vec_free(&w.worker.allocating);
	if (code != MS_OK)
		ms_run_free(run);
	return code;
}
