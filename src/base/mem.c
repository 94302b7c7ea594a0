#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void die(size_t wanted)
{
	(void)wanted;
	abort();
}

void (*ms_out_of_memory)(size_t wanted) = die;

void *ms_alloc(size_t size)
{
	void *p = calloc(1, size ? size : 1);

	if (p == NULL)
		ms_out_of_memory(size);
	return p;
}

void *ms_realloc(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);

	if (p == NULL)
		ms_out_of_memory(size);
	return p;
}

char *ms_strndup(const char *text, size_t n)
{
	char *copy = ms_alloc(n + 1);

	memcpy(copy, text, n);
	return copy;
}

char *ms_strdup(const char *text)
{
	return ms_strndup(text, strlen(text));
}

void ms_free(void *p)
{
	free(p);
}

/* Smaller tables are taken from the heap: a mapping costs a page, and its end interrupts all
 * processors. Two lines of 64 bytes: processors fetch them in pairs, and structs that avoid false
 * sharing are aligned so (MS_ALIGNED(128)). */
enum { LEAST_MAPPING = 4096, ALIGNMENT = 128 };

static void *alloc_lines(size_t size)
{
	size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	void *p = aligned_alloc(ALIGNMENT, rounded);

	if (p == NULL)
		ms_out_of_memory(size);
	return memset(p, 0, rounded);
}

void *ms_pages_alloc(size_t size)
{
	if (size < LEAST_MAPPING)
		return alloc_lines(size);
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		ms_out_of_memory(size);
	return p;
}

/* From this size on, the mapping contains a large page. */
enum { LARGE_PAGE = 2 * 1024 * 1024 };

void *ms_pages_alloc_dense(size_t size)
{
	void *p = ms_pages_alloc(size);

	if (size >= LARGE_PAGE)
		madvise(p, size, MADV_HUGEPAGE); /* if this fails, small pages are used */
	return p;
}

/* Since Linux 5.14; unknown to older headers. */
enum { POPULATE_WRITE = 23 };

void *ms_pages_alloc_full(size_t size)
{
	void *p = ms_pages_alloc_dense(size);

	if (size >= LEAST_MAPPING)
		madvise(p, size, POPULATE_WRITE); /* if it fails, pages are allocated on access */
	return p;
}

void ms_pages_free(void *p, size_t size)
{
	if (size < LEAST_MAPPING)
		free(p);
	else if (p != NULL)
		munmap(p, size);
}
