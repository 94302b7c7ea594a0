/*
 * analysis/user_rules/group_mpi.c - adds up functions of MPI's libraries: they are as many as those
 * of the program, and what they do is of interest as one. Those that poll for other ranks are apart
 * from those that do something.
 */
#include <string.h>

#include "analysis/summary/mpi_code.h"
#include "analysis/summary/name_match.h"
#include "analysis/user_rules/rules_priv.h"
#include "base/mem.h"
#include "base/mpi_libraries.h"

enum { GROUPS = MS_SUMMARY_MPI_WAITING + 1 };

static const char *const names[GROUPS] = {
	[MS_SUMMARY_MPI_WORKING] = MS_MPI_WORKING,
	[MS_SUMMARY_MPI_WAITING] = MS_MPI_WAITING,
};

/* Asked for by its name, or by a pattern that is not one of any other function. */
static bool is_asked_for(const char *name, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(words[i], "*") != 0 &&
		    (ms_summary_matchers[MS_MATCH_EXACT](name, words[i]) ||
		     ms_summary_matchers[MS_MATCH_PATTERN](name, words[i])))
			return true;
	return false;
}

void ms_rules_group_mpi(struct ms_run *run, const char *const *apart, size_t apart_n)
{
	uint32_t first[GROUPS] = { MS_NONE, MS_NONE, MS_NONE };

	enum ms_summary_mpi *roles = ms_alloc((run->codes.n + 1) * sizeof(*roles));

	ms_summary_find_mpi(run, roles);
	uint32_t *group = ms_rules_single_groups(run->codes.n);
	bool *whole = ms_alloc((run->codes.n + 1) * sizeof(*whole));
	for (uint32_t i = 0; i < run->codes.n; i++) {
		struct ms_run_code *code = &run->codes.at[i];
		enum ms_summary_mpi of = roles[i];

		if (of == MS_SUMMARY_NOT_MPI || is_asked_for(code->name, apart, apart_n))
			continue;
		if (first[of] == MS_NONE) {
			first[of] = i;
			*code = (struct ms_run_code){ names[of], names[of], NULL, 0, 0 };
		}
		group[i] = first[of];
		whole[i] = true;
	}
	if (first[MS_SUMMARY_MPI_WORKING] != MS_NONE || first[MS_SUMMARY_MPI_WAITING] != MS_NONE)
		ms_rules_combine_code(run, group, whole);
	ms_free(roles);
	ms_free(whole);
	ms_free(group);
}

/* Of compute and stall, in per cent. */
static double share_of(const struct ms_summary *summary, const char *name)
{
	const struct ms_summary_counts *total = &summary->total.counts;
	double all = (double)(total->compute + ms_summary_rw_sum(total->stall)), part = 0;

	for (size_t i = 0; i < summary->code.at.n; i++) {
		const struct ms_summary_entry *e = &summary->code.at.at[i];

		if (strcmp(e->name, name) == 0)
			part += (double)(e->counts.compute + ms_summary_rw_sum(e->counts.stall));
	}
	return all > 0 ? 100 * part / all : 0;
}

void ms_rules_describe_mpi(struct ms_text *out, const struct ms_summary *summary)
{
	double waiting = share_of(summary, MS_MPI_WAITING);
	double working = share_of(summary, MS_MPI_WORKING);

	if (waiting + working > 0)
		ms_text_addf(out,
			     "%.1f%% of the time in functions that poll for other ranks "
			     "(" MS_MPI_WAITING "), which depends on these, and %.1f%% in "
			     "other functions of MPI's libraries (" MS_MPI_WORKING ")",
			     waiting, working);
}
