/*
 * allocator_names.h - which functions take and give back memory: the C library's, under the
 * prefixes that other allocators put in front of them, C++'s operators, and what only one allocator
 * has. pthread_create tells what a thread that it makes begins with. For one file of each
 * front-end.
 */
#ifndef MS_FRONTENDS_ALLOCATOR_NAMES_H
#define MS_FRONTENDS_ALLOCATOR_NAMES_H

#include "allocators.h"

/* Arguments stand this many places further right than in the C library's function. */
struct ms_allocator_prefix {
	const char *text;
	int shift;
};

static const struct ms_allocator_prefix prefixes[] = {
	{ "__libc_", 0 },  { "__", 0 },  { "je_", 0 }, { "_rjem_", 0 },    { "tc_", 0 },
	{ "mi_heap_", 1 }, { "mi_", 0 }, { "rp", 0 },  { "scalable_", 0 }, { "dl", 0 },
};

/* With or without a prefix. */
static const struct ms_allocator_function common[] = {
	{ "malloc", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "calloc", MS_ALLOCATOR_TAKES, 0, 1, -1, 0, false },
	{ "realloc", MS_ALLOCATOR_RESIZES, 1, -1, 0, 0, false },
	{ "reallocarray", MS_ALLOCATOR_RESIZES, 1, 2, 0, 0, false },
	{ "reallocf", MS_ALLOCATOR_RESIZES, 1, -1, 0, 0, false },
	{ "free", MS_ALLOCATOR_FREES, -1, -1, 0, 0, false },
	{ "cfree", MS_ALLOCATOR_FREES, -1, -1, 0, 0, false },
	{ "free_sized", MS_ALLOCATOR_FREES, -1, -1, 0, 0, false },
	{ "memalign", MS_ALLOCATOR_TAKES, 1, -1, -1, 0, false },
	{ "free_aligned_sized", MS_ALLOCATOR_FREES, -1, -1, 0, 0, false },
	{ "aligned_alloc", MS_ALLOCATOR_TAKES, 1, -1, -1, 0, false },
	{ "posix_memalign", MS_ALLOCATOR_FILLS, 2, -1, 0, 0, false },
	{ "valloc", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "pvalloc", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "mallocx", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "rallocx", MS_ALLOCATOR_RESIZES, 1, -1, 0, 0, false },
	{ "dallocx", MS_ALLOCATOR_FREES, -1, -1, 0, 0, false },
	{ "sdallocx", MS_ALLOCATOR_FREES, -1, -1, 0, 0, false },
	{ "longjmp", MS_ALLOCATOR_LEAVES, -1, -1, -1, 0, false },
	{ "siglongjmp", MS_ALLOCATOR_LEAVES, -1, -1, -1, 0, false },
	{ "_longjmp", MS_ALLOCATOR_LEAVES, -1, -1, -1, 0, false },
	{ "longjmp_chk", MS_ALLOCATOR_LEAVES, -1, -1, -1, 0, false },
	{ "_Unwind_RaiseException", MS_ALLOCATOR_LEAVES, -1, -1, -1, 0, false },
	{ "_Unwind_ForcedUnwind", MS_ALLOCATOR_LEAVES, -1, -1, -1, 0, false },
	{ "pthread_create", MS_ALLOCATOR_STARTS, -1, -1, 2, 0, false },
	{ "pthread_create_2_1", MS_ALLOCATOR_STARTS, -1, -1, 2, 0, false },
};

/* Only with a prefix: as names of their own they could be anybody's. */
static const struct ms_allocator_function prefixed[] = {
	{ "zalloc", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "malloc_small", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "zalloc_small", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "mallocn", MS_ALLOCATOR_TAKES, 0, 1, -1, 0, false },
	{ "malloc_aligned", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "zalloc_aligned", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "calloc_aligned", MS_ALLOCATOR_TAKES, 0, 1, -1, 0, false },
	{ "malloc_aligned_at", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "zalloc_aligned_at", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "calloc_aligned_at", MS_ALLOCATOR_TAKES, 0, 1, -1, 0, false },
	{ "aligned_malloc", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "malloc_skip_new_handler", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "rezalloc", MS_ALLOCATOR_RESIZES, 1, -1, 0, 0, false },
	{ "recalloc", MS_ALLOCATOR_RESIZES, 1, 2, 0, 0, false },
	{ "reallocn", MS_ALLOCATOR_RESIZES, 1, 2, 0, 0, false },
	{ "realloc_aligned", MS_ALLOCATOR_RESIZES, 1, -1, 0, 0, false },
	{ "realloc_aligned_at", MS_ALLOCATOR_RESIZES, 1, -1, 0, 0, false },
	{ "aligned_realloc", MS_ALLOCATOR_RESIZES, 1, -1, 0, 0, false },
	{ "new", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "newarray", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "new_nothrow", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "newarray_nothrow", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "new_aligned", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "newarray_aligned", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "new_aligned_nothrow", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "newarray_aligned_nothrow", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "new_n", MS_ALLOCATOR_TAKES, 0, 1, -1, 0, false },
	{ "alloc_new", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "alloc_new_n", MS_ALLOCATOR_TAKES, 0, 1, -1, 0, false },
	{ "new_realloc", MS_ALLOCATOR_RESIZES, 1, -1, 0, 0, false },
	{ "new_reallocn", MS_ALLOCATOR_RESIZES, 1, 2, 0, 0, false },
	{ "free_size", MS_ALLOCATOR_FREES, -1, -1, 0, 0, false },
	{ "free_aligned", MS_ALLOCATOR_FREES, -1, -1, 0, 0, false },
	{ "free_size_aligned", MS_ALLOCATOR_FREES, -1, -1, 0, 0, false },
	{ "aligned_free", MS_ALLOCATOR_FREES, -1, -1, 0, 0, false },
	{ "delete", MS_ALLOCATOR_FREES, -1, -1, 0, 0, false },
	{ "delete_sized", MS_ALLOCATOR_FREES, -1, -1, 0, 0, false },
	{ "deletearray", MS_ALLOCATOR_FREES, -1, -1, 0, 0, false },
	{ "deletearray_sized", MS_ALLOCATOR_FREES, -1, -1, 0, 0, false },
};

/* operator new and delete, in all their forms but the placement ones. */
static const struct ms_allocator_function operators[] = {
	{ "_Znwm", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "_Znam", MS_ALLOCATOR_TAKES, 0, -1, -1, 0, false },
	{ "_ZdlPv", MS_ALLOCATOR_FREES, -1, -1, 0, 0, false },
	{ "_ZdaPv", MS_ALLOCATOR_FREES, -1, -1, 0, 0, false },
};

static const char *const operator_ends[] = {
	"",
	"m",
	"RKSt9nothrow_t",
	"St11align_val_t",
	"mSt11align_val_t",
	"St11align_val_tRKSt9nothrow_t",
};

#endif
