/*
 * page.c - maps the lane's page of the stream a second time, directly before the thread's own data
 * (struct ms_thread), where generated code finds the cursor.
 */
#include "page.h"

#include "runtime/thread_state.h"
#include "sys.h"
#include "wire/wire.h"

/* The stream's file, kept open only where mapped memory cannot be mapped again (emulators). */
static int kept_fd = -1;

bool ms_page_map(struct ms_thread *t, const struct ms_wire_stream *stream,
		 struct ms_wire_lane *lane)
{
	/* With length 0: maps the same memory again. */
	long at = ms_sys(SYS_mremap, (long)lane, 0, MS_PAGE, 3 /* may move, fixed */, (long)t, 0);

	if (at != (long)t && kept_fd >= 0)
		at = ms_sys(SYS_mmap, (long)t, MS_PAGE, 3, 0x11 /* shared, fixed */, kept_fd,
			    (long)lane - (long)stream);
	return at == (long)t;
}

bool ms_page_map_first(struct ms_thread *t, const struct ms_wire_stream *stream,
		       struct ms_wire_lane *lane, int fd)
{
	enum { DUPLICATE = 1030, FROM = 700 }; /* F_DUPFD_CLOEXEC; out of the program's range */

	if (ms_page_map(t, stream, lane))
		return true;
	kept_fd = (int)ms_sys(__NR_fcntl, fd, DUPLICATE, FROM, 0, 0, 0);
	return ms_page_map(t, stream, lane);
}

void ms_page_leave(struct ms_thread *t)
{
	ms_sys(SYS_mmap, (long)t, MS_PAGE, 3, 0x32 /* private, anonymous, fixed */, -1, 0);
}

void ms_page_forget(void)
{
	if (kept_fd >= 0)
		ms_sys(SYS_close, kept_fd, 0, 0, 0, 0, 0);
	kept_fd = -1;
}
