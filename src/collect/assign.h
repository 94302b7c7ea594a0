/*
 * collect/assign.h - which processor runs which thread. Each shard of an engine with several
 * processors has an assignment; all receive the same events.
 */
#ifndef MS_COLLECT_ASSIGN_H
#define MS_COLLECT_ASSIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/clocks.h"
#include "collect/collect.h"
#include "engine/engine.h"
#include "wire/wire.h"

/* Threads that --cpus can map one by one; the map repeats for further threads. */
enum { MOST_MAPPED = 1024 };

struct assignment *ms_assign_open(const struct ms_machine *machine, const struct ms_cpus *cpus,
				  struct ms_engine_shard *shard, struct ms_clocks *clocks);
void ms_assign_close(struct assignment *processors);
void ms_assign_thread(struct assignment *p, uint32_t thread, uint64_t maker);
/* taken: the program's end ended the thread. */
void ms_assign_thread_end(struct assignment *p, uint32_t thread, bool taken);
void ms_assign_switch(struct assignment *p, uint32_t thread);
/* Likewise, where the shard has switched the thread already. */
void ms_assign_taken_up(struct assignment *p, uint32_t thread);
void ms_assign_wait(struct assignment *p, uint32_t thread, uint64_t reason, uint64_t path);
void ms_assign_wake(struct assignment *p, uint32_t thread, uint64_t waker);
void ms_assign_clock(struct assignment *p, uint32_t thread, uint64_t instructions);
void ms_assign_spin(struct assignment *p, uint32_t thread, uint64_t instructions, uint64_t path);
void ms_assign_at(struct assignment *p, uint32_t thread, uint64_t path);
void ms_assign_affinity(struct assignment *p, uint32_t thread, const uint64_t *mask, size_t n);
void ms_assign_policy(struct assignment *p, const struct ms_wire_policy *policy);

#endif
