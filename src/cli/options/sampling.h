/* cli/options/sampling.h - options that simulate only a part of a program. */
#ifndef MS_CLI_OPTIONS_SAMPLING_H
#define MS_CLI_OPTIONS_SAMPLING_H

#include "base/err.h"
#include "base/opt.h"
#include "machine/machine.h"
#include "run/run.h"
#include "stream/window_sampler.h"

struct ms_options_sampling {
	const char *ratio; /* NULL: not given; likewise all */
	const char *window;
	const char *error;
	const char *sets;
	uint64_t seed; /* MS_OPTIONS_NO_SEED: not given */
};

#define MS_OPTIONS_SAMPLE_ROWS(type, field)                                                      \
	{                                                                                        \
		.kind = MS_OPT_TEXT,                                                             \
		.name = "sample",                                                                \
		.value = "RATIO|auto",                                                           \
		.offset = offsetof(type, field.ratio),                                           \
		.brief = "simulate windows only, with this part of the references (1/10)",       \
		.full = "Between windows a program that is followed natively runs at full "      \
			"speed. Figures are estimates for the whole program, each with its 95% " \
			"interval, which is wide where windows are few, or so short that they "  \
			"cannot show what large caches hold: then a longer --window helps, or "  \
			"a larger RATIO. Lengths and distances of windows vary by chance. How "  \
			"near a sampled run came, 'memspy accuracy' says. auto: the program's "  \
			"first 20 million references are all simulated, which for many "         \
			"programs is the whole; then a tenth of them, in windows as long as "    \
			"the caches and the misses so far ask for, which become rarer when the " \
			"interval is as narrow as --error requires.",                            \
	},                                                                                       \
		{                                                                                \
			.kind = MS_OPT_TEXT,                                                     \
			.name = "window",                                                        \
			.value = "REFERENCES",                                                   \
			.offset = offsetof(type, field.window),                                  \
			.brief = "in a window of --sample, on average (default: 500K, shorter "  \
				 "at first)",                                                    \
			.full = "The larger the caches, the longer windows should be: 500K is "  \
				"enough for 128 KB, and 8M for 1 MB. Where references are "      \
				"counted between windows, the first ones are shorter unless "    \
				"this says otherwise, from an eighth on, so that a short "       \
				"program has many: under Valgrind, in a replay, and natively "   \
				"in the first 100 million references, if RATIO is 1/20 or more " \
				"and one processor is simulated. Only there is it known how "    \
				"many references a program has; of a longer one the report "     \
				"shows a range.",                                                \
		},                                                                               \
		{                                                                                \
			.kind = MS_OPT_TEXT,                                                     \
			.name = "error",                                                         \
			.value = "POINTS",                                                       \
			.offset = offsetof(type, field.error),                                   \
			.brief = "how far off the first level's miss rate may be (0.5)",         \
			.full = "Half the width of its 95% interval. When it is reached, "       \
				"windows become four times rarer; the report says what was "     \
				"wanted and what was reached. Without --sample: with --sample "  \
				"auto, whose default is 0.5; 0.5% is the same.",                 \
		},                                                                               \
		{                                                                                \
			.kind = MS_OPT_TEXT,                                                     \
			.name = "sample-sets",                                                   \
			.value = "1/N",                                                          \
			.offset = offsetof(type, field.sets),                                    \
			.brief = "simulate one of N sets only (1/16)",                           \
			.full = "N is a power of two; 2/16 and 12.5% are 1/8. Of these sets "    \
				"everything is known; that they are like the others is taken "   \
				"for granted. May be used with --sample.",                       \
		},                                                                               \
	{                                                                                        \
		.kind = MS_OPT_NUMBER, .name = "sample-seed", .value = "N",                      \
		.offset = offsetof(type, field.seed), .min = 0, .max = 4294967295.0,             \
		.brief = "choose windows and sets in another way (default: 0)",                  \
		.full = "The same seed gives the same sets, and the same windows where "         \
			"references are counted between them (see --window). After that, "       \
			"native windows open by processor time, and differ from run to run.",    \
	}

/* *samples: whether any of them was given. */
int ms_options_read_sampling(const struct ms_options_sampling *options,
			     const struct ms_machine *const *machines, size_t machine_count,
			     bool monitors, struct ms_stream_sampling *sampling, bool *samples,
			     struct ms_err *err);
/* Warns about a run with no or few windows, and names a remedy. */
void ms_options_warn_sampling(const struct ms_options_sampling *options, const struct ms_run *run);

#endif
