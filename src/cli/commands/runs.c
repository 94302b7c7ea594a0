/* cli/commands/runs.c - memspy runs: which runs the database holds, and which it should hold. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/near.h"
#include "base/num.h"
#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/options/report.h"
#include "cli/prune.h"
#include "run/run_list.h"

struct runs_command {
	struct ms_options_report report;
	struct ms_run_filter filter;
	struct ms_cli_prune prune;
	bool dry;
};

#define FILTER(option, field, what, about)                                            \
	{                                                                             \
		.kind = MS_OPT_TEXT, .name = option, .value = what,                   \
		.offset = offsetof(struct runs_command, filter.field), .brief = about \
	}

static const struct ms_opt runs_rows[] = {
	FILTER("program", program, "PATTERN", "only runs of programs called so"),
	FILTER("tagged", tag, "PATTERN", "only runs with such a tag"),
	FILTER("on", machine, "PATTERN", "only runs simulated on such a machine"),
	FILTER("host", host, "PATTERN", "only runs made on such a host (and its processor)"),
	FILTER("via", frontend, "PATTERN", "only runs of such a front-end"),
	FILTER("build-id", build_id, "HEX", "only runs of the program with this build-id"),
	FILTER("commit", commit, "HEX", "only runs of this git commit"),
	FILTER("noted", note, "TEXT", "only runs with this in their note"),
	FILTER("since", since, "WHEN", "only runs from then on: 2026-11-15, 2026-11-15T10:31, 7d"),
	FILTER("until", until, "WHEN", "only runs up to then; like --since in UTC"),
	{ .kind = MS_OPT_NUMBER,
	  .name = "keep",
	  .value = "N",
	  .offset = offsetof(struct runs_command, prune.keep),
	  .min = 1,
	  .max = 1000000000,
	  .brief = "prune: the newest N of each program stay" },
	{ .kind = MS_OPT_SIZE,
	  .name = "limit",
	  .value = "SIZE",
	  .offset = offsetof(struct runs_command, prune.limit),
	  .min = 65536,
	  .max = (double)(UINT64_C(1) << 50),
	  .brief = "prune: no more go than the database needs to be of this size" },
	{ .kind = MS_OPT_FLAG,
	  .name = "all",
	  .offset = offsetof(struct runs_command, prune.all),
	  .brief = "prune: also runs with a tag or a note" },
	{ .kind = MS_OPT_FLAG,
	  .name = "dry-run",
	  .offset = offsetof(struct runs_command, dry),
	  .brief = "delete, prune: only say which runs would go" },
	MS_OPTIONS_DB_ROW(struct runs_command, report),
	MS_OPTIONS_FORMAT_ROWS(struct runs_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct runs_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const runs_tables[] = { runs_rows, NULL };

/* --- the list --- */

static int load(const struct runs_command *c, struct ms_run_list *heads, struct ms_err *err)
{
	struct ms_store *store;

	MS_TRY(ms_store_open(&store, c->report.db, MS_STORE_READ, err));
	int code = ms_store_list(store, heads, err);
	ms_store_close(store);
	MS_TRY(code);
	code = ms_run_list_filter(heads, &c->filter, err);
	if (code != MS_OK)
		ms_run_list_free(heads);
	return code;
}

static bool is_filtered(const struct ms_run_filter *f)
{
	return f->program != NULL || f->tag != NULL || f->machine != NULL || f->host != NULL ||
	       f->frontend != NULL || f->build_id != NULL || f->commit != NULL || f->note != NULL ||
	       f->since != NULL || f->until != NULL;
}

static int print(const struct runs_command *c, const struct ms_run_list *heads, struct ms_err *err)
{
	const struct ms_options_report *opts = &c->report;
	enum ms_views_format format;
	struct ms_views_options options;
	FILE *out;

	MS_TRY(ms_options_open_output(opts, &out, err));
	int code = ms_options_read_view(opts, out, &format, &options, err);
	options.chosen = is_filtered(&c->filter);
	if (code == MS_OK)
		code = ms_views_runs_writers[format](heads, &options, out, err);
	return ms_options_close_output(opts, out, code, err);
}

static int list(const struct runs_command *c, struct ms_err *err)
{
	struct ms_run_list heads;

	MS_TRY(load(c, &heads, err));
	int code = print(c, &heads, err);
	ms_run_list_free(&heads);
	return code;
}

/* --- delete and prune --- */

/* "Deleted 3 runs (@1, @2, @5); the database has 1.2 MiB now, 300 KiB less." */
static void print_deleted(const struct ms_store_run_ids *ids, bool dry, uint64_t before,
			  uint64_t after)
{
	char now[MS_NUM_TEXT], less[MS_NUM_TEXT];
	struct ms_text names = MS_TEXT_INIT;

	for (size_t i = 0; i < ids->at.n; i++)
		ms_text_addf(&names, "%s@%" PRId64, i > 0 ? ", " : "", ids->at.at[i]);
	printf("%s %zu run%s", dry ? "Would delete" : "Deleted", ids->at.n,
	       ids->at.n == 1 ? "" : "s");
	if (ids->at.n > 0)
		printf(" (%s)", names.at);
	if (dry)
		printf(".\n");
	else
		printf("; the database has %s now, %s less.\n", ms_format_size(after, now),
		       ms_format_size(before > after ? before - after : 0, less));
	ms_text_free(&names);
}

