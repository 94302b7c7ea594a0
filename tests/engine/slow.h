/*
 * tests/engine/slow.h - the engine's slow twin: the same answers, written for reading.
 *
 * Nothing is shared with src/engine but the description of the machine. Every look-up is a linear
 * search; every question is answered from the whole history.
 */
#ifndef MS_TESTS_SLOW_H
#define MS_TESTS_SLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"

struct slow;

struct slow *slow_open(const struct ms_machine *machine, uint32_t unmapped, uint32_t freed);
void slow_close(struct slow *slow);

/* A modify is a load, then a store, of each of its lines. */
enum slow_kind { SLOW_READ, SLOW_WRITE, SLOW_MODIFY };
void slow_reference(struct slow *slow, uint32_t site, uint64_t address, uint32_t size,
		    enum slow_kind kind);
void slow_place(struct slow *slow, uint64_t start, uint64_t size, uint32_t data);
void slow_free(struct slow *slow, uint64_t start, uint64_t size);
void slow_map(struct slow *slow, uint64_t start, uint64_t end, uint32_t data);
void slow_unmap(struct slow *slow, uint64_t start, uint64_t end);

/* What was counted: cause 0 first, 1 replacement. other is a data. */
uint64_t slow_references(const struct slow *slow, uint32_t site, uint32_t data);
uint64_t slow_misses(const struct slow *slow, uint32_t site, uint32_t data, uint32_t level,
		     int cause);
uint64_t slow_covered(const struct slow *slow, uint32_t site, uint32_t data, uint32_t level);
uint64_t slow_replaced(const struct slow *slow, uint32_t site, uint32_t data, uint32_t level,
		       uint32_t other);
uint64_t slow_evictions(const struct slow *slow, uint32_t site, uint32_t data, uint32_t level,
			uint32_t other);
/* How many different things were counted at all, to compare with how many the engine lists. */
uint64_t slow_counted(const struct slow *slow, const char *what);

#endif
