/*
 * launch/unfollowable.c - counts processes that execute programs which the native front-end cannot
 * follow. A process that is about to execute a program, or has created a process that did, notifies
 * the keeper. A program that can be followed requests a stream. Programs that have not done so when
 * all processes have ended ran untraced.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/process_stat.h"
#include "launch/launch.h"
#include "launch/unfollowable.h"

enum { MOST_REPORTED = 10000 }; /* of one stream, which a program may have written into */

static struct ms_launch_unfollowable_process *process_of(struct ms_launch_unfollowable *u,
							 pid_t pid)
{
	for (size_t i = 0; i < u->processes.n; i++)
		if (u->processes.at[i].pid == pid)
			return &u->processes.at[i];
	*ms_vec_add(&u->processes) = (struct ms_launch_unfollowable_process){ .pid = pid };
	return &u->processes.at[u->processes.n - 1];
}

void ms_launch_unfollowable_execs(struct ms_launch_unfollowable *u, pid_t pid, const char *path)
{
	struct ms_launch_unfollowable_process *p = process_of(u, pid);
	char from[64 + MS_WIRE_MAX_TEXT];

	if (path[0] == '\0') {
		p->times--;
		return;
	}
	if (path[0] == '/')
		snprintf(from, sizeof(from), "%s", path);
	else
		snprintf(from, sizeof(from), "/proc/%d/cwd/%s", (int)pid, path);
	p->times++;
	p->why = access(from, F_OK) == 0 ? ms_launch_why_not_native(from)
					 : "it had ended before it could be looked at";
}

void ms_launch_unfollowable_requested(struct ms_launch_unfollowable *u, pid_t pid)
{
	process_of(u, pid)->times--; /* perhaps before the notification arrives */
}

/* NUL: it has ended, or its state cannot be read. */
static char state_of(pid_t pid)
{
	char text[512];
	const char *stat = ms_process_stat(pid, text, sizeof(text));

	return stat != NULL ? stat[0] : '\0';
}

/* Whether its environment names the socket. A program that was just executed may have no
 * environment yet. */
static bool knows(pid_t pid, const char *name)
{
	char path[64], *text = NULL;
	size_t room = 0;
	bool empty = true, found = false;

	snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return false;
	while (!found && getdelim(&text, &room, '\0', file) > 0) {
		empty = false;
		found = strncmp(text, "MEMSPY_NATIVE=", 14) == 0 && strstr(text, name) != NULL;
	}
	free(text);
	fclose(file);
	return found || empty;
}

bool ms_launch_unfollowable_awaits(const struct ms_launch_unfollowable *u, const char *name)
{
	for (size_t i = 0; i < u->processes.n; i++) {
		const struct ms_launch_unfollowable_process *p = &u->processes.at[i];

		if (p->times > 0 && p->why == NULL && strchr("ZX", state_of(p->pid)) == NULL &&
		    knows(p->pid, name))
			return true;
	}
	return false;
}

void ms_launch_unfollowable_send(const struct ms_launch_unfollowable *u, int control)
{
	for (size_t i = 0; i < u->processes.n; i++) {
		const struct ms_launch_unfollowable_process *p = &u->processes.at[i];
		struct ms_launch_follow_record record = { .pid = p->pid, .refused = true };

		snprintf(record.why, sizeof(record.why), "%s",
			 p->why != NULL ? p->why : "its environment is not memspy's");
		for (int64_t k = 0; k < p->times; k++)
			send(control, &record, sizeof(record), MSG_NOSIGNAL);
	}
}

void ms_launch_unfollowable_result(const struct ms_launch_follow_record *record, struct ms_run *run)
{
	if (!record->refused)
		return;
	for (size_t i = 0; i < run->untraced.n; i++) {
		struct ms_run_untraced *row = &run->untraced.at[i];

		if (row->who == MS_WHO_CHILD && strcmp(row->reason, record->why) == 0) {
			row->times++;
			return;
		}
	}
	*ms_vec_add(&run->untraced) =
		(struct ms_run_untraced){ ms_arena_strdup(&run->arena, record->why), MS_WHO_CHILD,
					  1, 0 };
}

/* --- processes that cannot reach memspy's socket --- */

static uint32_t count_unreached(const struct ms_wire_stream *stream, unsigned i,
				struct ms_launch_follow_record *record)
{
	static const char *const why[2] = { "memspy cannot be reached from where it runs",
					    "memspy cannot be reached from its network namespace" };
	uint32_t n = __atomic_load_n(&stream->unreached[i], __ATOMIC_SEQ_CST);

	record->refused = true;
	snprintf(record->why, sizeof(record->why), "%s", why[i]);
	return n < MOST_REPORTED ? n : MOST_REPORTED;
}

void ms_launch_unfollowable_unreached(const struct ms_wire_stream *stream, struct ms_run *run)
{
	struct ms_launch_follow_record record = { 0 };

	for (unsigned i = 0; i < 2; i++)
		for (uint32_t n = count_unreached(stream, i, &record); n > 0; n--)
			ms_launch_unfollowable_result(&record, run);
}

void ms_launch_unfollowable_send_unreached(const struct ms_wire_stream *stream, pid_t pid,
					   int control)
{
	struct ms_launch_follow_record record = { .pid = pid };

	for (unsigned i = 0; i < 2; i++)
		for (uint32_t n = count_unreached(stream, i, &record); n > 0; n--)
			send(control, &record, sizeof(record), MSG_NOSIGNAL);
}