static int delete_ids(struct ms_store *store, const struct runs_command *c,
		      const struct ms_store_run_ids *ids, struct ms_err *err)
{
	uint64_t before, after;

	MS_TRY(ms_store_size(store, &before, err));
	if (!c->dry && ids->at.n > 0)
		MS_TRY(ms_store_delete(store, ids->at.at, ids->at.n, err));
	MS_TRY(ms_store_size(store, &after, err));
	print_deleted(ids, c->dry, before, after);
	return MS_OK;
}

static int find_all(struct ms_store *store, const char *const *words, size_t n,
		    struct ms_store_run_ids *ids, struct ms_err *err)
{
	struct ms_text names = MS_TEXT_INIT;

	for (size_t i = 0; i < n; i++)
		ms_text_addf(&names, "%s%s", i > 0 ? "," : "", words[i]);
	int code = ms_store_find_set(store, names.at, ids, err);
	ms_text_free(&names);
	return code;
}

static int delete_runs(const struct runs_command *c, const char *const *words, size_t n,
		       struct ms_err *err)
{
	struct ms_store *store;
	struct ms_store_run_ids ids;

	MS_TRY(ms_store_open(&store, c->report.db, MS_STORE_WRITE, err));
	int code = find_all(store, words, n, &ids, err);
	if (code == MS_OK) {
		code = delete_ids(store, c, &ids, err);
		ms_vec_free(&ids.at);
	}
	ms_store_close(store);
	return code;
}

static int prune_store(struct ms_store *store, const struct runs_command *c, struct ms_err *err)
{
	struct ms_run_list heads;
	struct ms_store_run_ids ids;
	uint64_t size;

	MS_TRY(ms_store_size(store, &size, err));
	MS_TRY(ms_store_list(store, &heads, err));
	int code = ms_run_list_filter(&heads, &c->filter, err);
	if (code == MS_OK) {
		ms_cli_prune_choose(&c->prune, &heads, size, &ids);
		code = delete_ids(store, c, &ids, err);
		ms_vec_free(&ids.at);
	}
	ms_run_list_free(&heads);
	return code;
}

static int prune_runs(const struct runs_command *c, const char *const *words, size_t n,
		      struct ms_err *err)
{
	struct ms_store *store;

	(void)words;
	(void)n;
	if (c->prune.keep == 0 && c->prune.limit == 0 && !is_filtered(&c->filter))
		return ms_fail(
			err, MS_EUSAGE,
			"runs prune expects --keep N, --limit SIZE or a filter (--until 30d) "
			"that says which runs may go");
	MS_TRY(ms_store_open(&store, c->report.db, MS_STORE_WRITE, err));
	int code = prune_store(store, c, err);
	ms_store_close(store);
	return code;
}

/* --- from and to other databases --- */

static void print_copied(const char *what, const char *file, const struct ms_store_copied *copied)
{
	printf("%s: %s %zu run%s", file, what, copied->copied, copied->copied == 1 ? "" : "s");
	if (copied->copied == 1 && copied->known == 0)
		printf(" (@%" PRId64 ")", copied->latest);
	if (copied->known > 0)
		printf("; %zu %s there already", copied->known,
		       copied->known == 1 ? "was" : "were");
	if (copied->copied == 0 && copied->known == 1)
		printf(" (@%" PRId64 ")", copied->latest);
	printf(".\n");
}

static int merge_file(const struct runs_command *c, const char *file, struct ms_err *err)
{
	struct ms_store *to = NULL, *from;
	struct ms_store_copied copied;

	MS_TRY(ms_store_open(&from, file, MS_STORE_READ, err));
	int code = ms_store_open(&to, c->report.db, MS_STORE_WRITE, err);
	if (code == MS_OK)
		code = ms_store_copy(to, from, NULL, 0, &copied, err);
	if (code == MS_OK)
		print_copied("took in", file, &copied);
	ms_store_close(to);
	ms_store_close(from);
	return code;
}

static int merge_runs(const struct runs_command *c, const char *const *words, size_t n,
		      struct ms_err *err)
{
	for (size_t i = 0; i < n; i++)
		MS_TRY(merge_file(c, words[i], err));
	return MS_OK;
}

