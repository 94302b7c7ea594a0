/* collect/events/samples.c - events of a program on the real machine: time stamps and samples. */
#include <string.h>

#include "collect/events/events.h"
#include "hardware/timer_samples.h"

static void apply_time(struct ms_collect_worker *w, const struct ms_collect_event *e,
		       const struct ms_collect_bound_event *b)
{
	(void)b;
	if (w->collector->hardware != NULL && w->number == 0)
		ms_hardware_until(w->collector->hardware, e->words[0]);
}

static int bind_sample(struct ms_collect_state *c, const struct ms_collect_event *e,
		       struct ms_collect_bound_event *b, struct ms_err *err)
{
	struct ms_bins_bound_pc at;

	if (c->hardware == NULL)
		return ms_fail(err, MS_EFORMAT,
			       "stream: it has samples of a real machine, expected executions");
	MS_TRY(ms_hardware_timer_check(e->words, e->n, err));
	at = ms_bins_locate(c->binding.binder, e->words[0]);
	b->data = at.module;
	b->stride = at.offset;
	return MS_OK;
}

/* Workers bind later events meanwhile. */
static void take_sample(struct ms_collect_state *c, const struct ms_collect_event *e,
			const struct ms_collect_bound_event *b)
{
	const struct ms_bins_bound_pc at = { b->data, b->stride };

	pthread_mutex_lock(&c->binding.lock);
	ms_hardware_timer_take(c->hardware, e->arg, &at, e->words);
	pthread_mutex_unlock(&c->binding.lock);
}

/* A freed block is the allocator's own while it works, as above. */
static void apply_sample(struct ms_collect_worker *w, const struct ms_collect_event *e,
			 const struct ms_collect_bound_event *b)
{
	struct ms_wire_sample sample;

	memcpy(&sample, e->words, sizeof(sample));
	w->running = e->arg;
	*ms_collect_is_allocating(w, w->running) = (sample.flags & MS_WIRE_SAMPLE_IN_HEAP) != 0;
	ms_collect_set_freed(w);
	if (w->number == 0)
		take_sample(w->collector, e, b);
}

const struct ms_collect_handler ms_collect_event_time = { "time stamp", 1, NULL, apply_time };
const struct ms_collect_handler ms_collect_event_sample = { "sample",
							    sizeof(struct ms_wire_sample) / 8,
							    bind_sample, apply_sample };
