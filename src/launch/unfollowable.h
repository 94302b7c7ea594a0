/* launch/unfollowable.h - processes that may be unable to request a stream. */
#ifndef MS_LAUNCH_UNFOLLOWABLE_H
#define MS_LAUNCH_UNFOLLOWABLE_H

#include "launch/follow_children.h"

struct ms_launch_unfollowable_process {
	pid_t pid;
	int64_t times;   /* executed programs, less requests for a stream */
	const char *why; /* the last program cannot be followed; NULL: it can */
};
struct ms_launch_unfollowable {
	MS_VEC(struct ms_launch_unfollowable_process) processes;
};
/* path: the program that the process is about to execute; "": it has not executed it. */
void ms_launch_unfollowable_execs(struct ms_launch_unfollowable *unseen, pid_t pid,
				  const char *path);
void ms_launch_unfollowable_requested(struct ms_launch_unfollowable *unseen, pid_t pid);
/* Whether a process is still expected at the socket of this name: it has executed a program, which
 * has not requested its stream yet. */
bool ms_launch_unfollowable_awaits(const struct ms_launch_unfollowable *unseen, const char *name);
/* After all have ended: sends a record for each program that has not requested a stream. */
void ms_launch_unfollowable_send(const struct ms_launch_unfollowable *unseen, int control);
void ms_launch_unfollowable_result(const struct ms_launch_follow_record *record,
				   struct ms_run *run);
/* Processes that could not reach the socket, as the stream's writer has counted them: become rows
 * of the run, or are sent as a record each. */
struct ms_wire_stream;
void ms_launch_unfollowable_unreached(const struct ms_wire_stream *stream, struct ms_run *run);
void ms_launch_unfollowable_send_unreached(const struct ms_wire_stream *stream, pid_t pid,
					   int control);

#endif