/* The file is a run database like any other; what is there already is added to. */
static int export_to(struct ms_store *from, const char *names, const char *file, struct ms_err *err)
{
	struct ms_store *to = NULL;
	struct ms_store_copied copied;
	struct ms_store_run_ids ids;

	MS_TRY(ms_store_find_set(from, names, &ids, err));
	int code = ms_store_open(&to, file, MS_STORE_WRITE, err);
	if (code == MS_OK)
		code = ms_store_copy(to, from, ids.at.at, ids.at.n, &copied, err);
	if (code == MS_OK)
		print_copied("was given", file, &copied);
	ms_store_close(to);
	ms_vec_free(&ids.at);
	return code;
}

static int export_runs(const struct runs_command *c, const char *const *words, size_t n,
		       struct ms_err *err)
{
	struct ms_store *from;

	(void)n;
	MS_TRY(ms_store_open(&from, c->report.db, MS_STORE_READ, err));
	int code = export_to(from, words[0], words[1], err);
	ms_store_close(from);
	return code;
}

static int upgrade(const struct runs_command *c, const char *const *words, size_t n,
		   struct ms_err *err)
{
	struct ms_store *store;

	(void)words;
	(void)n;
	if (access(c->report.db, F_OK) != 0)
		return ms_fail(err, MS_ENOENT, "%s: there is no such file; --db names another",
			       c->report.db);
	MS_TRY(ms_store_open(&store, c->report.db, MS_STORE_WRITE, err));
	ms_store_close(store);
	printf("%s: up to date.\n", c->report.db);
	return MS_OK;
}

/* --- the command --- */

static const struct {
	const char *word;
	const char *wants;
	size_t least, most; /* words after it */
	int (*run)(const struct runs_command *c, const char *const *words, size_t n,
		   struct ms_err *err);
} verbs[] = {
	{ "delete", "RUN ...", 1, SIZE_MAX, delete_runs },
	{ "prune", "options only", 0, 0, prune_runs },
	{ "merge", "FILE ...", 1, SIZE_MAX, merge_runs },
	{ "export", "RUN FILE", 2, 2, export_runs },
	{ "import", "FILE ...", 1, SIZE_MAX, merge_runs },
	{ "upgrade", "nothing more", 0, 0, upgrade },
};

static int no_verb(const char *word, struct ms_err *err)
{
	struct ms_near near = { .word = word };

	for (size_t i = 0; i < MS_COUNT(verbs); i++)
		ms_near_try(&near, verbs[i].word);
	if (near.best != NULL)
		return ms_fail(err, MS_EUSAGE, "unknown word '%s'; did you mean memspy runs %s?",
			       word, near.best);
	return ms_fail(err, MS_EUSAGE, "unexpected argument '%s'; did you mean memspy report %s?",
		       word, word);
}

static int dispatch(const struct runs_command *c, const struct ms_words *words, struct ms_err *err)
{
	size_t n = words->at.n;

	if (n == 0)
		return list(c, err);
	for (size_t i = 0; i < MS_COUNT(verbs); i++) {
		if (strcmp(verbs[i].word, words->at.at[0]) != 0)
			continue;
		if (n - 1 < verbs[i].least || n - 1 > verbs[i].most)
			return ms_fail(err, MS_EUSAGE, "runs %s expects %s", verbs[i].word,
				       verbs[i].wants);
		return verbs[i].run(c, words->at.at + 1, n - 1, err);
	}
	return no_verb(words->at.at[0], err);
}

static int run_runs(int argc, char *const argv[])
{
	struct runs_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	if (ms_cli_options(&ms_commands_runs, argc, argv, &command, &words, &status))
		return status;
	if (dispatch(&command, &words, &err) != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_runs = {
	.name = "runs",
	.usage = "runs [options] [delete RUN ... | prune | merge FILE ... | export RUN FILE | "
		 "import FILE ... | upgrade]",
	.brief = "list the runs in the run database, delete them, pass them on",
	.full = "Lists every run with its number, tags, time, figures, end, size, machine and "
		"command line; the options choose some of them. A run is named @3 or 3, @latest, "
		"or by its tag wherever a command takes one; where several may be named, @3..@7 "
		"are those of the first one's program (in whatever folder), @3,@5 these two, and a "
		"tag all that have it.\n\n"
		"delete: these runs. prune: all runs that the options choose, but none with a "
		"tag or a note unless --all is given; --keep and --limit spare the newest.\n\n"
		"export: copies runs into a file of their own, a run database like any other. "
		"import, merge: take in all runs of other databases, and their rules. A run that "
		"is there already is not taken twice.\n\n"
		"upgrade: brings a database of an older memspy up to date.",
	.examples = "memspy runs\tthe runs in memspy.db\n"
		    "memspy runs --db old.db --top 5\tthe newest five in another database\n"
		    "memspy runs --program matmul --since 7d\twhat was tried this week\n"
		    "memspy runs --commit 1f3a --json\tof one commit, for a script\n"
		    "memspy runs prune --keep 20\tall but the newest 20 of each program\n"
		    "memspy runs export @base base.db\tfor a colleague\n"
		    "memspy runs import base.db\tand there\n",
	.options = { runs_tables, false },
	.run = run_runs,
};
