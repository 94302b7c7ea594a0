/* collect/events/untraced.c - parts of the execution that the front-end could not trace, and why.
 */
#include <string.h>

#include "collect/events/events.h"

static int bind_untraced(struct ms_collect_state *c, const struct ms_collect_event *e,
			 struct ms_collect_bound_event *b, struct ms_err *err)
{
	struct ms_wire_untraced u, *sum;

	(void)b;
	if (e->arg >= MS_WIRE_UNTRACED_REASONS)
		return ms_fail(err, MS_EFORMAT, "stream: untraced for reason %u, expected 0 to %d",
			       e->arg, MS_WIRE_UNTRACED_REASONS - 1);
	memcpy(&u, e->words, sizeof(u));
	sum = &c->program.untraced[e->arg];
	sum->times += u.times;
	sum->nanoseconds += u.nanoseconds;
	sum->of = u.of > sum->of ? u.of : sum->of;
	return MS_OK;
}

const struct ms_collect_handler ms_collect_event_untraced = { "time untraced",
							      sizeof(struct ms_wire_untraced) / 8,
							      bind_untraced, NULL };
