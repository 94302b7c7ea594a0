#include "cli/options/observed_lines.h"

#include <stdio.h>
#include <string.h>

#include "analysis/user_rules/rules.h"
#include "base/text.h"
#include "engine/engine.h"
#include "run/key.h"

uint32_t ms_options_find_line_rate(const struct ms_options_observed_lines *observed)
{
	if (observed->watch.words.n > 0)
		return MS_ENGINE_SELECT_WATCHED_LINES;
	if (observed->which == NULL)
		return 0;
	if (strcmp(observed->which, "none") == 0)
		return MS_ENGINE_SELECT_NO_LINES;
	return strcmp(observed->which, "all") == 0 ? 1 : 0;
}

int ms_options_check_watch(const struct ms_options_observed_lines *observed,
			   const struct ms_options_unwatchable *with, struct ms_err *err)
{
	const struct {
		bool is_given;
		const char *message;
	} excluded[] = {
		{ observed->which != NULL, "--watch: observes the lines of this data and no "
					   "others; omit --observed-lines or --watch" },
		{ with->is_sampled, "--watch: exact figures need all accesses; omit --watch, or "
				    "--sample and --sample-sets" },
		{ with->misses_only, "--watch: what is used of a line are its hits, too; omit "
				     "--watch or --misses-only" },
		{ with->has_monitor, "--watch: no lines are observed while monitors are "
				     "simulated; omit --watch or --pmu" },
		{ with->is_exact, "--watch: --exact-3c needs the lines of all data; omit one of "
				  "them" },
	};

	for (size_t i = 0; i < MS_COUNT(excluded) && observed->watch.words.n > 0; i++)
		if (excluded[i].is_given)
			return ms_fail(err, MS_EUSAGE, "%s", excluded[i].message);
	return MS_OK;
}

static bool is_matched(const char *pattern, const struct ms_run *run)
{
	struct ms_text key = MS_TEXT_INIT;
	bool found = false;

	for (size_t i = 0; i < run->data.n && !found; i++) {
		ms_text_clear(&key);
		ms_run_data_key(&key, &run->data.at[i]);
		found = ms_rules_match_data(pattern, ms_text_get(&key), run->data.at[i].name);
	}
	ms_text_free(&key);
	return found;
}

void ms_options_warn_unwatched(const struct ms_options_observed_lines *observed,
			       const struct ms_run *run)
{
	for (size_t i = 0; i < observed->watch.words.n; i++)
		if (!is_matched(observed->watch.words.at[i], run))
			fprintf(stderr,
				"memspy: --watch '%s' matches no data of this run; a pattern is "
				"for a whole name, and * stands for any part of one ('memspy "
				"report --by data' lists the names)\n",
				observed->watch.words.at[i]);
}

void ms_options_free_watch(struct ms_options_observed_lines *observed)
{
	ms_vec_free(&observed->watch.words);
}
