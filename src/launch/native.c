/* launch/native.c - starts a program with the native front-end preloaded. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/text.h"
#include "launch/launch.h"
#include "launch/wait.h"
#include "stream/memory_file.h"
#include "stream/timestamps.h"

extern char **environ;

/* Threads of a program that are traced at the same time, and two more; others run on untraced. */
enum { MOST_LANES = 1026, FEW_LANES = 18 };

int ms_launch_native_log(void)
{
	enum { LOG_BYTES = 32768 };
	int fd = memfd_create("memspy-log", MFD_CLOEXEC);

	if (fd >= 0 && ms_stream_grow_memory_file(fd, LOG_BYTES) != 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

bool ms_launch_has_room(void)
{
	const rlim_t enough = 1ul << 30;
	struct rlimit space;

	return getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur >= enough;
}

/* A limit on memory, or on what files may grow to, may not leave room for many. */
int ms_launch_native_lanes(struct ms_stream_ring *ring, const struct ms_launch_options *options,
			   bool may_stamp, struct ms_err *err)
{
	if ((ms_launch_has_room() && ms_stream_ring_add_lanes(ring, MOST_LANES, err) == MS_OK) ||
	    ms_stream_ring_add_lanes(ring, FEW_LANES, err) == MS_OK) {
		if (may_stamp)
			ring->stream->stamps = ms_stream_timestamps_of_machine();
		return MS_OK;
	}
	return options->machine->processors > 1 ? err->code : MS_OK;
}

/* What the runtime does while the program is not traced; see docs/design/sample.md. */
static const char *hardware_settings(const struct ms_hardware_options *hardware,
				     struct ms_arena *arena)
{
	enum { SECOND = 1000000000, MILLISECOND = 1000000, PARTS = 1000000 };

	if (hardware == NULL)
		return "";
	unsigned share = (unsigned)(hardware->overhead * PARTS);
	uint64_t period = hardware->rate != 0 ? SECOND / hardware->rate : hardware->period;
	if (hardware->source != MS_RUN_TIMER)
		return period != 0 ? ",idle,times"
				   : ms_arena_printf(arena, ",idle,times,tell=%u", share / 2);
	if (period != 0)
		return ms_arena_printf(arena, ",idle,sample=%llu", (unsigned long long)period);
	return ms_arena_printf(arena, ",idle,sample=%d,wish=%u,tell=%u", MILLISECOND, share,
			       share / 4);
}

const char *ms_launch_groups(const struct ms_stream_sampling *sampling, struct ms_arena *arena)
{
	uint64_t groups = sampling->sets.mask + 1;
	struct ms_text text = MS_TEXT_INIT;

	ms_text_addf(&text, "%u:", sampling->sets.shift);
	for (uint64_t group = 0; group < groups; group += 4) {
		unsigned bits = 0;

		for (uint64_t i = 0; i < 4; i++)
			bits |= (unsigned)ms_stream_sampler_keeps(
					sampling, (group + i) << sampling->sets.shift)
				<< i;
		ms_text_addf(&text, "%x", bits);
	}
	const char *kept = ms_arena_strdup(arena, text.at);
	ms_text_free(&text);
	return kept;
}

static const char *groups_of(const struct ms_stream_sampling *sampling, struct ms_arena *arena)
{
	if (sampling->sets.every <= 1)
		return "";
	return ms_arena_printf(arena, ",groups=%s", ms_launch_groups(sampling, arena));
}

static const unsigned long long all = 1ULL << 60; /* no program has as many references */

/*
 * References between windows are counted, too. All are counted where a tenth of the program or more
 * is in windows, which cost more than the counting. The factors of windows are known then, and
 * intervals are about half as wide (docs/design/sampling.md), except where allocations tell as much
 * (frontends/native/sampling/between_windows.c). Where less is in windows, only the
 * first references are counted, because short programs have few windows. Where windows are so rare
 * that they cost next to nothing, none are counted. For an attached program all are counted: its
 * calls are bound already, so its allocations and unloaded code would be missed in native code.
 */
static const char *counted_of(const struct ms_launch_options *options, struct ms_arena *arena)
{
	static const unsigned long long head = 100 * 1000 * 1000;
	static const double rarest = 1.0 / 20, all_counted = 1.0 / 10 - 1e-6;
	const struct ms_stream_sampling *sampling = options->sampling;
	/* For tests: so many; and so many at least where allocations decide. */
	const char *other = getenv("MEMSPY_NATIVE_COUNTED");
	const char *least = getenv("MEMSPY_NATIVE_COUNTED_LEAST");

	if (options->attach != 0)
		return ms_arena_printf(arena, ",counted=%llu,halved=%u", all, sampling->halved);
	if (sampling->ratio < rarest || sampling->sets.every > 1 ||
	    ms_stream_sampling_is_planned(sampling) || options->machine->processors > 1 ||
	    options->start_stopped || options->timer == MS_LAUNCH_TIMER_ON)
		return "";
	if (other == NULL && sampling->ratio >= all_counted)
		return ms_arena_printf(arena, ",counted=%llu,least=%llu,halved=%u", all,
				       least != NULL ? strtoull(least, NULL, 10) : head,
				       sampling->halved);
	return ms_arena_printf(arena, ",counted=%llu,halved=%u",
			       other != NULL ? strtoull(other, NULL, 10) : head, sampling->halved);
}

/* Of an attached program all references are counted: it does not run natively. */
static const char *native_samples_of(const struct ms_launch_options *options,
				     struct ms_arena *arena)
{
	enum { SHORTEST = 1000000, PARTS = 1000000 }; /* ns */

	if (options->timer == MS_LAUNCH_TIMER_OFF || options->attach != 0)
		return "";
	return ms_arena_printf(arena, ",between=%d,wish=%u", SHORTEST,
			       (unsigned)(MS_LAUNCH_NATIVE_SAMPLES_OVERHEAD * PARTS));
}

static const char *windows_of(const struct ms_launch_options *options, struct ms_arena *arena)
{
	const struct ms_stream_sampling *sampling = options->sampling;

	if (sampling == NULL)
		return "";
	if (sampling->ratio >= 1)
		return ms_arena_printf(arena, ",period=%llu,window=%llu%s", all, all,
				       groups_of(sampling, arena));
	return ms_arena_printf(
		arena, ",period=%llu,window=%llu,seed=%llu,head=%llu%s%s%s%s",
		(unsigned long long)((double)sampling->window / sampling->ratio),
		(unsigned long long)sampling->window, (unsigned long long)sampling->seed,
		(unsigned long long)sampling->head,
		ms_stream_sampling_is_planned(sampling) ? ",paced" : "", groups_of(sampling, arena),
		counted_of(options, arena), native_samples_of(options, arena));
}

/* ",own=T;0;-1;-1;48;name" of each private allocator's function: see
 * ms_launch_private_alloc_option(). */
static const char *own_words(const struct ms_launch_options *options, struct ms_arena *arena)
{
	const char *words = "";

	for (const char *const *own = options->own_calls; own != NULL && *own != NULL; own++) {
		char *text = ms_arena_strdup(arena, *own + strlen("--own="));

		for (char *c = text; *c != '\0'; c++)
			if (*c == ',')
				*c = ';';
		words = ms_arena_printf(arena, "%s,own=%s", words, text);
	}
	return words;
}

/* The runtime's options: read_config() in frontends/native/runtime/config.c parses them. */
const char *ms_launch_native_options(const struct ms_launch_options *options, int stream_fd,
				     int log_fd, const char *collector, struct ms_arena *arena)
{
	/* For measuring what the runtime itself costs: "quiet" without telling of allocations. */
	const char *idle = getenv("MEMSPY_NATIVE_IDLE");
	/* For tests: its code cache is that many times by half smaller. */
	const char *less = getenv("MEMSPY_NATIVE_CACHE");
	/* For tests: only so many threads get an alternate stack for memspy's signals. */
	const char *stacks = getenv("MEMSPY_NATIVE_ALTSTACKS");
	const char *words = ms_arena_printf(arena, "stream=%d,log=%d%s%s", stream_fd, log_fd,
					    hardware_settings(options->hardware, arena),
					    windows_of(options, arena));

	if (options->start_stopped)
		words = ms_arena_printf(arena, "%s,stopped", words);
	if (idle != NULL)
		words = ms_arena_printf(arena, "%s,%s", words,
					strcmp(idle, "quiet") == 0 ? "quiet" : "idle");
	if (options->machine->processors > 1)
		words = ms_arena_printf(arena, "%s,split", words);
	else if (options->several != NULL)
		words = ms_arena_printf(arena, "%s,threads-split", words);
	if (less != NULL)
		words = ms_arena_printf(arena, "%s,cache=%s", words, less);
	if (stacks != NULL)
		words = ms_arena_printf(arena, "%s,altstacks=%s", words, stacks);
	words = ms_arena_printf(arena, "%s%s", words, own_words(options, arena));
	if (options->stack_table != NULL)
		words = ms_arena_printf(arena, "%s,frames=%s", words, options->stack_table);
	if (collector != NULL)
		words = ms_arena_printf(arena, "%s,%s=%s", words,
					options->follow ? "collector" : "execs", collector);
	return words;
}

/*
 * The program's stack begins below its environment. Its address must be the same in all runs,
 * independently of the options. So the options are padded to a fixed length with an unused word.
 */
static const char *as_long(const char *settings, struct ms_arena *arena)
{
	enum { ROOM = 1024 };
	size_t n = strlen(settings) + strlen(",room=");

	return ms_arena_printf(arena, "%s,room=%0*d", settings, (int)(ROOM - n % ROOM), 0);
}

/* For the runtime's start (frontends/native/runtime/config.c), which takes both away again. */
static void set_environment(const struct ms_launch_options *options, const char *object,
			    int stream_fd, int log_fd, const char *collector,
			    struct ms_arena *arena)
{
	const char *before = getenv("LD_PRELOAD");
	bool is_set = before != NULL && before[0] != '\0';

	setenv("LD_PRELOAD",
	       ms_arena_printf(arena, "%s%s%s", object, is_set ? ":" : "", is_set ? before : ""),
	       1);
	setenv("MEMSPY_NATIVE",
	       as_long(ms_launch_native_options(options, stream_fd, log_fd, collector, arena),
		       arena),
	       1);
}

static MS_NORETURN void become(const char *path, char *const *argv, int stream_fd, int log_fd)
{
	ms_launch_wait_restore_in_child();
	/* Runs can be repeated: the same addresses, the same conflicts. Where it is not allowed,
	 * they vary. */
	personality(ADDR_NO_RANDOMIZE | (unsigned)personality(0xffffffff));
	fcntl(stream_fd, F_SETFD, 0);
	fcntl(log_fd, F_SETFD, 0);
	execve(path, argv, environ);
	_exit(125);
}

/* The child waits until it is let go; if memspy dies meanwhile, it ends. */
static void wait_at(const int gate[2])
{
	char go;

	close(gate[1]);
	if (read(gate[0], &go, 1) != 1)
		_exit(125);
}

/* The source of samples must be attached before the program starts. */
static int let_go(pid_t pid, const int gate[2], const struct ms_launch_before_exec *before,
		  struct ms_err *err)
{
	int code = before != NULL ? before->call(pid, before->arg, err) : MS_OK;

	close(gate[0]);
	if (code == MS_OK && write(gate[1], "g", 1) != 1)
		code = ms_fail_errno(err, "cannot start the program");
	close(gate[1]);
	if (code != MS_OK)
		waitpid(pid, NULL, 0);
	return code;
}

int ms_launch_native(struct ms_launch_process *launch, const struct ms_launch_options *options,
		     const char *path, int stream_fd, const char *collector,
		     const struct ms_launch_before_exec *before, struct ms_err *err)
{
	struct ms_arena arena = MS_ARENA_INIT;
	const char *object = ms_arena_printf(&arena, "%s/memspy-native.so", options->frontend_dir);
	int code = MS_OK, gate[2];

	if (access(object, R_OK) != 0) {
		code = ms_fail(err, MS_EMISSING,
			       "%s: memspy's native front-end is missing; build it (make) or "
			       "install memspy again",
			       object);
		ms_arena_free(&arena);
		return code;
	}
	launch->log_fd = ms_launch_native_log();
	if (launch->log_fd < 0)
		code = ms_fail_errno(err, "cannot make a file for the front-end's messages");
	if (code == MS_OK && pipe2(gate, O_CLOEXEC) != 0)
		code = ms_fail_errno(err, "cannot make a pipe");
	if (code == MS_OK) {
		launch->pid = fork();
		if (launch->pid == 0) {
			set_environment(options, object, stream_fd, launch->log_fd, collector,
					&arena);
			wait_at(gate);
			become(path, options->argv, stream_fd, launch->log_fd);
		}
		code = launch->pid < 0 ? ms_fail_errno(err, "cannot start a process")
				       : let_go(launch->pid, gate, before, err);
	}
	ms_arena_free(&arena);
	return code;
}
