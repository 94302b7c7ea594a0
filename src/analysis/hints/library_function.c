/*
 * analysis/hints/library_function.c - a function of the C library or the C++ runtime causes much of
 * the stall time, and the run does not know who called it.
 */
#include <inttypes.h>
#include <string.h>

#include "analysis/call_paths/call_paths.h"
#include "analysis/hints/hints_priv.h"
#include "analysis/summary/rounded_shares.h"
#include "base/compiler.h"

/* Of the stall time of the run. */
#define LEAST_SHARE 0.2

/* Whether another run of this kind would have call paths. */
static bool can_have_paths(const struct ms_run *run)
{
	static const char *const frontends[] = { "native", "valgrind" };

	for (size_t i = 0; i < MS_COUNT(frontends); i++)
		if (run->frontend != NULL && strcmp(run->frontend, frontends[i]) == 0)
			return run->paths.n == 0 && run->hardware.n == 0;
	return false;
}

/* The dynamic loader is not called by the program: it runs before it, and where a function is
 * called for the first time. */
static bool is_loader(const struct ms_run_code *code)
{
	return strncmp(ms_base_name(code->module), "ld-", strlen("ld-")) == 0;
}

void ms_hints_add_library_function(struct ms_text *out, const struct ms_summary *s)
{
	uint64_t all = ms_summary_rw_sum(s->total.counts.stall);

	for (size_t i = 0; i < s->code.at.n && can_have_paths(s->run); i++) {
		const struct ms_summary_entry *e = &s->code.at.at[i];
		uint64_t stall = ms_summary_rw_sum(e->counts.stall);
		uint32_t tenths = ms_summary_share_tenths(stall, all);

		if (ms_summary_share(stall, all) < LEAST_SHARE ||
		    !ms_paths_is_system(s->run, e->code) || is_loader(&s->run->codes.at[e->code]))
			continue;
		const char *name = s->run->codes.at[e->code].name;

		ms_text_addf(out,
			     "%s has %" PRIu32 ".%" PRIu32
			     "%% of the stall time. 'memspy run --call-paths' records who calls "
			     "it, and 'memspy callers %s' shows that.",
			     name, tenths / 10, tenths % 10, name);
		return;
	}
}
