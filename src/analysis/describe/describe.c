#include "analysis/describe/describe.h"

#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "run/enum_words.h"
#include "run/key.h"

static void add_signal(struct ms_text *out, const char *how, int number)
{
	const char *name = sigabbrev_np(number);

	if (name != NULL)
		ms_text_addf(out, "%s SIG%s", how, name);
	else
		ms_text_addf(out, "%s signal %d", how, number);
}

void ms_describe_end(struct ms_text *out, uint32_t end, int status)
{
	if (end == MS_END_EXITED)
		ms_text_addf(out, "exit %d", status);
	else if (end == MS_END_SIGNALED)
		add_signal(out, "killed by", status);
	else if (end == MS_END_INTERRUPTED)
		add_signal(out, "stopped by", status);
	else if (end == MS_END_INCOMPLETE)
		ms_text_add(out, "incomplete");
	else
		ms_text_add(out, "end not seen");
}

const char *ms_describe_no_window(const struct ms_run *run)
{
	if (run->stops > 0)
		return "no window opened while the program counted, from MEMSPY_START() on";
	return ms_run_is_part(run) ? "no window opened while the program was followed"
				   : "the program was over before a window opened";
}

void ms_describe_shell_word(struct ms_text *out, const char *word)
{
	static const char safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				   "_-./:=@%+,";

	if (word[0] != '\0' && word[strspn(word, safe)] == '\0') {
		ms_text_add(out, word);
		return;
	}
	ms_text_add(out, "'");
	for (; *word != '\0'; word++) {
		if (*word == '\'')
			ms_text_add(out, "'\\''");
		else
			ms_text_add_n(out, word, 1);
	}
	ms_text_add(out, "'");
}

void ms_describe_command(struct ms_text *out, const char *program, const char *const *argv,
			 size_t n)
{
	bool named = n > 0 && strcmp(argv[0], program) == 0;

	ms_describe_shell_word(out, program);
	for (size_t i = named ? 1 : 0; i < n; i++) {
		ms_text_add(out, " ");
		ms_describe_shell_word(out, argv[i]);
	}
}

void ms_describe_level(struct ms_text *out, const struct ms_run_level *level)
{
	static const char *const before[MS_TRAITS] = {
		[MS_TRAIT_WRITE] = "write-",
		[MS_TRAIT_WRITE_MISS] = "write-",
	};

	for (int i = 0; i < MS_TRAITS; i++)
		if (level->traits[i] != 0)
			ms_text_addf(out, " %s%s", before[i] != NULL ? before[i] : "",
				     ms_run_level_trait_word((enum ms_run_level_trait)i,
							     level->traits[i]));
	if (level->prefetch > 0)
		ms_text_addf(out, " prefetch %" PRIu32, level->prefetch);
}

void ms_describe_loader(struct ms_text *out, const struct ms_run *run, uint64_t references)
{
	char number[MS_NUM_TEXT];

	for (size_t i = 0; i < run->untraced.n; i++) {
		uint64_t loader = run->untraced.at[i].times;

		if (run->untraced.at[i].who != MS_WHO_LOADER || loader == 0)
			continue;
		ms_text_addf(out,
			     "not traced; before the program started it made about %s references "
			     "(estimated), %.0f%% of all; --frontend valgrind counts them",
			     ms_format_count(loader, number),
			     100 * (double)loader / ((double)loader + (double)references));
	}
}

void ms_describe_waiting(struct ms_text *out, const struct ms_run *run)
{
	char number[MS_NUM_TEXT];
	const char *between = "in loops of ";
	uint64_t references = 0;

	for (size_t i = 0; i < run->untraced.n; i++) {
		const struct ms_run_untraced *u = &run->untraced.at[i];

		if (u->who != MS_WHO_WAITING)
			continue;
		ms_text_addf(out, "%s%s", between, u->reason);
		between = ", ";
		references += u->times;
	}
	if (references > 0)
		ms_text_addf(out,
			     " threads wait for others; how many references that takes depends on "
			     "timing: %s between windows are not counted",
			     ms_format_count(references, number));
}

