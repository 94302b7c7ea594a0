/*
 * collect/thread_assignment.h - which processor runs which thread. Each shard of an engine with
 * several processors has an assignment; all receive the same events.
 */
#ifndef MS_COLLECT_THREAD_ASSIGNMENT_H
#define MS_COLLECT_THREAD_ASSIGNMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/collect.h"
#include "engine/engine.h"
#include "name/thread_clocks.h"
#include "wire/wire.h"

struct ms_collect_assignment *ms_collect_assign_open(const struct ms_machine *machine,
						     const struct ms_launch_cpus *cpus,
						     struct ms_engine_shard *shard,
						     struct ms_name_clocks *clocks);
/* The shard has several processors from here on; the thread that runs has executed so many
 * instructions before. */
void ms_collect_assign_resume(struct ms_collect_assignment *p, uint64_t instructions);
void ms_collect_assign_close(struct ms_collect_assignment *processors);
void ms_collect_assign_thread(struct ms_collect_assignment *p, uint32_t thread, uint64_t maker);
/* taken: the program's end ended the thread. */
void ms_collect_assign_thread_end(struct ms_collect_assignment *p, uint32_t thread, bool taken);
void ms_collect_assign_switch(struct ms_collect_assignment *p, uint32_t thread);
/* Likewise, where the shard has switched the thread already. */
void ms_collect_assign_switched(struct ms_collect_assignment *p, uint32_t thread);
void ms_collect_assign_wait(struct ms_collect_assignment *p, uint32_t thread, uint64_t reason,
			    uint64_t path);
void ms_collect_assign_wake(struct ms_collect_assignment *p, uint32_t thread, uint64_t waker);
void ms_collect_assign_clock(struct ms_collect_assignment *p, uint32_t thread,
			     uint64_t instructions);
void ms_collect_assign_spin(struct ms_collect_assignment *p, uint32_t thread, uint64_t instructions,
			    uint64_t path);
void ms_collect_assign_path(struct ms_collect_assignment *p, uint32_t thread, uint64_t path);
void ms_collect_assign_affinity(struct ms_collect_assignment *p, uint32_t thread,
				const uint64_t *mask, size_t n);
void ms_collect_assign_policy(struct ms_collect_assignment *p, const struct ms_wire_policy *policy);

#endif
