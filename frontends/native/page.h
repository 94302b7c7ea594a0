/* page.h - the page of a lane in front of a thread: see page.c. */
#ifndef MS_NATIVE_PAGE_H
#define MS_NATIVE_PAGE_H

#include <stdbool.h>

#include "stream/wire.h"

struct ms_thread;

/* The first of this stream, whose file is open still; false: it cannot be. */
bool ms_page_map_first(struct ms_thread *t, const struct ms_wire_stream *stream,
		       struct ms_wire_lane *lane, int fd);
/* Others of it. */
bool ms_page_map(struct ms_thread *t, const struct ms_wire_stream *stream,
		 struct ms_wire_lane *lane);
/* Private memory takes its place. */
void ms_page_leave(struct ms_thread *t);
/* The stream is not this process's any more. */
void ms_page_forget(void);

#endif
