/*
 * perf/pfm.h - libpfm4: events by their names in the processors' manuals. It has its own header
 * because libpfm4 includes another copy of the kernel's header.
 */
#ifndef MS_PERF_PFM_H
#define MS_PERF_PFM_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

/* What perf_event_open() needs for an event. */
struct ms_perf_pfm_event {
	const char *name; /* without default attributes */
	uint32_t type;
	uint64_t config;
	uint64_t config1;
	uint64_t config2;
};

int ms_perf_pfm_encode(const char *name, struct ms_perf_pfm_event *event, struct ms_arena *arena,
		       struct ms_err *err);
/* PEBS load latency by its name in the tables of this processor; NULL: none. */
const char *ms_perf_pfm_load_latency(struct ms_arena *arena, uint64_t cycles);
/* The version of libpfm4. */
const char *ms_perf_pfm_library(void);

#endif
