/*
 * lane_page.c - maps the lane's page of the stream a second time, directly before the thread's own
 * data (struct ms_runtime_thread), where generated code finds the cursor.
 */
#include "runtime/lane_page.h"

#include "raw_syscall.h"
#include "runtime/thread_state.h"
#include "wire/wire.h"

/* The stream's file, kept open only where mapped memory cannot be mapped again (emulators). */
static int kept_fd = -1;

bool ms_runtime_map_lane_page(struct ms_runtime_thread *t, const struct ms_wire_stream *stream,
			      struct ms_wire_lane *lane)
{
	/* With length 0: maps the same memory again. */
	long at = ms_runtime_syscall(SYS_mremap, (long)lane, 0, MS_RUNTIME_PAGE_BYTES,
				     3 /* may move, fixed */, (long)t, 0);

	if (at != (long)t && kept_fd >= 0)
		at = ms_runtime_syscall(SYS_mmap, (long)t, MS_RUNTIME_PAGE_BYTES, 3,
					0x11 /* shared, fixed */, kept_fd,
					(long)lane - (long)stream);
	return at == (long)t;
}

bool ms_runtime_map_first_lane_page(struct ms_runtime_thread *t,
				    const struct ms_wire_stream *stream, struct ms_wire_lane *lane,
				    int fd)
{
	enum { DUPLICATE = 1030, FROM = 700 }; /* F_DUPFD_CLOEXEC; out of the program's range */

	if (ms_runtime_map_lane_page(t, stream, lane))
		return true;
	kept_fd = (int)ms_runtime_syscall(__NR_fcntl, fd, DUPLICATE, FROM, 0, 0, 0);
	return ms_runtime_map_lane_page(t, stream, lane);
}

void ms_runtime_unmap_lane_page(struct ms_runtime_thread *t)
{
	ms_runtime_syscall(SYS_mmap, (long)t, MS_RUNTIME_PAGE_BYTES, 3,
			   0x32 /* private, anonymous, fixed */, -1, 0);
}

void ms_runtime_close_stream_file(void)
{
	if (kept_fd >= 0)
		ms_runtime_syscall(SYS_close, kept_fd, 0, 0, 0, 0, 0);
	kept_fd = -1;
}
