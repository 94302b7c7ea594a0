/* lane_page.h - maps the page of a lane as the first page of a thread: see lane_page.c. */
#ifndef MS_NATIVE_RUNTIME_LANE_PAGE_H
#define MS_NATIVE_RUNTIME_LANE_PAGE_H

#include <stdbool.h>

#include "wire/wire.h"

struct ms_runtime_thread;

/* The first page of this stream, whose file is still open; false: it cannot be mapped. */
bool ms_runtime_map_first_lane_page(struct ms_runtime_thread *t,
				    const struct ms_wire_stream *stream, struct ms_wire_lane *lane,
				    int fd);
/* Other pages of the stream. */
bool ms_runtime_map_lane_page(struct ms_runtime_thread *t, const struct ms_wire_stream *stream,
			      struct ms_wire_lane *lane);
/* Replaces the page by private memory. */
void ms_runtime_unmap_lane_page(struct ms_runtime_thread *t);
/* The stream does not belong to this process any more. */
void ms_runtime_close_stream_file(void);

#endif
