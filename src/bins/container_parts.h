/*
 * bins/container_parts.h - the parts of containers of the C++ and Rust libraries, which allocate
 * several kinds of blocks: nodes, buckets, elements that allocate themselves.
 */
#ifndef MS_BINS_CONTAINER_PARTS_H
#define MS_BINS_CONTAINER_PARTS_H

#include <stdbool.h>

/* The part that this function of the library allocates; NULL: none. */
const char *ms_bins_container_part(const char *function);
/* The part that an element of this type is, whose memory a closure has returned; NULL: none. */
const char *ms_bins_part_of_type(const char *type);
/*
 * Whether the part is all that an object of this type allocates: its name says so already.
 * function: the one that showed the part; object: the variable is the container, not a pointer to
 * it.
 */
bool ms_bins_is_whole_container(const char *part, const char *function, const char *type,
				bool object);

#endif