void ms_describe_untraced(struct ms_text *out, const struct ms_run *run, enum ms_run_who who)
{
	uint64_t times = 0;
	double seconds = 0;
	char duration[MS_NUM_TEXT];
	const char *between = ": ";

	for (size_t i = 0; i < run->untraced.n; i++)
		if (run->untraced.at[i].who == who) {
			times += run->untraced.at[i].times;
			seconds += run->untraced.at[i].seconds;
		}
	if (times == 0)
		return;
	if (who == MS_WHO_CHILD)
		ms_text_addf(out, "%" PRIu64 " ran untraced", times);
	else
		ms_text_addf(out, "in part; the program ran untraced %" PRIu64 " time%s", times,
			     times == 1 ? "" : "s");
	if (seconds > 0)
		ms_text_addf(out, ", for %s", ms_format_seconds(seconds, duration));
	if (seconds > 0 && run->processor_seconds >= seconds)
		ms_text_addf(out, " of its %s of processor time",
			     ms_format_seconds(run->processor_seconds, duration));
	for (size_t i = 0; i < run->untraced.n; i++) {
		const struct ms_run_untraced *u = &run->untraced.at[i];

		if (u->who != who)
			continue;
		ms_text_addf(out, "%s%s", between, u->reason);
		if (u->times != times)
			ms_text_addf(out, " (%" PRIu64 ")", u->times);
		between = "; ";
	}
}

void ms_describe_key(struct ms_text *out, const struct ms_run *run, uint32_t data)
{
	if (run->data.at[data].key != NULL)
		ms_text_add(out, run->data.at[data].key);
	else
		ms_run_data_key(out, &run->data.at[data]);
}

static const char *separator(const struct ms_text *text)
{
	return text->n > 0 ? "; " : "";
}

/*
 * The limit of the run is not stored: a run has at most as many paths as bins of their own and
 * merged ones together. Bins that were never used are not in the run; the next power of two has
 * room for them.
 */
uint64_t ms_describe_path_limit(const struct ms_run *run)
{
	enum { USUAL_LIMIT = 2048 };
	uint64_t own = 0, merged = 0, limit = 1;

	for (size_t i = 0; i < run->data.n; i++) {
		const struct ms_run_data *data = &run->data.at[i];

		own += data->paths == 0 &&
		       (data->kind == MS_DATA_HEAP || data->kind == MS_DATA_MAPPED);
		merged += data->paths;
	}
	if (merged == 0)
		return 0;
	own = own > USUAL_LIMIT ? own : USUAL_LIMIT;
	while (limit < own + merged)
		limit *= 2;
	return limit;
}

void ms_describe_merged(struct ms_text *text, const struct ms_run *run)
{
	uint64_t paths = 0, bins = 0;

	for (size_t i = 0; i < run->data.n; i++) {
		paths += run->data.at[i].paths;
		bins += run->data.at[i].paths > 0;
	}
	if (paths > 0)
		ms_text_addf(text,
			     "%" PRIu64 " call paths in %" PRIu64
			     " bins of {other paths} (--max-paths %" PRIu64 " keeps them apart)",
			     paths, bins, ms_describe_path_limit(run));
	if (run->merged_sites > 0)
		ms_text_addf(text, "%s%" PRIu64 " instructions with others of their lines",
			     separator(text), run->merged_sites);
	if (run->merged_pairs > 0)
		ms_text_addf(text,
			     "%ssmall counts of evictions with <other data>: other pairs are too "
			     "low by at most %" PRIu64,
			     separator(text), run->pair_error);
	if (text->n > 0)
		ms_text_add(text, ". Totals are exact; --exact-pairs keeps all.");
}

void ms_describe_grouping(struct ms_text *text, const struct ms_run *run, double share)
{
	uint64_t data = 0, groups = 0;

	for (size_t i = 0; i < run->data.n; i++) {
		data += run->data.at[i].grouped;
		groups += run->data.at[i].grouped > 0;
	}
	if (groups == 0)
		return;
	ms_text_addf(text, "%" PRIu64 " heap data structures%s in %" PRIu64 " group%s by %s", data,
		     run->grouping == MS_GROUPING_SMALL
			     ? " with less than 1% of the stall time each"
			     : "",
		     groups, groups == 1 ? "" : "s",
		     run->grouping == MS_GROUPING_FUNCTION ? "allocating function"
							   : "type or allocating function");
	ms_text_addf(text, ", %.1f%% of the stall time; --group none shows each", 100 * share);
}

const struct ms_run_frame *ms_describe_call_path(const struct ms_run *run, uint32_t data, size_t *n)
{
	size_t low = 0, high = run->frames.n;

	while (low < high) { /* frames are sorted by data: the first that is not before it */
		size_t middle = low + (high - low) / 2;

		if (run->frames.at[middle].data < data)
			low = middle + 1;
		else
			high = middle;
	}
	for (*n = 0; low + *n < run->frames.n && run->frames.at[low + *n].data == data;)
		++*n;
	return *n > 0 ? &run->frames.at[low] : NULL;
}
