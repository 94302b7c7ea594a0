/*
 * config.c - reads the configuration from the environment of the program, MEMSPY_NATIVE, and
 * removes memspy's variables from it.
 */
#include "runtime/config.h"

#include "raw_syscall.h"
#include "runtime/hooks.h"
#include "runtime/libc_substitutes.h"
#include "runtime/runtime.h"
#include "runtime/thread_state.h"

struct ms_runtime_config ms_runtime_config = {
	.stream_fd = -1, .log_fd = -1, .maps_fd = -1, .atomics_twice = true
};
/* Alone in its page: a child whose fork was not noticed finds 0 there. */
uint32_t ms_runtime_state_page[MS_RUNTIME_PAGE_BYTES / 4] __attribute__((aligned(4096)));

static const char *next_word(const char *text, char between)
{
	while (*text != '\0' && *text != between)
		text++;
	return *text == between ? text + 1 : text;
}

static uint64_t parse_number(const char *text)
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

/* "6:00ff...": the number of address bits below a group's number, then which groups are sampled,
 * four to a digit, the first ones in the first. */
static void read_groups(const char *text)
{
	ms_runtime_config.group_shift = (uint32_t)parse_number(text);
	text = next_word(text, ':');
	for (; *text != '\0' && *text != ',' &&
	       ms_runtime_config.set_groups < MS_RUNTIME_MAX_SET_GROUPS;
	     text++) {
		uint32_t bits = (uint32_t)(*text <= '9' ? *text - '0' : *text - 'a' + 10);

		ms_runtime_config.sampled_groups[ms_runtime_config.set_groups / 8] |=
			(uint8_t)(bits << ms_runtime_config.set_groups % 8);
		ms_runtime_config.set_groups += 4;
	}
}

/* A file of another process: "/proc/PROCESS/fd/NUMBER". */
static int open_file_of(const char *process, int number)
{
	enum { HERE = -100, READ_WRITE_CLOEXEC = 02000002 };
	char path[64] = "/proc/";
	size_t n = 6;

	while (*process >= '0' && *process <= '9' && n < 24)
		path[n++] = *process++;
	ms_runtime_copy_bytes(path + n, "/fd/", 4);
	n += 4;
	n += ms_runtime_format_number(path + n, (uint64_t)number, 10);
	path[n] = '\0';
	return (int)ms_runtime_syscall(__NR_openat, HERE, (long)path, READ_WRITE_CLOEXEC, 0, 0, 0);
}

