/* collect/events_untraced.c - parts of the execution that the front-end could not trace, and why.
 */
#include <string.h>

#include "collect/events.h"

/* As printed after "it ran unseen: ". */
static const char *const reasons[MS_WIRE_UNTRACED_REASONS] = {
	[MS_WIRE_UNTRACED_CODE] = "code that restarts, or a jump to where there is none",
	[MS_WIRE_UNTRACED_INSTRUCTION] = "an instruction that the translator does not support",
	[MS_WIRE_UNTRACED_REGISTER] = "it uses a register that is memspy's",
	[MS_WIRE_UNTRACED_CACHE] = "the cache of translated code was full",
	[MS_WIRE_UNTRACED_FAULT] = "a fault that ends the program",
	[MS_WIRE_UNTRACED_BELOW] = "it was below a function of memspy's",
	[MS_WIRE_UNTRACED_CALLS] = "to its end: it restricts its system calls",
	[MS_WIRE_UNTRACED_THREADS] = "threads, whole: too many at a time",
};

static int bind_untraced(struct collector *c, const struct event *e, struct bound_event *b,
			 struct ms_err *err)
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

void ms_event_untraced_result(const struct collector *c, struct ms_run *run)
{
	for (uint32_t i = 0; i < MS_WIRE_UNTRACED_REASONS; i++) {
		const struct ms_wire_untraced *u = &c->program.untraced[i];

		if (u->times == 0)
			continue;
		*ms_vec_add(&run->untraced) =
			(struct ms_run_untraced){ reasons[i], MS_WHO_PROGRAM, u->times,
						  (double)u->nanoseconds / 1e9 };
		if ((double)u->of / 1e9 > run->processor_seconds)
			run->processor_seconds = (double)u->of / 1e9;
	}
}

const struct ms_handler ms_event_untraced = { "time untraced", sizeof(struct ms_wire_untraced) / 8,
					      bind_untraced, NULL };
