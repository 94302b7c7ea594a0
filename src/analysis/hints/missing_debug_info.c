/*
 * analysis/hints/missing_debug_info.c - a module of the user's that causes stall time and has no
 * debug information. Modules of the C library and the C++ runtime do not count: their functions
 * have symbols, and few users want their source lines.
 */
#include <string.h>

#include "analysis/call_paths/call_paths.h"
#include "analysis/hints/hints_priv.h"
#include "analysis/summary/rounded_shares.h"

/* Of the stall time of the run. Below it, source lines of the module would change little. */
#define LEAST_SHARE 0.05

static const struct ms_run_code *code_of(const struct ms_summary *s, size_t entry)
{
	return &s->run->codes.at[s->code.at.at[entry].code];
}

/* The function without source file that stalls the most; NULL: none. Reports may have sorted the
 * list by something else. Modules that are not files (JIT code, [vdso]) cannot be rebuilt. */
static const struct ms_run_code *find_worst(const struct ms_summary *s)
{
	const struct ms_run_code *worst = NULL;
	uint64_t most = 0;

	for (size_t i = 0; i < s->code.at.n; i++) {
		const struct ms_run_code *code = code_of(s, i);
		uint64_t stall = ms_summary_rw_sum(s->code.at.at[i].counts.stall);

		if (stall <= most || code->file != NULL || code->module[0] != '/' ||
		    ms_paths_is_system(s->run, s->code.at.at[i].code))
			continue;
		most = stall;
		worst = code;
	}
	return worst;
}

/* "prog+0x1180": the module has no symbol for it. */
static bool has_no_symbol(const struct ms_run_code *code)
{
	const char *module = ms_base_name(code->module);
	size_t n = strlen(module);

	return strncmp(code->name, module, n) == 0 && strncmp(code->name + n, "+0x", 3) == 0;
}

/* Whether most of what the module costs has no source lines; a few functions in assembly language
 * never have any. */
static bool lacks_debug_info(const struct ms_summary *s, const char *module)
{
	uint64_t with = 0, without = 0;

	for (size_t i = 0; i < s->code.at.n; i++) {
		const struct ms_run_code *code = code_of(s, i);
		uint64_t stall = ms_summary_rw_sum(s->code.at.at[i].counts.stall);

		if (strcmp(code->module, module) == 0)
			*(code->file != NULL ? &with : &without) += stall;
	}
	return without > with &&
	       ms_summary_share(without, ms_summary_rw_sum(s->total.counts.stall)) >= LEAST_SHARE;
}

void ms_hints_add_missing_debug_info(struct ms_text *out, const struct ms_summary *s)
{
	const struct ms_run_code *worst = find_worst(s);

	if (worst == NULL || !lacks_debug_info(s, worst->module))
		return;
	ms_text_addf(out,
		     "%s %s: %s, and data is named by %s. Build it with -g%s, or install its "
		     "debug symbols.",
		     ms_base_name(worst->module),
		     has_no_symbol(worst) ? "is stripped" : "has no debug information",
		     has_no_symbol(worst) ? "functions are named by their addresses"
					  : "source lines are not known",
		     has_no_symbol(worst) ? "its allocation call path"
					  : "symbol or allocation call path",
		     has_no_symbol(worst) ? ", without -s or strip" : "");
}
