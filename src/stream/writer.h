/* stream/writer.h - the writer's end of a ring inside the memspy process: for traces and merge.c.
 */
#ifndef MS_STREAM_WRITER_H
#define MS_STREAM_WRITER_H

#include "stream/ring.h"

/* Waits for room and returns the address for the next chunk; NULL: the readers have gone. */
uint64_t *ms_stream_ring_room(struct ms_stream_ring *ring);
/* Waits until everything that was handed over is read, or the readers have gone. */
void ms_stream_ring_wait_read(struct ms_stream_ring *ring);
/* Hands over the chunk of ms_stream_ring_room(), with n words. */
void ms_stream_ring_publish(struct ms_stream_ring *ring, size_t n);
/* Likewise, if its index is filled in already. */
void ms_stream_ring_hand_over(struct ms_stream_ring *ring, size_t n);

#endif
