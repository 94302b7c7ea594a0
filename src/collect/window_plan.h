/*
 * collect/window_plan.h - plans the length and the distance of windows while the program runs.
 *
 * The 1993 paper's Table 7: programs with few references are simulated whole, those with many in
 * windows; the windows are longer where misses are few or caches are large. The length of a program
 * is not known in advance. So its first references, the head, form one window. After that:
 *
 *  - The first windows are short enough that several fit into as many references as the head has.
 *  - Their length doubles until it suffices for the size and the misses of the first level, and
 *    until the share of unknown references is small enough at every level.
 *  - When the interval of the miss rate is as narrow as requested, windows become rarer. If it
 *    widens again, they become denser than before.
 *  - If the interval is too wide after some windows, they become denser. Then nearly all
 *    references are in windows.
 *
 * Windows that are drawn at the same density form a stratum: the head, those at the first density,
 * the rarer or denser ones, those after them.
 */
#ifndef MS_COLLECT_WINDOW_PLAN_H
#define MS_COLLECT_WINDOW_PLAN_H

#include <stdbool.h>
#include <stdint.h>

struct ms_collect_state;

struct ms_collect_window_plan {
	uint32_t looked; /* closed windows at the last ms_collect_plan_windows() */
	uint64_t now;    /* the last plan sent to the front-end: ms_wire_pace(); 0: none */
	bool waits;      /* the front-end waits for each plan */
};

/*
 * Called by the thread that simulates, after each chunk. With several workers, where the front-end
 * waits: called by the last worker that has simulated a chunk, if the next chunk is not there yet.
 * So the plan is based on the same references, however many workers there are.
 */
void ms_collect_plan_windows(struct ms_collect_state *collector);

#endif
