/*
 * cli/options/pmu.h - the options that put performance monitors into the simulated machine; for
 * every command that simulates.
 */
#ifndef MS_CLI_OPTIONS_PMU_H
#define MS_CLI_OPTIONS_PMU_H

#include "base/err.h"
#include "base/opt.h"
#include "base/vec.h"
#include "engine/simulated_pmu/pmu.h"
#include "machine/machine.h"
#include "run/run.h"

struct ms_options_pmu {
	struct ms_opt_list pmus;
	const char *overhead; /* NULL: not given */
	uint64_t cost;
	uint64_t seed;
};

#define MS_OPTIONS_PMU_DEFAULTS                 \
	{                                       \
		.cost = MS_PMU_INTERRUPT_CYCLES \
	}

#define MS_OPTIONS_PMU_ROWS(type, field)                                                         \
	{                                                                                        \
		.kind = MS_OPT_LIST,                                                             \
		.name = "pmu",                                                                   \
		.value = "EVENT[@LEVEL]/PERIOD",                                                 \
		.offset = offsetof(type, field.pmus),                                            \
		.brief = "also simulate a performance monitor (misses/25000); repeatable",       \
		.full = "What a monitor in the hardware would show: one sample in PERIOD "       \
			"events, on average, each by an interrupt whose handler disturbs the "   \
			"caches. The undisturbed simulation runs beside it; 'memspy pmu' shows " \
			"both. EVENT is misses, evictions or latency (cycles waited); LEVEL a "  \
			"level of the machine, by default the last one (latency: all of "        \
			"them). With PERIOD auto, the period follows --overhead. Each is a "     \
			"simulation of its own.",                                                \
	},                                                                                       \
		{                                                                                \
			.kind = MS_OPT_TEXT,                                                     \
			.name = "overhead",                                                      \
			.value = "PERCENT",                                                      \
			.offset = offsetof(type, field.overhead),                                \
			.brief = "what --pmu EVENT/auto may cost the program (default: 1%)",     \
			.full = "Of the program's cycles. The more, the more samples.",          \
		},                                                                               \
		{                                                                                \
			.kind = MS_OPT_NUMBER,                                                   \
			.name = "pmu-cost",                                                      \
			.value = "CYCLES",                                                       \
			.offset = offsetof(type, field.cost),                                    \
			.min = 0,                                                                \
			.max = 1000000000,                                                       \
			.brief = "of one interrupt of --pmu (default: 8800)",                    \
			.full = "Without what its handler does, which is simulated.",            \
		},                                                                               \
	{                                                                                        \
		.kind = MS_OPT_NUMBER, .name = "pmu-seed", .value = "N",                         \
		.offset = offsetof(type, field.seed), .min = 0, .max = 4294967295.0,             \
		.brief = "vary the periods of --pmu in another way (default: 0)",                \
		.full = "Periods vary by chance around their mean, from half to one and a half " \
			"of it. The same seed gives the same samples.",                          \
	}

struct ms_options_pmus {
	MS_VEC(struct ms_pmu_config) at; /* by machine, then as they were given */
	size_t each;                     /* of each machine */
};

int ms_options_read_pmus(const struct ms_options_pmu *options,
			 const struct ms_machine *const *machines, size_t machine_count,
			 struct ms_options_pmus *pmus, struct ms_err *err);
/* The lists that the options and these have grown. */
void ms_options_pmus_free(struct ms_options_pmu *options, struct ms_options_pmus *pmus);
/* Says on standard error which monitors of the run have taken no sample, and why. */
void ms_options_warn_pmus(const struct ms_run *run);

#endif
