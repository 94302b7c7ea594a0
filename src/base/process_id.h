/*
 * base/process_id.h - identifies a process permanently: its number may be reused, but not by
 * another process that started at the same clock tick of the same boot.
 */
#ifndef MS_BASE_PROCESS_ID_H
#define MS_BASE_PROCESS_ID_H

#include <stdint.h>

enum { MS_PROCESS_SYSTEM = 128 };

struct ms_process_id {
	uint64_t pid;
	uint64_t start;                 /* clock ticks since the boot */
	char system[MS_PROCESS_SYSTEM]; /* the boot, and the PID namespace */
};

enum ms_process_state {
	MS_PROCESS_RUNS,
	MS_PROCESS_ENDED,
	MS_PROCESS_ELSEWHERE, /* another boot, machine or container: its state is unknown here */
};

/* This process. If /proc is not mounted, the start is 0 and the system is empty. */
void ms_process_self(struct ms_process_id *id);
enum ms_process_state ms_process_state(uint64_t pid, uint64_t start, const char *system);

#endif
