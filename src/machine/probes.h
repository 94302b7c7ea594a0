/*
 * machine/probes.h - times small access patterns on this machine. Each probe returns nanoseconds of
 * processor time for one access; curves.h turns series of them into figures.
 *
 * Memory: a piece from chase.h that is much larger than the last level. Loads of the patterns that
 * measure latency depend on each other: the address of each is computed with the value of the load
 * before, so the processor itself cannot overlap them and only a prefetcher can.
 */
#ifndef MS_MACHINE_PROBES_H
#define MS_MACHINE_PROBES_H

#include "machine/chase.h"

/* The maximum numbers of chains and streams at a time. */
enum { MS_PROBE_CHAINS = 48, MS_PROBE_STREAMS = 128, MS_PROBE_LINE = 64 };

/* Places on the walk through a linked piece, equally far from each other. */
struct ms_machine_probe_starts {
	void **at[MS_PROBE_CHAINS];
	unsigned next; /* the first that the next probe uses */
	size_t steps;  /* from a place to the next one */
};

void ms_machine_probe_find_starts(const struct ms_machine_chase *chase, size_t lines,
				  struct ms_machine_probe_starts *starts);
/* Loads of `chains` walks at a time. Probes take turns with the places, to reach new lines. */
double ms_machine_probe_chains(struct ms_machine_probe_starts *starts, unsigned chains);
/*
 * Dependent loads, `stride` bytes apart. *from is the offset of the first one and becomes that
 * after the last one: probes that continue there find no lines of the probe before in the caches.
 */
double ms_machine_probe_stride(const struct ms_machine_chase *chase, size_t stride, size_t *from);
/* Dependent loads of consecutive lines, in turn from `streams` places. */
double ms_machine_probe_streams(const struct ms_machine_chase *chase, unsigned streams,
				size_t *from);

enum ms_machine_transfer { MS_TRANSFER_READ, MS_TRANSFER_WRITE, MS_TRANSFER_COPY };

/* Nanoseconds for a line of the piece; copies its first half to its second half. */
double ms_machine_probe_transfer(const struct ms_machine_chase *chase,
				 enum ms_machine_transfer transfer);

/* Writes the pointers of a walk in random order, one in each page; the walk starts again. */
void ms_machine_probe_link_pages(struct ms_machine_chase *chase, size_t pages, size_t page);
/*
 * Dependent loads, one in each of `pages` pages of `page` bytes, in random order, in `chains` walks
 * at a time. With the size of a line as `page`: as many lines in as few pages as possible.
 */
double ms_machine_probe_pages(struct ms_machine_chase *chase, size_t pages, size_t page,
			      unsigned chains);

/* Instructions of one round of ms_machine_mix(). */
enum { MS_MIX_INSTRUCTIONS = 32 };
/*
 * So many rounds of a mix of instructions as in compiled code, without misses; `data` are 512
 * bytes. docs/formats/machine.md has the mix.
 */
void ms_machine_mix(uint64_t rounds, void *data);
/* Nanoseconds of an instruction of the mix. */
double ms_machine_probe_mix(void);

enum ms_machine_float_operation { MS_FLOAT_ADD, MS_FLOAT_MULTIPLY };

/* Nanoseconds of an operation on numbers of 64 bits, each of which needs the one before it. */
double ms_machine_probe_float(enum ms_machine_float_operation operation);

/* --- with several processors; cpus are numbers of processors that this process may use --- */

/*
 * A processor writes lines, then another one reads them in random order with dependent loads:
 * nanoseconds of such a load. 0: the threads could not be started.
 */
double ms_machine_probe_peer(const int cpus[2]);
/*
 * Bytes per nanosecond of all processors together, each of which reads memory of its own. 0: the
 * threads could not be started.
 */
double ms_machine_probe_total(const int *cpus, size_t n, size_t bytes, size_t line);

#endif
