/* collect/collect.c - one run from start to end. */
#include "collect/collect.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collect/collect_priv.h"

/* The program needs a processor too. */
static unsigned default_workers(void)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	return online <= 2 ? 1 : online > 8 ? 4 : (unsigned)(online / 2);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void describe(const struct collector *c, struct ms_run *run)
{
	const struct ms_machine *machine = c->options->machine;
	char text[sizeof("2026-11-15T10:31:02Z") + 16];
	time_t started = time(NULL);
	struct tm utc;

	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&started, &utc));
	run->started = ms_arena_strdup(&run->arena, text);
	run->program = ms_arena_strdup(&run->arena, c->options->argv[0]);
	for (char *const *arg = c->options->argv; *arg != NULL; arg++)
		*ms_vec_add(&run->argv) = ms_arena_strdup(&run->arena, *arg);
	run->frontend = "valgrind";
	run->memspy = MS_VERSION;
	run->machine = ms_arena_strdup(&run->arena, machine->name);
	run->machine_origin = ms_arena_strdup(&run->arena, machine->origin);
	run->memory_latency = machine->memory_latency;
	run->workers = c->workers;
	for (size_t i = 0; i < machine->levels.n; i++) {
		const struct ms_machine_level *level = &machine->levels.at[i];

		*ms_vec_add(&run->levels) = (struct ms_run_level){
			ms_arena_strdup(&run->arena, level->name), level->size, level->ways, level->line,
			level->latency, level->processors };
	}
}

/* What the front-end itself had to say; NULL: nothing. */
static const char *read_log(const struct ms_launch *launch, struct ms_arena *arena)
{
	char log[8192];
	ssize_t n = pread(launch->log_fd, log, sizeof(log), 0);

	return n > 0 ? ms_arena_strndup(arena, log, (size_t)n) : NULL;
}

static int run_program(struct collector *c, struct ms_run *run, struct ms_err *err)
{
	struct ms_launch launch = { 0, -1 };
	char *path = NULL;
	int code;

	MS_TRY(ms_launch_check(c->options->argv[0], &path, err));
	ms_wait_prepare();
	code = ms_launch(&launch, c->options, path, c->ring.fd, err);
	ms_free(path);
	if (code != MS_OK) {
		ms_wait_finish();
		return code;
	}
	double started = now();
	code = ms_workers_start(c, err);
	if (code == MS_OK)
		ms_wait_for(c, launch.pid, &run->end, &run->exit_status);
	else
		ms_ring_abandon(&c->ring);
	ms_ring_end(&c->ring);
	ms_workers_join(c);
	run->wall_seconds = now() - started;
	ms_wait_finish();
	run->messages = read_log(&launch, &run->arena);
	close(launch.log_fd);
	if (code == MS_OK && ms_binder_blocks(c->binder) == 0)
		code = ms_fail(err, MS_EBUG, "%s: the Valgrind front-end could not run it%s%s",
			       c->options->argv[0], run->messages != NULL ? ":\n" : "",
			       run->messages != NULL ? run->messages : "");
	return code;
}

static int open_collector(struct collector *c, struct ms_err *err)
{
	const struct ms_engine_data special = { MS_BOUND_UNMAPPED, MS_BOUND_FREED };

	c->workers = c->options->workers != 0 ? c->options->workers : default_workers();
	MS_TRY(ms_ring_open(&c->ring, 0, 0, c->workers, err));
	c->engine = ms_engine_open(c->options->machine, c->workers, ms_ring_slots(&c->ring), &special);
	c->binder = ms_binder_open();
	pthread_mutex_init(&c->lock, NULL);
	return MS_OK;
}

static void close_collector(struct collector *c)
{
	ms_ring_close(&c->ring);
	ms_engine_close(c->engine);
	ms_binder_close(c->binder);
	ms_arena_free(&c->arena);
	ms_vec_free(&c->stats);
	pthread_mutex_destroy(&c->lock);
}

int ms_collect(const struct ms_collect_options *options, struct ms_run *run, struct ms_err *err)
{
	struct collector c = { .options = options };

	memset(run, 0, sizeof(*run));
	MS_TRY(open_collector(&c, err));
	describe(&c, run);
	int code = run_program(&c, run, err);
	if (code == MS_OK) {
		if (c.failure.code != MS_OK) {
			run->end = MS_END_LOST;
			run->failure = ms_arena_strdup(&run->arena, c.failure.text);
		}
		ms_collect_result(&c, run);
	}
	close_collector(&c);
	if (code != MS_OK)
		ms_run_free(run);
	return code;
}
