/*
 * plan.c - position and length of the windows of a sampled program.
 *
 * Each period of the program has one window. Its length and its position are drawn at random.
 */
#include "plan.h"

#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "wire/wire.h"

enum { SHORTEST = 64 }; /* window */

bool ms_plan_is_head(uint32_t number)
{
	return ms_config.head != 0 && number == 0;
}

bool ms_plan_is_whole(void)
{
	return ms_config.window >= ms_config.period;
}

/* Also for a forked child: changes that its parent received meanwhile do not apply to it. */
void ms_plan_start(struct ms_plan *p)
{
	static uint64_t window, period;

	if (period == 0) {
		window = ms_config.window;
		period = ms_config.period;
	}
	ms_config.window = window;
	ms_config.period = period;
	*p = (struct ms_plan){ .random = ms_config.seed,
			       .period = { .random = ms_config.seed,
					   .mean = ms_config.window,
					   .period = ms_config.period,
					   .halved = ms_config.halved } };
}

static uint64_t drawn(struct ms_plan *p, uint64_t to)
{
	return ms_timer_random(&p->random) % (to + 1);
}

/* The density of windows may be changed meanwhile; after the head it differs anyway. */
static void follow_pace(struct ms_plan *p, uint32_t number, uint64_t position)
{
	uint64_t pace = ms_lane_pace();
	uint32_t stratum = ms_wire_pace_stratum(pace);

	if (pace != 0) {
		ms_config.window = ms_wire_pace_window(pace);
		ms_config.period = ms_wire_pace_period(pace);
	}
	if (ms_config.head != 0 && number == 1) {
		p->period_end = position;
		stratum = stratum > 1 ? stratum : 1;
	}
	p->stratum = stratum > p->stratum ? stratum : p->stratum;
}

/* The head begins immediately. */
static void draw_head(struct ms_plan *p)
{
	p->length = ms_config.head;
	p->next = 0;
	p->period_end = ms_config.head;
}

/* While references are counted, windows are exactly where they were drawn: as under Valgrind, and
 * in a replay. */
static void draw_counted(struct ms_plan *p)
{
	ms_wire_draw(&p->period);
	p->length = p->period.length;
	p->next = p->period_end + p->period.before;
	p->period_end = p->next + p->length + p->period.after;
}

/* Each period has one, so that no part of the program is omitted; its position is drawn. */
static void draw_usual(struct ms_plan *p)
{
	uint64_t mean = ms_config.window;
	uint64_t period = ms_config.period;

	p->length = mean < period ? mean - mean / 2 + drawn(p, mean / 2 * 2) : period;
	if (p->length < SHORTEST)
		p->length = SHORTEST;
	if (p->length > period)
		p->length = period;
	p->next = p->period_end + drawn(p, period - p->length);
	p->period_end += period;
}

void ms_plan_draw(struct ms_plan *p, uint32_t number, uint64_t position, bool counted)
{
	if (ms_plan_is_head(number)) {
		draw_head(p);
	} else if (counted && !ms_config.paced) {
		draw_counted(p);
	} else {
		follow_pace(p, number, position);
		draw_usual(p);
	}
}
