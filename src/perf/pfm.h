/*
 * perf/pfm.h - libpfm4: events by the names that processors' manuals give them. It has a header of
 * its own, as libpfm4 brings another copy of the kernel's.
 */
#ifndef MS_PERF_PFM_H
#define MS_PERF_PFM_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

/* What perf_event_open() wants to know of an event. */
struct ms_pfm_event {
	const char *name; /* without what is usual */
	uint32_t type;
	uint64_t config;
	uint64_t config1;
	uint64_t config2;
};

int ms_pfm_encode(const char *name, struct ms_pfm_event *event, struct ms_arena *arena,
		  struct ms_err *err);
/* PEBS load latency by the name that this processor's tables have for it; NULL: none. */
const char *ms_pfm_load_latency(struct ms_arena *arena, uint64_t cycles);
/* Its version. */
const char *ms_pfm_library(void);

#endif
