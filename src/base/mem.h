/*
 * base/mem.h - the only interface to memory allocation.
 *
 * A caller cannot recover from a lack of memory. So the hook (set by cli/) reports it and ends the
 * process, and callers never see NULL.
 */
#ifndef MS_BASE_MEM_H
#define MS_BASE_MEM_H

#include <stddef.h>

/* Called with the requested size if memory is exhausted; must not return. Default: abort(). */
extern void (*ms_out_of_memory)(size_t wanted);

void *ms_alloc(size_t size);              /* zeroed */
void *ms_realloc(void *old, size_t size); /* new bytes are not zeroed */
char *ms_strdup(const char *text);
char *ms_strndup(const char *text, size_t n);
void ms_free(void *p);

/* Whole pages from the kernel, zeroed on first access: for large sparse tables. A table that is
 * smaller than a page begins at a multiple of 128 bytes. */
void *ms_pages_alloc(size_t size);
/*
 * Likewise, for tables of which all parts are used: in large pages if available, which take a
 * fraction of the time to allocate.
 */
void *ms_pages_alloc_dense(size_t size);
/*
 * Likewise, for tables of which all parts are read and written at once: all pages are allocated
 * when this returns. Otherwise a page that is read before it is written faults twice.
 */
void *ms_pages_alloc_full(size_t size);
void ms_pages_free(void *p, size_t size);

#endif
