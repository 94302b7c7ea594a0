#include "collect/chunk_counter.h"

#include <sched.h>

#include "stream/futex.h"

/* Most waits are shorter than the time to fall asleep. */
enum { TRIES = 64 };

static bool is_open(const struct ms_collect_counter *gate, uint32_t number, uint32_t *seen)
{
	*seen = __atomic_load_n(&gate->number, __ATOMIC_SEQ_CST);
	return (int32_t)(*seen - number) >= 0;
}

bool ms_collect_counter_has_reached(const struct ms_collect_counter *gate, uint32_t number)
{
	uint32_t seen;

	for (int i = 0; i < TRIES; i++) {
		if (is_open(gate, number, &seen))
			return true;
		sched_yield();
	}
	return false;
}

void ms_collect_counter_wait(struct ms_collect_counter *gate, uint32_t number)
{
	uint32_t seen;

	while (!is_open(gate, number, &seen)) {
		__atomic_store_n(&gate->waiting, 1, __ATOMIC_SEQ_CST);
		if (!is_open(gate, number, &seen))
			ms_stream_futex_wait(&gate->number, seen);
	}
}

void ms_collect_counter_set(struct ms_collect_counter *gate, uint32_t number)
{
	__atomic_store_n(&gate->number, number, __ATOMIC_SEQ_CST);
	if (__atomic_exchange_n(&gate->waiting, 0, __ATOMIC_SEQ_CST))
		ms_stream_futex_wake(&gate->number);
}
