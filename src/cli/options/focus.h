/*
 * cli/options/focus.h - the options that keep a run to some of its code and data; for every command
 * that makes runs. The rest is simulated like everything, and added up as <rest>.
 */
#ifndef MS_CLI_OPTIONS_FOCUS_H
#define MS_CLI_OPTIONS_FOCUS_H

#include "base/err.h"
#include "base/opt.h"
#include "cli/options/report.h"
#include "run/run.h"
#include "store/rules.h"

struct ms_options_focus {
	struct ms_opt_list only_code;
	struct ms_opt_list only_data;
	struct ms_opt_list skip;
};

#define MS_OPTIONS_FOCUS_ROWS(type, field)                                                      \
	{                                                                                       \
		.kind = MS_OPT_LIST,                                                            \
		.name = "only-code",                                                            \
		.value = "PATTERN",                                                             \
		.offset = offsetof(type, field.only_code),                                      \
		.brief = "keep only such code, all other is <rest>; repeatable",                \
		.full = "A name with * ? [ in it, file:NAME for all code of a source file, or " \
			"lib:NAME for all of a library. All code is simulated, so that the "    \
			"caches are right; what is left out is added up.",                      \
	},                                                                                      \
		{                                                                               \
			.kind = MS_OPT_LIST,                                                    \
			.name = "only-data",                                                    \
			.value = "PATTERN",                                                     \
			.offset = offsetof(type, field.only_data),                              \
			.brief = "keep only such data, all other is <rest>; repeatable",        \
			.full = "A name or key ('memspy fullname') with * ? [ in it, or "       \
				"file:NAME "                                                    \
				"or lib:NAME for what is declared or allocated there.",         \
		},                                                                              \
	{                                                                                       \
		.kind = MS_OPT_LIST, .name = "skip", .value = "PATTERN",                        \
		.offset = offsetof(type, field.skip),                                           \
		.brief = "add such code and data up as <rest>; repeatable",                     \
		.full = "As --only-code and --only-data have it: --skip lib:libc.so.6.",        \
	}

#define MS_OPTIONS_MISSES_ONLY_ROW(type, field)                                                 \
	{                                                                                       \
		.kind = MS_OPT_FLAG, .name = "misses-only", .offset = offsetof(type, field),    \
		.brief = "do not attribute hits to data: faster, fewer figures",                \
		.full = "Misses, their causes, stall time and evictions are the same, "         \
			"and so are the references and miss rates of code and lines. Missing "  \
			"are references and miss rates of data, and of data in code. Programs " \
			"that use many small objects gain the most; where most references "     \
			"miss there is little to gain, and loops over arrays take longer.",     \
	}
/* Not with --sample nor --pmu, which need what is left out. */
int ms_options_check_misses_only(bool misses_only, bool samples, bool monitors, struct ms_err *err);

/* Keeps the run to what the options, and the rules "only" and "skip", ask for. Rules that cannot be
 * read are reported; the run is saved anyway. They are in `store`, where it is open already
 * (opening it takes a millisecond), else NULL. Whether anything asks for it: then it has changed.
 */
bool ms_options_apply_focus(const struct ms_options_focus *focus,
			    const struct ms_options_report *report, struct ms_store *store,
			    struct ms_run *run);
/* The rules that split data while a program runs. */
struct ms_options_splits {
	struct ms_run_rules rules;
	const char *program; /* set before they are read; NULL: it is not known yet */
};

/*
 * True: there are some, or some for the data of --watch. Takes ms_options_splits_free() in any
 * case. The store as above.
 */
bool ms_options_splits_read(struct ms_options_splits *splits,
			    const struct ms_options_report *report, const struct ms_opt_list *watch,
			    struct ms_store *store);
/* For struct ms_collect_options; arg is a struct ms_options_splits. */
unsigned ms_options_split(const char *key, const char *name, const void *arg);
void ms_options_splits_free(struct ms_options_splits *splits);

void ms_options_focus_free(struct ms_options_focus *focus);

#endif
