#include "run/run_list.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/seconds.h"
#include "base/text.h"

static bool matches(const char *pattern, const char *text)
{
	return pattern == NULL || (text != NULL && fnmatch(pattern, text, 0) == 0);
}

static bool begins(const char *start, const char *text)
{
	return start == NULL || (text != NULL && strncmp(text, start, strlen(start)) == 0);
}

static bool program_matches(const char *pattern, const char *program)
{
	if (pattern == NULL || strchr(pattern, '/') != NULL)
		return matches(pattern, program);
	return matches(pattern, ms_base_name(program));
}

static bool tag_matches(const char *pattern, const struct ms_run_list_entry *head)
{
	if (pattern == NULL || matches(pattern, head->tag))
		return true;
	for (size_t i = 0; i < head->tags.n; i++)
		if (matches(pattern, head->tags.at[i]))
			return true;
	return false;
}

/* Moments are compared as strings: those of the store begin with the year and end with Z. */
static bool is_within(const struct ms_run_list_entry *head, const char *since, const char *until)
{
	return (since[0] == '\0' || strcmp(head->started, since) >= 0) &&
	       (until[0] == '\0' || strncmp(head->started, until, strlen(until)) <= 0);
}

static bool is_wanted(const struct ms_run_list_entry *head, const struct ms_run_filter *f,
		      const char *since, const char *until)
{
	return program_matches(f->program, head->program) && tag_matches(f->tag, head) &&
	       matches(f->machine, head->machine) && matches(f->host, head->host) &&
	       matches(f->frontend, head->frontend) && begins(f->build_id, head->build_id) &&
	       begins(f->commit, head->git_commit) && is_within(head, since, until) &&
	       (f->note == NULL || (head->note != NULL && strcasestr(head->note, f->note)));
}

/* "7d": this long before now. */
static bool long_ago(const char *text, char out[MS_SECONDS_UTC_TEXT])
{
	static const struct {
		char unit;
		int64_t seconds;
	} units[] = { { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 }, { 'w', 7 * 86400 } };
	char number[16];
	size_t n = strlen(text);
	uint64_t count;

	if (n < 2 || n > sizeof(number))
		return false;
	snprintf(number, sizeof(number), "%.*s", (int)(n - 1), text);
	if (!ms_parse_u64(number, &count) || count > 1000000)
		return false;
	for (size_t i = 0; i < MS_COUNT(units); i++) {
		time_t moment = time(NULL) - (time_t)((int64_t)count * units[i].seconds);

		if (text[n - 1] != units[i].unit)
			continue;
		ms_seconds_format_utc(moment, out);
		return true;
	}
	return false;
}

/* "2026-11-15T10:31:02Z", or a prefix of it that has the year. */
static bool is_moment(const char *text)
{
	static const char shape[] = "dddd-dd-ddTdd:dd:ddZ";
	size_t n = strlen(text);

	for (size_t i = 0; i < n; i++)
		if (i >= strlen(shape) ||
		    (shape[i] == 'd' ? strchr("0123456789", text[i]) == NULL : text[i] != shape[i]))
			return false;
	return n >= 4;
}

static int read_moment(const char *name, const char *text, char out[MS_SECONDS_UTC_TEXT],
		       struct ms_err *err)
{
	out[0] = '\0';
	if (text == NULL || long_ago(text, out))
		return MS_OK;
	if (!is_moment(text))
		return ms_fail(
			err, MS_EUSAGE,
			"--%s expects a moment (2026-11-15, 2026-11-15T10:31, in UTC) or how "
			"long ago (90m, 12h, 7d, 2w), not '%s'",
			name, text);
	snprintf(out, MS_SECONDS_UTC_TEXT, "%s", text);
	return MS_OK;
}

int ms_run_list_filter(struct ms_run_list *heads, const struct ms_run_filter *filter,
		       struct ms_err *err)
{
	char since[MS_SECONDS_UTC_TEXT], until[MS_SECONDS_UTC_TEXT];
	size_t n = 0;

	MS_TRY(read_moment("since", filter->since, since, err));
	MS_TRY(read_moment("until", filter->until, until, err));
	for (size_t i = 0; i < heads->at.n; i++) {
		struct ms_run_list_entry *head = &heads->at.at[i];

		if (is_wanted(head, filter, since, until)) {
			heads->at.at[n++] = *head;
			continue;
		}
		ms_vec_free(&head->argv);
		ms_vec_free(&head->tags);
	}
	heads->at.n = n;
	return MS_OK;
}

void ms_run_list_free(struct ms_run_list *heads)
{
	for (size_t i = 0; i < heads->at.n; i++) {
		ms_vec_free(&heads->at.at[i].argv);
		ms_vec_free(&heads->at.at[i].tags);
	}
	ms_vec_free(&heads->at);
	ms_arena_free(&heads->arena);
}
