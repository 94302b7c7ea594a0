/* page.h - maps the page of a lane as the first page of a thread: see page.c. */
#ifndef MS_NATIVE_PAGE_H
#define MS_NATIVE_PAGE_H

#include <stdbool.h>

#include "wire/wire.h"

struct ms_thread;

/* The first page of this stream, whose file is still open; false: it cannot be mapped. */
bool ms_page_map_first(struct ms_thread *t, const struct ms_wire_stream *stream,
		       struct ms_wire_lane *lane, int fd);
/* Other pages of the stream. */
bool ms_page_map(struct ms_thread *t, const struct ms_wire_stream *stream,
		 struct ms_wire_lane *lane);
/* Replaces the page by private memory. */
void ms_page_leave(struct ms_thread *t);
/* The stream does not belong to this process any more. */
void ms_page_forget(void);

#endif
