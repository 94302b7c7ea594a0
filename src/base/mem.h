/*
 * base/mem.h - the one door to memory.
 *
 * Running out of memory is not an error that a caller can mend: the hook (set by cli/) says so
 * and ends the process. Everything else therefore never sees NULL.
 */
#ifndef MS_BASE_MEM_H
#define MS_BASE_MEM_H

#include <stddef.h>

/* Called with the wanted size when memory is out; must not return. Default: abort(). */
extern void (*ms_out_of_memory)(size_t wanted);

void *ms_alloc(size_t size);              /* zeroed */
void *ms_realloc(void *old, size_t size); /* new bytes are not zeroed */
char *ms_strdup(const char *text);
char *ms_strndup(const char *text, size_t n);
void ms_free(void *p);

/* Whole pages straight from the system, zeroed on first touch: for large sparse tables. */
void *ms_pages_alloc(size_t size);
/* Likewise, for tables that are used all over: in large pages where there are any, which take a
 * fraction of the time to be made. */
void *ms_pages_alloc_dense(size_t size);
/* Likewise, for tables that are read and written all over at once: all of it is there when this
 * returns. A page that is read before it is written is made twice otherwise. */
void *ms_pages_alloc_full(size_t size);
void ms_pages_free(void *p, size_t size);

#endif
