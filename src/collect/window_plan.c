#include "collect/window_plan.h"

#include "collect/collect_priv.h"
#include "estimate/window_plan.h"

void ms_collect_plan_windows(struct ms_collect_state *c)
{
	uint32_t closed;

	if (c->setup.sampling == NULL || !ms_stream_sampling_is_planned(c->setup.sampling))
		return;
	closed = __atomic_load_n(&c->windows.closed, __ATOMIC_RELAXED);
	if (!ms_wire_is_look(__atomic_load_n(&c->plan.looked, __ATOMIC_RELAXED), closed,
			     c->setup.sampling->head != 0))
		return;
	pthread_mutex_lock(&c->binding.lock); /* other workers may process window events */
	const struct ms_estimate_plan_input input = {
		.windows = &c->windows,
		.sampling = c->setup.sampling,
		.machines = c->setup.machines,
		.machine_count = c->setup.machine_count,
		.engines = (const struct ms_engine *const *)c->sim.engines,
		.now = c->plan.now,
	};
	c->plan.now = ms_estimate_plan_windows(&input);
	__atomic_store_n(&c->plan.looked, closed, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&c->binding.lock);
	__atomic_store_n(&c->ring.stream->pace, c->plan.now, __ATOMIC_RELAXED);
}
