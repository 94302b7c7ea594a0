/* wrap.h - the functions that stand in front of the program's: one row each, for C and assembler.
 */
#ifndef MS_NATIVE_WRAP_H
#define MS_NATIVE_WRAP_H

/* In this order; those of the allocator first. */
#define MS_WRAP_malloc         0
#define MS_WRAP_calloc         1
#define MS_WRAP_realloc        2
#define MS_WRAP_reallocarray   3
#define MS_WRAP_free           4
#define MS_WRAP_memalign       5
#define MS_WRAP_aligned_alloc  6
#define MS_WRAP_posix_memalign 7
#define MS_WRAP_valloc         8
#define MS_WRAP_pvalloc        9
#define MS_WRAP_HEAP           10
#define MS_WRAP_pthread_create 10
#define MS_WRAP_ALL            11

#endif
