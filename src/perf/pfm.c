#include "perf/pfm.h"

#include <dlfcn.h>
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

/*
 * Loaded when an event is looked up: its tables have 41,000 relocations, which every command would
 * pay for.
 */
#define LIBRARY "libpfm.so.4"

struct library {
	__typeof__(pfm_initialize) *initialize;
	__typeof__(pfm_get_os_event_encoding) *encode;
	__typeof__(pfm_strerror) *get_message;
	__typeof__(pfm_get_version) *get_version;
};

/* Returns NULL if it is not installed. It stays loaded. */
static const struct library *load(void)
{
	static struct library lib;
	void *module = lib.initialize == NULL ? dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL) : NULL;

	if (module != NULL)
		lib = (struct library){
			.initialize = dlsym(module, "pfm_initialize"),
			.encode = dlsym(module, "pfm_get_os_event_encoding"),
			.get_message = dlsym(module, "pfm_strerror"),
			.get_version = dlsym(module, "pfm_get_version"),
		};
	return lib.initialize != NULL ? &lib : NULL;
}

static int encode(const struct library *pfm, const char *event, struct perf_event_attr *attr,
		  char **full)
{
	pfm_perf_encode_arg_t arg = { .attr = attr, .fstr = full, .size = sizeof(arg) };
	int code = pfm->initialize();

	return code == PFM_SUCCESS ? pfm->encode(event, PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg)
				   : code;
}

int ms_perf_pfm_encode(const char *name, struct ms_perf_pfm_event *event, struct ms_arena *arena,
		       struct ms_err *err)
{
	struct perf_event_attr attr = { 0 };
	char *full = NULL;
	const struct library *pfm = load();

	if (pfm == NULL)
		return ms_fail(err, MS_EUSAGE,
			       "--pmu-event: \"%s\" cannot be looked up without " LIBRARY
			       ": install libpfm4",
			       name);
	int code = encode(pfm, name, &attr, &full);

	if (code != PFM_SUCCESS)
		return ms_fail(
			err, MS_EUSAGE,
			"--pmu-event: libpfm4 does not support \"%s\" on this processor (%s); "
			"`showevtinfo` of Debian's libpfm4 examples lists what it supports",
			name, pfm->get_message(code));
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
	const struct library *pfm = load();

	for (size_t i = 0; pfm != NULL && i < sizeof(load_latency) / sizeof(*load_latency); i++) {
		const char *name = ms_arena_printf(arena, "%s:ldlat=%llu", load_latency[i],
						   (unsigned long long)cycles);
		struct perf_event_attr attr = { 0 };
		char *full = NULL;
		int code = encode(pfm, name, &attr, &full);

		free(full);
		if (code == PFM_SUCCESS)
			return name;
	}
	return NULL;
}

const char *ms_perf_pfm_library(void)
{
	static char text[24];
	const struct library *pfm = load();

	if (pfm == NULL)
		return "(not installed)";
	unsigned version = (unsigned)pfm->get_version();

	snprintf(text, sizeof(text), "%u.%u", PFM_MAJ_VERSION(version), PFM_MIN_VERSION(version));
	return text;
}
