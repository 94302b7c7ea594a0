/*
 * machine/chase.h - measures the latency of a load that depends on the previous load: a walk along
 * pointers through all lines of a piece of memory, in an order that no prefetcher can predict.
 */
#ifndef MS_MACHINE_CHASE_H
#define MS_MACHINE_CHASE_H

#include <stddef.h>
#include <stdint.h>

/* With many small pages, address translation becomes part of the measurement. */
enum ms_machine_chase_pages { MS_PAGES_SMALL, MS_PAGES_TRANSPARENT, MS_PAGES_RESERVED };

struct ms_machine_chase {
	char *base;
	size_t bytes; /* already touched: no page fault is measured */
	enum ms_machine_chase_pages pages;
	void **at; /* the current position of the walk */
};

/* Nanoseconds of processor time of this thread: what others do meanwhile is not measured. */
double ms_machine_chase_clock(void);

/* Allocates `bytes` of memory, or as much of it as is available; bytes 0: none. */
void ms_machine_chase_open(struct ms_machine_chase *chase, size_t bytes);
/* The same in pages of the system's smallest size. */
void ms_machine_chase_open_small(struct ms_machine_chase *chase, size_t bytes);
void ms_machine_chase_close(struct ms_machine_chase *chase);
/* "huge pages", "pages of 4 KiB" */
const char *ms_machine_chase_pages_text(const struct ms_machine_chase *chase);

/* Makes next[] a permutation of 0 .. n-1 that is one single cycle (Sattolo). */
void ms_machine_chase_shuffle(uint32_t *next, size_t n, uint64_t seed);
/* Writes the pointers: one in each line of the first `bytes`; the walk starts again. */
void ms_machine_chase_link(struct ms_machine_chase *chase, size_t bytes, size_t line);
/* Takes so many steps; returns the nanoseconds for all of them. */
double ms_machine_chase_walk(struct ms_machine_chase *chase, uint64_t steps);

/* 64 additions for each of `rounds`, each dependent on the previous one: one cycle each. */
enum { MS_CHAIN_ADDS = 64 };
uint64_t ms_machine_chain(uint64_t rounds);
/* Nanoseconds of one cycle at the current frequency. */
double ms_machine_chain_cycle(void);

#endif
