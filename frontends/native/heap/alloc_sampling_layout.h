/* alloc_sampling_layout.h - data of alloc_sampling.c that interpose.S uses, for C and assembler. */
#ifndef MS_NATIVE_HEAP_ALLOC_SAMPLING_LAYOUT_H
#define MS_NATIVE_HEAP_ALLOC_SAMPLING_LAYOUT_H

/* A word of struct ms_runtime_thread, and the counters of the table of blocks. */
#define MS_HEAP_ALLOC_COUNTDOWN_AT 4224
#define MS_HEAP_FILTER_SHIFT       7
#define MS_HEAP_FILTER_MIX_SHIFT   20
#define MS_HEAP_FILTER_ENTRIES     (1 << 19)
/* The table of blocks itself: entries, shifts of the hash of an address, entries in one cache
 * line. */
#define MS_HEAP_RECORDED_ENTRIES   (1 << 21)
#define MS_HEAP_RECORDED_SHIFT     5
#define MS_HEAP_RECORDED_MIX_SHIFT 18
#define MS_HEAP_RECORDED_WAYS      8

#endif
