/* cli/commands/rules.c - memspy rules: lists, exports, imports and removes rules. */
#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "cli/commands/commands.h"
#include "cli/load_run.h"
#include "cli/options/report.h"
#include "store/rules.h"
#include "views/rules.h"

struct rules_command {
	struct ms_options_report report;
	bool export;
	const char *import;
	struct ms_opt_list remove;
};

static const struct ms_opt rules_rows[] = {
	{ .kind = MS_OPT_FLAG,
	  .name = "export",
	  .offset = offsetof(struct rules_command, export),
	  .brief = "write them as text, as memspy.rules holds them" },
	{ .kind = MS_OPT_TEXT,
	  .name = "import",
	  .value = "FILE",
	  .offset = offsetof(struct rules_command, import),
	  .brief = "keep the rules of a file in the run database" },
	{ .kind = MS_OPT_LIST,
	  .name = "remove",
	  .value = "N",
	  .offset = offsetof(struct rules_command, remove),
	  .brief = "take a rule out of the run database (may be repeated)" },
	MS_OPTIONS_DB_ROW(struct rules_command, report),
	MS_OPTIONS_RULES_ROW(struct rules_command, report),
	MS_OPTIONS_FORMAT_ROWS(struct rules_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct rules_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const rules_tables[] = { rules_rows, NULL };

static int remove_all(const struct rules_command *c, struct ms_store *store, struct ms_err *err)
{
	for (size_t i = 0; i < c->remove.words.n; i++) {
		uint64_t id;

		if (!ms_parse_u64(c->remove.words.at[i], &id) || id > INT64_MAX)
			return ms_fail(err, MS_EUSAGE,
				       "--remove %s, expected the number of a rule in the run "
				       "database; rules of a file are removed there",
				       c->remove.words.at[i]);
		MS_TRY(ms_store_remove_rule(store, (int64_t)id, err));
	}
	return MS_OK;
}

static int import(const struct rules_command *c, struct ms_store *store, struct ms_err *err)
{
	struct ms_options_report opts = { .rules = c->import };
	struct ms_run_rules rules = { 0 };

	if (c->import == NULL)
		return MS_OK;
	int code = ms_cli_rules(&opts, NULL, &rules, err);
	for (size_t i = 0; i < rules.at.n && code == MS_OK; i++)
		code = ms_store_add_rule(store, &rules.at.at[i], err);
	ms_run_rules_free(&rules);
	return code;
}

static int change(const struct rules_command *c, struct ms_err *err)
{
	struct ms_store *store;

	MS_TRY(ms_store_open(&store, c->report.db, MS_STORE_WRITE, err));
	int code = ms_store_begin_change(store, err);
	if (code == MS_OK) {
		code = remove_all(c, store, err);
		if (code == MS_OK)
			code = import(c, store, err);
		int ended = ms_store_end_change(store, code == MS_OK, code == MS_OK ? err : NULL);
		code = code == MS_OK ? ended : code;
	}
	ms_store_close(store);
	return code;
}

/* One line a rule; those of a file are in a file already. */
static void write_text(const struct ms_run_rules *rules, FILE *out)
{
	for (size_t i = 0; i < rules->at.n; i++) {
		struct ms_text line = MS_TEXT_INIT;

		if (rules->at.at[i].file != NULL)
			continue;
		ms_rules_write(&line, &rules->at.at[i]);
		fprintf(out, "%s\n", line.at);
		ms_text_free(&line);
	}
}

static int print(const struct rules_command *c, const struct ms_run_rules *rules,
		 const size_t *matches, struct ms_err *err)
{
	enum ms_views_format format;
	struct ms_views_options options;
	FILE *out;

	MS_TRY(ms_options_open_output(&c->report, &out, err));
	int code = ms_options_read_view(&c->report, out, &format, &options, err);
	if (code == MS_OK && c->export)
		write_text(rules, out);
	else if (code == MS_OK)
		ms_views_rules_writers[format](rules, matches, &options, out);
	return ms_options_close_output(&c->report, out, code, err);
}

/* How many each matches in the run; without any run there is nothing to say. */
static int match(struct ms_store *store, const char *name, const struct ms_run_rules *rules,
		 struct ms_rules_outcome *outcome, struct ms_err *err)
{
	struct ms_rules_outcome focus;
	struct ms_run run;
	int64_t id;
	int code = ms_store_find(store, name != NULL ? name : ms_cli_open_run, &id, err);

	if (code == MS_ENOENT && name == NULL)
		return MS_OK;
	MS_TRY(code);
	MS_TRY(ms_store_load(store, id, &run, err));
	ms_rules_apply(&run, rules, outcome);
	ms_rules_focus(&run, rules, &focus);
	for (size_t i = 0; i < rules->at.n; i++)
		if (rules->at.at[i].verb >= MS_RULE_ONLY)
			outcome->matches[i] = focus.matches[i];
	ms_rules_outcome_free(&focus);
	ms_run_free(&run);
	for (size_t i = 0; i < outcome->messages.n; i++)
		fprintf(stderr, "memspy: %s\n", outcome->messages.at[i]);
	return MS_OK;
}

static int list(const struct rules_command *c, const char *name, struct ms_err *err)
{
	struct ms_rules_outcome outcome = { .matches = NULL };
	struct ms_run_rules rules = { 0 };
	struct ms_store *store;

	MS_TRY(ms_store_open(&store, c->report.db, MS_STORE_READ, err));
	int code = ms_cli_rules(&c->report, store, &rules, err);
	if (code == MS_OK && !c->export)
		code = match(store, name, &rules, &outcome, err);
	if (code == MS_OK)
		code = print(c, &rules, outcome.matches, err);
	ms_store_close(store);
	ms_rules_outcome_free(&outcome);
	ms_run_rules_free(&rules);
	return code;
}

static int run_rules(int argc, char *const argv[])
{
	struct rules_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK, code = MS_OK;

	if (ms_cli_options(&ms_commands_rules, argc, argv, &command, &words, &status))
		return status;
	if (words.at.n > 1)
		code = ms_fail(&err, MS_EUSAGE, "unexpected argument '%s'; rules expects a run",
			       words.at.at[1]);
	else if (command.remove.words.n > 0 || command.import != NULL)
		code = change(&command, &err);
	else
		code = list(&command, words.at.n > 0 ? words.at.at[0] : NULL, &err);
	if (code != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&command.remove.words);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_rules = {
	.name = "rules",
	.usage = "rules [options] [RUN]",
	.brief = "list, export, import and remove rules about names and groups",
	.full = "Lists the rules that hold, in the order in which they are applied (of several "
		"about the same, the last holds): first those of the file memspy.rules in this "
		"folder, then those of the run database; and how many data or code of RUN each "
		"matches. 'memspy rename', 'combine', 'split' and 'hide' make rules; a file of "
		"them can be reviewed and kept with the sources.\n\n"
		"RUN is @3 or 3, @latest (the default), or a tag.",
	.examples = "memspy rules\twhat holds, and what it matches in the latest run\n"
		    "memspy rules --export -o memspy.rules\tas text, for version control\n"
		    "memspy rules --remove 3\tforget the third\n",
	.options = { rules_tables, false },
	.run = run_rules,
};