/* "stream=5,log=6,idle,..." */
static void read_config(const char *text)
{
	for (; *text != '\0'; text = next_word(text, ',')) {
		if (ms_runtime_has_prefix(text, "stream=")) {
			ms_runtime_config.stream_fd = (int)parse_number(text + 7);
		} else if (ms_runtime_has_prefix(text, "log=")) {
			ms_runtime_config.log_fd = (int)parse_number(text + 4);
		} else if (ms_runtime_has_prefix(text, "idle")) {
			ms_runtime_config.no_tracing = true;
		} else if (ms_runtime_has_prefix(text, "quiet")) {
			ms_runtime_config.no_tracing = ms_runtime_config.no_allocs = true;
		} else if (ms_runtime_has_prefix(text, "sample=")) {
			ms_runtime_config.sample_interval = parse_number(text + 7);
		} else if (ms_runtime_has_prefix(text, "between=")) {
			ms_runtime_config.native_sample_interval = parse_number(text + 8);
		} else if (ms_runtime_has_prefix(text, "wish=")) {
			ms_runtime_config.max_overhead_ppm = parse_number(text + 5);
		} else if (ms_runtime_has_prefix(text, "tell=")) {
			ms_runtime_config.max_alloc_overhead_ppm = parse_number(text + 5);
		} else if (ms_runtime_has_prefix(text, "seed=")) {
			ms_runtime_config.seed = parse_number(text + 5);
		} else if (ms_runtime_has_prefix(text, "split")) {
			ms_runtime_config.lane_per_thread = true;
			ms_runtime_config.atomics_twice = false;
		} else if (ms_runtime_has_prefix(text, "threads-split")) {
			ms_runtime_config.lanes_with_threads = true;
		} else if (ms_runtime_has_prefix(text, "stopped")) {
			ms_runtime_config.start_stopped = true;
		} else if (ms_runtime_has_prefix(text, "period=")) {
			ms_runtime_config.period = parse_number(text + 7);
		} else if (ms_runtime_has_prefix(text, "groups=")) {
			read_groups(text + 7);
		} else if (ms_runtime_has_prefix(text, "window=")) {
			ms_runtime_config.window = parse_number(text + 7);
		} else if (ms_runtime_has_prefix(text, "head=")) {
			ms_runtime_config.head_refs = parse_number(text + 5);
		} else if (ms_runtime_has_prefix(text, "counted=")) {
			ms_runtime_config.counted_refs = parse_number(text + 8);
		} else if (ms_runtime_has_prefix(text, "least=")) {
			ms_runtime_config.counted_least = parse_number(text + 6);
		} else if (ms_runtime_has_prefix(text, "paced")) {
			ms_runtime_config.plan_may_change = true;
		} else if (ms_runtime_has_prefix(text, "halved=")) {
			ms_runtime_config.halved_windows = (uint32_t)parse_number(text + 7);
		} else if (ms_runtime_has_prefix(text, "cache=")) {
			ms_runtime_config.cache_halvings = (uint32_t)parse_number(text + 6);
		} else if (ms_runtime_has_prefix(text, "altstacks=")) {
			ms_runtime_config.max_altstacks = (uint32_t)parse_number(text + 10);
		} else if (ms_runtime_has_prefix(text, "times")) {
			ms_runtime_config.wants_times = true;
		} else if (ms_runtime_has_prefix(text, "from=")) {
			ms_runtime_config.stream_fd =
				open_file_of(text + 5, ms_runtime_config.stream_fd);
			ms_runtime_config.log_fd = open_file_of(text + 5, ms_runtime_config.log_fd);
		} else if (ms_runtime_has_prefix(text, "own=")) {
			ms_native_hooks.private_allocator_named(text + 4);
		} else if (ms_runtime_has_prefix(text, "frames=")) {
			ms_native_hooks.stack_table_given(text + 7);
		} else if (ms_runtime_has_prefix(text, "collector=")) {
			ms_runtime_config.follow_children = true;
			copy_name(ms_runtime_config.collector, sizeof(ms_runtime_config.collector),
				  text + 10);
		} else if (ms_runtime_has_prefix(text, "execs=")) {
			ms_runtime_config.follow_execs = true;
			copy_name(ms_runtime_config.collector, sizeof(ms_runtime_config.collector),
				  text + 6);
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

/* A copy of the text up to this character; NULL: out of memory. */
static const char *copy_until(const char *text, char end)
{
	size_t n = 0;

	while (text[n] != '\0' && text[n] != end)
		n++;
	char *copy = ms_runtime_map_pages(n + 1);
	if (copy != NULL)
		ms_runtime_copy_bytes(copy, text, n); /* zeros follow */
	return copy;
}

static void read_options(char **at)
{
	read_config(*at + 14);
	if (ms_runtime_config.follow_children || ms_runtime_config.follow_execs)
		keep_for_children(*at + 14);
	if (ms_runtime_config.follow_execs)
		ms_runtime_config.exec_options = copy_until(*at, '\0');
}

bool ms_runtime_read_environment(char **env)
{
	bool found = false;

	for (char **at = env; *at != NULL && !found; at++)
		if (ms_runtime_has_prefix(*at, "MEMSPY_NATIVE=")) {
			read_options(at);
			found = true;
			if (!ms_runtime_config.follow_children)
				remove_at(at--);
		}
	for (char **at = env; found && !ms_runtime_config.follow_children && *at != NULL; at++)
		if (ms_runtime_has_prefix(*at, "LD_PRELOAD=")) {
			if (ms_runtime_config.follow_execs)
				ms_runtime_config.exec_preload = copy_until(*at, ':');
			restore_preload(at);
			break;
		}
	ms_runtime_config.follow_execs &=
		ms_runtime_config.exec_options != NULL && ms_runtime_config.exec_preload != NULL;
	return found;
}
