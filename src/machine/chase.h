/*
 * machine/chase.h - how long a load takes that waits for the one before it: a walk along pointers
 * that lead through all lines of a piece of memory, in an order that no prefetcher can guess.
 */
#ifndef MS_MACHINE_CHASE_H
#define MS_MACHINE_CHASE_H

#include <stddef.h>
#include <stdint.h>

/* Small pages make translation part of what is measured, as soon as there are many. */
enum ms_chase_pages { MS_PAGES_SMALL, MS_PAGES_TRANSPARENT, MS_PAGES_RESERVED };

struct ms_chase {
	char *base;
	size_t bytes; /* touched already: no page fault is measured */
	enum ms_chase_pages pages;
	void **at; /* where the walk stands */
};

/* Takes `bytes` of memory, or as much of it as there is; bytes 0: none at all. */
void ms_chase_open(struct ms_chase *chase, size_t bytes);
void ms_chase_close(struct ms_chase *chase);
/* "huge pages", "pages of 4 KiB" */
const char *ms_chase_pages_text(const struct ms_chase *chase);

/* Makes next[] a permutation of 0 .. n-1 that is one single cycle (Sattolo). */
void ms_chase_shuffle(uint32_t *next, size_t n, uint64_t seed);
/* Lays the pointers: one in each line of the first `bytes`; the walk starts anew. */
void ms_chase_lay(struct ms_chase *chase, size_t bytes, size_t line);
/* Goes so many steps; nanoseconds for all of them. */
double ms_chase_walk(struct ms_chase *chase, uint64_t steps);

/* 64 additions for each of `rounds`, each of which needs the one before it: a cycle each. */
enum { MS_CHAIN_ADDS = 64 };
uint64_t ms_chain(uint64_t rounds);
/* Nanoseconds of one cycle at this moment. */
double ms_chain_cycle(void);

#endif
