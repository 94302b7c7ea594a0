/* hardware/options.h - how a program is sampled on the real machine. */
#ifndef MS_HARDWARE_OPTIONS_H
#define MS_HARDWARE_OPTIONS_H

#include <stdint.h>

#include "run/run.h"

/* See docs/design/sample.md. */
struct ms_hardware_options {
	enum ms_run_source source;
	const char *event;    /* NULL: the source's default */
	uint64_t period;      /* events between samples, timer: nanoseconds; 0: adaptive */
	uint64_t rate;        /* adaptive: samples per second and thread; 0: as overhead allows */
	double overhead;      /* adaptive: time that sampling may take, relative to the program's */
	uint64_t min_latency; /* cycles: shorter ones are not sampled; 0: the source's default */
	uint64_t buffer;      /* bytes of the kernel's buffer per processor; 0: default */
	uint64_t seed;        /* of the random variation of periods */
};

#endif
