/*
 * start.c - how the runtime enters a program and how it leaves it.
 *
 * memspy adds this object's path to the front of LD_PRELOAD, and sets MEMSPY_NATIVE. Both are
 * restored before any code of the program sees them, so that neither the program nor its children
 * notice. If children are followed, they must find both, and both stay. This object's constructor
 * is the first of all (-z initfirst).
 */
#include "altstack.h"
#include "heap/heap.h"
#include "interpose/interpose.h"
#include "link.h"
#include "maps/maps.h"
#include "runtime.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "sample.h"
#include "sys.h"
#include "syscalls/syscalls.h"
#include "thin.h"
#include "timed.h"
#include "timer.h"
#include "tracer.h"
#include "tracer/block_descriptions.h"
#include "wire/wire.h"

struct ms_config ms_config = { .stream_fd = -1, .log_fd = -1, .maps_fd = -1 };
/* Alone in its page: a child whose fork was not noticed finds 0 there. */
uint32_t ms_on_page[MS_PAGE / 4] __attribute__((aligned(4096)));

/* --- the environment --- */

static const char *next_word(const char *text, char between)
{
	while (*text != '\0' && *text != between)
		text++;
	return *text == between ? text + 1 : text;
}

static uint64_t number_in(const char *text)
{
	uint64_t n = 0;

	for (; *text >= '0' && *text <= '9'; text++)
		n = n * 10 + (uint64_t)(*text - '0');
	return n;
}

static void copy_name(char *to, size_t room, const char *from)
{
	size_t n = 0;

	for (; from[n] != '\0' && from[n] != ',' && n + 1 < room; n++)
		to[n] = from[n];
	to[n] = '\0';
}

/* From the start of the program: what existed before has no time. */
static bool wants_times;

/* "6:00ff...": the number of address bits below a group's number, then which groups are sampled,
 * four to a digit, the first ones in the first. */
static void read_groups(const char *text)
{
	ms_config.group_shift = (uint32_t)number_in(text);
	text = next_word(text, ':');
	for (; *text != '\0' && *text != ',' && ms_config.groups < MS_MOST_GROUPS; text++) {
		uint32_t bits = (uint32_t)(*text <= '9' ? *text - '0' : *text - 'a' + 10);

		ms_config.group_seen[ms_config.groups / 8] |=
			(uint8_t)(bits << ms_config.groups % 8);
		ms_config.groups += 4;
	}
}

/* A file of another process: "/proc/PROCESS/fd/NUMBER". */
static int file_of(const char *process, int number)
{
	enum { HERE = -100, READ_WRITE_CLOEXEC = 02000002 };
	char path[64] = "/proc/";
	size_t n = 6;

	while (*process >= '0' && *process <= '9' && n < 24)
		path[n++] = *process++;
	ms_copy(path + n, "/fd/", 4);
	n += 4;
	n += ms_put_number(path + n, (uint64_t)number, 10);
	path[n] = '\0';
	return (int)ms_sys(__NR_openat, HERE, (long)path, READ_WRITE_CLOEXEC, 0, 0, 0);
}

/* "stream=5,log=6,idle,..." */
static void read_config(const char *text)
{
	for (; *text != '\0'; text = next_word(text, ',')) {
		if (ms_runtime_has_prefix(text, "stream=")) {
			ms_config.stream_fd = (int)number_in(text + 7);
		} else if (ms_runtime_has_prefix(text, "log=")) {
			ms_config.log_fd = (int)number_in(text + 4);
		} else if (ms_runtime_has_prefix(text, "idle")) {
			ms_config.idle = true;
		} else if (ms_runtime_has_prefix(text, "quiet")) {
			ms_config.idle = ms_config.quiet = true;
		} else if (ms_runtime_has_prefix(text, "sample=")) {
			ms_config.sample = number_in(text + 7);
		} else if (ms_runtime_has_prefix(text, "wish=")) {
			ms_config.wish = number_in(text + 5);
		} else if (ms_runtime_has_prefix(text, "tell=")) {
			ms_config.tell = number_in(text + 5);
		} else if (ms_runtime_has_prefix(text, "seed=")) {
			ms_config.seed = number_in(text + 5);
		} else if (ms_runtime_has_prefix(text, "split")) {
			ms_config.split = true;
		} else if (ms_runtime_has_prefix(text, "stopped")) {
			ms_config.start_stopped = true;
		} else if (ms_runtime_has_prefix(text, "period=")) {
			ms_config.period = number_in(text + 7);
		} else if (ms_runtime_has_prefix(text, "groups=")) {
			read_groups(text + 7);
		} else if (ms_runtime_has_prefix(text, "window=")) {
			ms_config.window = number_in(text + 7);
		} else if (ms_runtime_has_prefix(text, "head=")) {
			ms_config.head = number_in(text + 5);
		} else if (ms_runtime_has_prefix(text, "counted=")) {
			ms_config.counted = number_in(text + 8);
		} else if (ms_runtime_has_prefix(text, "least=")) {
			ms_config.counted_least = number_in(text + 6);
		} else if (ms_runtime_has_prefix(text, "paced")) {
			ms_config.paced = true;
		} else if (ms_runtime_has_prefix(text, "halved=")) {
			ms_config.halved = (uint32_t)number_in(text + 7);
		} else if (ms_runtime_has_prefix(text, "cache=")) {
			ms_config.less_cache = (uint32_t)number_in(text + 6);
		} else if (ms_runtime_has_prefix(text, "altstacks=")) {
			ms_config.altstacks = (uint32_t)number_in(text + 10);
		} else if (ms_runtime_has_prefix(text, "times")) {
			wants_times = true;
		} else if (ms_runtime_has_prefix(text, "from=")) {
			ms_config.stream_fd = file_of(text + 5, ms_config.stream_fd);
			ms_config.log_fd = file_of(text + 5, ms_config.log_fd);
		} else if (ms_runtime_has_prefix(text, "own=")) {
			ms_own_named(text + 4);
		} else if (ms_runtime_has_prefix(text, "collector=")) {
			ms_config.follow = true;
			copy_name(ms_config.collector, sizeof(ms_config.collector), text + 10);
		}
	}
}

