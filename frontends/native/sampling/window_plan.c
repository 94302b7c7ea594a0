/*
 * window_plan.c - position and length of the windows of a sampled program.
 *
 * Each period of the program has one window. Its length and its position are drawn at random.
 */
#include "sampling/window_plan.h"

#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "wire/wire.h"

enum { SHORTEST = 64 }; /* window */

bool ms_sampling_is_head_window(uint32_t number)
{
	return ms_runtime_config.head_refs != 0 && number == 0;
}

/* Also for a forked child: changes that its parent received meanwhile do not apply to it. */
void ms_sampling_start_window_plan(struct ms_sampling_window_plan *p)
{
	static uint64_t window, period;

	if (period == 0) {
		window = ms_runtime_config.window;
		period = ms_runtime_config.period;
	}
	ms_runtime_config.window = window;
	ms_runtime_config.period = period;
	*p = (struct ms_sampling_window_plan){
		.random = ms_runtime_config.seed,
		.period = { .random = ms_runtime_config.seed,
			    .mean = ms_runtime_config.window,
			    .period = ms_runtime_config.period,
			    .halved = ms_runtime_config.halved_windows }
	};
}

static uint64_t draw_up_to(struct ms_sampling_window_plan *p, uint64_t to)
{
	return ms_runtime_draw_random(&p->random) % (to + 1);
}

/* The density of windows may be changed meanwhile; after the head it differs anyway. */
static void follow_plan(struct ms_sampling_window_plan *p, uint32_t number, uint64_t position)
{
	uint64_t plan = ms_runtime_read_window_plan();
	uint32_t stratum = ms_wire_pace_stratum(plan);

	if (plan != 0) {
		ms_runtime_config.window = ms_wire_pace_window(plan);
		ms_runtime_config.period = ms_wire_pace_period(plan);
	}
	if (ms_runtime_config.head_refs != 0 && number == 1) {
		p->period_end = position;
		stratum = stratum > 1 ? stratum : 1;
	}
	p->stratum = stratum > p->stratum ? stratum : p->stratum;
}

/* The head begins immediately. */
static void draw_head(struct ms_sampling_window_plan *p)
{
	p->length = ms_runtime_config.head_refs;
	p->next = 0;
	p->period_end = ms_runtime_config.head_refs;
}

/* While references are counted, windows are exactly where they were drawn: as under Valgrind, and
 * in a replay. */
static void draw_counted(struct ms_sampling_window_plan *p)
{
	ms_wire_draw(&p->period);
	p->length = p->period.length;
	p->next = p->period_end + p->period.before;
	p->period_end = p->next + p->length + p->period.after;
}

/* Each period has one, so that no part of the program is omitted; its position is drawn. */
static void draw_in_period(struct ms_sampling_window_plan *p)
{
	uint64_t mean = ms_runtime_config.window;
	uint64_t period = ms_runtime_config.period;

	p->length = mean < period ? mean - mean / 2 + draw_up_to(p, mean / 2 * 2) : period;
	if (p->length < SHORTEST)
		p->length = SHORTEST;
	if (p->length > period)
		p->length = period;
	p->next = p->period_end + draw_up_to(p, period - p->length);
	p->period_end += period;
}

void ms_sampling_draw_next_window(struct ms_sampling_window_plan *p, uint32_t number,
				  uint64_t position, bool counted)
{
	if (ms_sampling_is_head_window(number)) {
		draw_head(p);
	} else if (counted && !ms_runtime_config.plan_may_change) {
		draw_counted(p);
	} else {
		follow_plan(p, number, position);
		draw_in_period(p);
	}
}
