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
	(void)b;
	if (c->hardware == NULL)
		return ms_fail(err, MS_EFORMAT,
			       "stream: it has samples of a real machine, expected executions");
	return ms_hardware_timer_check(e->words, e->n, err);
}

/* A freed block is the allocator's own while it works, as above. */
static void apply_sample(struct ms_collect_worker *w, const struct ms_collect_event *e,
			 const struct ms_collect_bound_event *b)
{
	struct ms_wire_sample sample;

	(void)b;
	memcpy(&sample, e->words, sizeof(sample));
	w->running = e->arg;
	*ms_collect_is_allocating(w, w->running) = (sample.flags & MS_WIRE_SAMPLE_IN_HEAP) != 0;
	ms_collect_set_freed(w);
	if (w->number == 0)
		ms_hardware_timer_take(w->collector->hardware, e->arg, e->words);
}

const struct ms_collect_handler ms_collect_event_time = { "time stamp", 1, NULL, apply_time };
const struct ms_collect_handler ms_collect_event_sample = { "sample",
							    sizeof(struct ms_wire_sample) / 8,
							    bind_sample, apply_sample };
