#include "perf/pfm.h"

#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The names of the event over the years; a threshold in cycles follows each. */
static const char *const load_latency[] = {
	"MEM_TRANS_RETIRED:LOAD_LATENCY",
	"MEM_TRANS_RETIRED:LATENCY_ABOVE_THRESHOLD",
	"MEM_INST_RETIRED:LATENCY_ABOVE_THRESHOLD",
};

static int encode(const char *event, struct perf_event_attr *attr, char **full)
{
	pfm_perf_encode_arg_t arg = { .attr = attr, .fstr = full, .size = sizeof(arg) };
	int code = pfm_initialize();

	return code == PFM_SUCCESS
		       ? pfm_get_os_event_encoding(event, PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg)
		       : code;
}

int ms_perf_pfm_encode(const char *name, struct ms_perf_pfm_event *event, struct ms_arena *arena,
		       struct ms_err *err)
{
	struct perf_event_attr attr = { 0 };
	char *full = NULL;
	int code = encode(name, &attr, &full);

	if (code != PFM_SUCCESS)
		return ms_fail(
			err, MS_EUSAGE,
			"--pmu-event: libpfm4 does not support \"%s\" on this processor (%s); "
			"`showevtinfo` of Debian's libpfm4 examples lists what it supports",
			name, pfm_strerror(code));
	*event = (struct ms_perf_pfm_event){ NULL, attr.type, attr.config, attr.config1,
					     attr.config2 };
	/*
	 * "skx::MEM_TRANS_RETIRED:LOAD_LATENCY:e=0:...": the attributes after the names are
	 * defaults.
	 */
	const char *from = strstr(full, "::") != NULL ? strstr(full, "::") + 2 : full;
	const char *attributes = strstr(from, ":e=");
	size_t n = attributes != NULL ? (size_t)(attributes - from) : strlen(from);
	event->name = ms_arena_strndup(arena, from, n);
	free(full);
	return MS_OK;
}

const char *ms_perf_pfm_load_latency(struct ms_arena *arena, uint64_t cycles)
{
	for (size_t i = 0; i < sizeof(load_latency) / sizeof(*load_latency); i++) {
		const char *name = ms_arena_printf(arena, "%s:ldlat=%llu", load_latency[i],
						   (unsigned long long)cycles);
		struct perf_event_attr attr = { 0 };
		char *full = NULL;
		int code = encode(name, &attr, &full);

		free(full);
		if (code == PFM_SUCCESS)
			return name;
	}
	return NULL;
}

const char *ms_perf_pfm_library(void)
{
	static char text[24];
	unsigned version = (unsigned)pfm_get_version();

	snprintf(text, sizeof(text), "%u.%u", PFM_MAJ_VERSION(version), PFM_MIN_VERSION(version));
	return text;
}
