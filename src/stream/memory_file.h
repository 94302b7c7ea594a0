/* stream/memory_file.h - memory files of any size. */
#ifndef MS_STREAM_MEMORY_FILE_H
#define MS_STREAM_MEMORY_FILE_H

#include <stdint.h>

/*
 * Sets the size of a memory file. A limit on the size of files (ulimit -f) is meant for files on
 * disk, but applies here, too. So the soft limit is raised during the call. Returns -1 with errno
 * EFBIG if the hard limit is too low.
 */
int ms_stream_grow_memory_file(int fd, uint64_t bytes);

#endif