static void remove_at(char **at)
{
	do
		at[0] = at[1];
	while (*at++ != NULL);
}

/* This object comes first in it; the previous value follows a colon. */
static void restore_preload(char **at)
{
	static const char name[] = "LD_PRELOAD=";
	const char *rest = next_word(*at, ':');
	size_t n = sizeof(name) - 1;

	if (*rest == '\0') {
		remove_at(at);
		return;
	}
	/* In place: the strings are the process's own. */
	char *to = *at + n;
	while ((*to++ = *rest++) != '\0')
		;
}

/* For executed programs: everything but the files, which are this process's. */
static void keep_for_children(char *text)
{
	char *to = text;

	for (const char *from = text; *from != '\0';) {
		const char *next = next_word(from, ',');

		if (!ms_runtime_has_prefix(from, "stream=") && !ms_runtime_has_prefix(from, "log="))
			while (from < next)
				*to++ = *from++;
		from = next;
	}
	*to = '\0';
}

static bool read_environment(char **env)
{
	bool found = false;

	for (char **at = env; *at != NULL && !found; at++)
		if (ms_runtime_has_prefix(*at, "MEMSPY_NATIVE=")) {
			read_config(*at + 14);
			found = true;
			if (ms_config.follow)
				keep_for_children(*at + 14);
			else
				remove_at(at--);
		}
	for (char **at = env; found && !ms_config.follow && *at != NULL; at++)
		if (ms_runtime_has_prefix(*at, "LD_PRELOAD=")) {
			restore_preload(at);
			break;
		}
	return found;
}

/* --- start and end --- */

static bool attach(struct ms_thread *t, bool (*attach_lane)(int fd, struct ms_thread *t))
{
	bool attached = attach_lane(ms_config.stream_fd, t);

	ms_sys(SYS_close, ms_config.stream_fd, 0, 0, 0, 0, 0);
	if (ms_config.log_fd >= 0) {
		ms_log_start(ms_config.log_fd);
		ms_sys(SYS_close, ms_config.log_fd, 0, 0, 0, 0, 0);
	}
	if (!attached)
		ms_say("memspy: the stream has a version that this front-end does not support");
	return attached;
}

/* Immediately: memspy reads the symbols of the modules while the program runs. */
static void tell_all(struct ms_thread *t)
{
	ms_maps_start(t);
	if (ms_config.maps_fd >= 0)
		ms_sys(SYS_close, ms_config.maps_fd, 0, 0, 0, 0, 0);
	ms_config.maps_fd = -1;
	ms_thread_tell(t, MS_WIRE_NO_THREAD);
	ms_lane_hand_over(t);
}

/* --- the exit status --- */

static void note_status(int status, void *unused)
{
	(void)unused;
	ms_lane_exit_code((uint32_t)status & 0xff);
}

/*
 * Memspy gets no exit status of a process that is not its child. A traced exit is seen. A process
 * that ends natively, between windows, ends through the C library's exit(), also by a return from
 * main.
 */
static void watch_exit(void)
{
	const char *object = "";
	int (*on_exit)(void (*)(int, void *), void *) = ms_link_next("on_exit", &object);

	if (on_exit != NULL && ms_runtime_has_file_name_prefix(object, "libc.so"))
		on_exit(note_status, NULL);
}

