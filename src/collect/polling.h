/* collect/polling.h - finds functions of MPI's libraries that poll for other ranks: polling.c. */
#ifndef MS_COLLECT_POLLING_H
#define MS_COLLECT_POLLING_H

#include <stddef.h>
#include <stdint.h>

struct ms_collect_bound_event;
struct ms_collect_polling;
struct ms_collect_state;

/* Of each worker; freed with the collector. */
void ms_collect_polling_open(struct ms_collect_state *collector, unsigned workers);
void ms_collect_polling_close(struct ms_collect_state *collector);
void ms_collect_polling_add_block(struct ms_collect_polling *polling,
				  const struct ms_collect_bound_event *block);
/* Chunk k, which this worker filters. */
void ms_collect_polling_examine(struct ms_collect_polling *polling, uint32_t k,
				const uint64_t *words, size_t n);
/* What was found so far, for the run's names. */
void ms_collect_polling_report(struct ms_collect_state *collector);

#endif
