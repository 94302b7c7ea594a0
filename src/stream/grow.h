/* stream/grow.h - files that are memory only, and as large as is needed. */
#ifndef MS_STREAM_GROW_H
#define MS_STREAM_GROW_H

#include <stdint.h>

/*
 * Gives a memory file this size. A limit on files (ulimit -f) is meant for what lies on a disk, but
 * counts here too: the soft one is lifted meanwhile and is as before afterwards. -1 and errno:
 * EFBIG where the hard one is too low.
 */
int ms_grow(int fd, uint64_t bytes);

#endif
