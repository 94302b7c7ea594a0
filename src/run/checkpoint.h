/* run/checkpoint.h - a run that was saved before its program had ended; part of run/run.h.
 */
#ifndef MS_RUN_CHECKPOINT_H
#define MS_RUN_CHECKPOINT_H

#include <stdint.h>

/*
 * The process that collects the run, so that readers can distinguish a run that continues from one
 * whose collector was killed. run->wall_seconds is the time that the figures cover.
 */
struct ms_run_checkpoint {
	uint64_t pid;
	uint64_t pid_start; /* in clock ticks since the system was booted */
	const char *system; /* base/process_id.h: the boot and the namespace that pid belongs to */
	const char *saved;  /* when, in UTC: "2026-11-15T10:31:02Z" */
	uint64_t string_bytes; /* set by the store: bytes that the run added to table string */
};

#endif