struct ms_thread *ms_runtime_start(int argc, char **argv, char **env)
{
	(void)argc;
	(void)argv;
	if (!read_environment(env) ||
	    (ms_config.stream_fd < 0 &&
	     !(ms_config.follow && ms_follow_ask(NULL, MS_WIRE_ASK_EXEC))))
		return NULL;
	ms_interpose_find_real_functions();
	ms_limits_begin();
	struct ms_thread *t = ms_thread_first();
	if (t == NULL || !attach(t, ms_lane_attach)) {
		ms_limits_begun();
		return NULL;
	}
	tell_all(t);
	if (ms_config.follow) {
		watch_exit();
		ms_follow_start();
	}
	ms_config.times = wants_times;
	ms_sys(__NR_madvise, (long)ms_on_page, MS_PAGE, 18 /* MADV_WIPEONFORK */, 0, 0, 0);
	ms_on = 1;
	ms_altstack_start();
	if (ms_config.idle)
		ms_thin_start(t, ms_config.tell);
	ms_heap_switch(!ms_config.quiet);
	if (ms_config.split)
		ms_lane_split(t);
	if (ms_config.start_stopped)
		ms_lane_count(t, false);
	if (ms_config.idle) {
		if (ms_config.sample != 0)
			ms_timed_start(t);
		return NULL;
	}
	bool started = ms_tracer_start();
	ms_limits_begun();
	if (!started || !ms_altstack_make(t))
		return NULL;
	ms_tracer_thread(t);
	return ms_config.period == 0 || ms_sample_start(t) ? t : NULL;
}

static const char *more_than_one(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* Where only windows are traced, the program is untraced most of the time anyway: then this is the
 * number of windows that were cut short. */
static void say_untraced(const struct ms_tracer_stats *stats, uint32_t end, const char *why)
{
	if (ms_config.window < ms_config.period)
		ms_say("memspy: %u of the %u times that the program was traced it ran on untraced "
		       "too "
		       "soon: %s",
		       stats->ends[end], stats->windows, why);
	else
		ms_say("memspy: the program ran on untraced %u time%s: %s", stats->ends[end],
		       more_than_one(stats->ends[end]), why);
}

/* Results are never wrong; at worst a part is untraced: reports how often, and why. */
static void tell_windows(struct ms_thread *t, bool to_its_end)
{
#define TEXT(name, text) [MS_END_##name] = text,
	static const char *const why[MS_END_KINDS] = { MS_TRACER_ENDS(TEXT) };
#undef TEXT
	struct ms_tracer_stats stats;

	ms_tracer_tell(t, to_its_end, ms_thread_untraced);
	ms_tracer_count(&stats);
	for (uint32_t i = 0; i < MS_END_KINDS; i++)
		if (i != MS_END_ASKED && stats.ends[i] != 0)
			say_untraced(&stats, i, why[i]);
	if (stats.restarts != 0)
		ms_say("memspy: translated code was made anew %u time%s, as its cache was full",
		       stats.restarts, more_than_one(stats.restarts));
	ms_own_finish();
	if (ms_thread_untraced != 0)
		ms_say("memspy: %u thread%s ran untraced: too many at a time",
		       (uint64_t)ms_thread_untraced, more_than_one(ms_thread_untraced));
}

void ms_runtime_end(struct ms_thread *t, uint32_t code)
{
	const uint64_t how = MS_WIRE_END_OWN;

	if (!ms_on)
		return;
	tell_windows(t, false);
	ms_sample_finish(t);
	ms_lane_event(t, MS_WIRE_THREAD_END, t->number, &how, 1, NULL, 0);
	ms_on = 0;
	ms_lane_exit_code(code);
	ms_lane_finish(t);
}

void ms_runtime_leave(struct ms_thread *t, const char *why)
{
	if (!ms_on)
		return;
	if (!ms_config.idle)
		tell_windows(t, true);
	ms_sample_finish(t);
	ms_say("memspy: the program ran on untraced to its end: %s", why);
	ms_disguise_leave(t);
	ms_on = 0;
	ms_heap_switch(false);
	ms_lane_finish(t);
}

/* Called by any thread, with any locks held. */
void ms_runtime_abandon(const char *why)
{
	if (!ms_on)
		return;
	ms_say("memspy: the program ran on untraced to its end: %s", why);
	ms_on = 0;
	ms_lane_abandon();
}

/* The object's destructor: the process ends regularly, with a status that is unknown here. */
void ms_runtime_finish(void);
void ms_runtime_finish(void)
{
	struct ms_thread *t = ms_thread_here();

	if (t != NULL && (!t->traced || ms_config.period != 0)) {
		if (!ms_config.idle)
			tell_windows(t, false);
		ms_sample_finish(t);
		ms_on = 0;
		ms_lane_finish(t);
	}
}

/* The child's own stream begins as its parent's did. */
static void begin_again(struct ms_thread *t)
{
	ms_block_restart();
	ms_maps_restart();
	tell_all(t);
	ms_follow_restart(t);
	ms_on = 1;
	if (ms_config.split)
		ms_lane_split(t);
	ms_lane_restart(t);
	if (ms_config.period != 0)
		ms_sample_again(t);
}

void ms_runtime_forked(struct ms_thread *t)
{
	ms_on = 0;
	ms_log_end();
	ms_thread_forked(t);
	ms_lane_leave(t);
	if (ms_config.follow && !ms_lock_is_abandoned() && ms_follow_ask(t, MS_WIRE_ASK_FORK) &&
	    attach(t, ms_lane_join))
		begin_again(t);
}
