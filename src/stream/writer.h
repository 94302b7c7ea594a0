/* stream/writer.h - the writer's end of a ring inside the memspy process: for traces and merge.c.
 */
#ifndef MS_STREAM_WRITER_H
#define MS_STREAM_WRITER_H

#include "stream/ring.h"

/* Where the next chunk may be written, once there is room; NULL: nobody reads any more. */
uint64_t *ms_ring_room(struct ms_ring *ring);
/* Waits until all that was handed over has been read, or nobody reads any more. */
void ms_ring_wait_read(struct ms_ring *ring);
/* Hands over the chunk that ms_ring_room() gave, with n words. */
void ms_ring_publish(struct ms_ring *ring, size_t n);
/* Likewise, when its index is filled in already. */
void ms_ring_hand_over(struct ms_ring *ring, size_t n);

#endif
