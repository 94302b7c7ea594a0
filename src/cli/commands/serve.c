/* cli/commands/serve.c - memspy serve: the run database as pages, on this machine. */
#include <inttypes.h>
#include <string.h>

#include "cli/browser.h"
#include "cli/commands/commands.h"
#include "cli/load_run.h"
#include "cli/options/report.h"
#include "cli/options/rules.h"
#include "cli/options/sources.h"
#include "serve/serve.h"
#include "views/rules.h"

struct serve_command {
	struct ms_options_report report;
	struct ms_opt_list source;
	bool no_source;
	bool open;
	bool remote;
	const char *listen;
	uint64_t port;
	struct ms_cli_browser browser;
};

static const struct ms_opt serve_rows[] = {
	MS_OPTIONS_DB_ROW(struct serve_command, report),
	MS_OPTIONS_RULES_ROW(struct serve_command, report),
	{ .kind = MS_OPT_FLAG,
	  .name = "open",
	  .offset = offsetof(struct serve_command, open),
	  .brief = "open the pages in the browser",
	  .full = "The browser (xdg-open) is given a file that only its owner can read and that "
		  "leads to the pages, once: other users see the arguments of every program." },
	{ .kind = MS_OPT_NUMBER,
	  .letter = 'p',
	  .name = "port",
	  .value = "N",
	  .offset = offsetof(struct serve_command, port),
	  .max = 65535,
	  .brief = "listen at this port (default: any that is free)" },
	{ .kind = MS_OPT_TEXT,
	  .name = "listen",
	  .value = "ADDRESS",
	  .offset = offsetof(struct serve_command, listen),
	  .brief = "listen at this address (default: 127.0.0.1)",
	  .full = "One that other machines can reach needs --allow-remote too: what is sent is not "
		  "encrypted, and the address alone opens all pages. Better is a tunnel: ssh -L." },
	{ .kind = MS_OPT_FLAG,
	  .name = "allow-remote",
	  .offset = offsetof(struct serve_command, remote),
	  .brief = "--listen may be an address that other machines reach" },
	{ .kind = MS_OPT_FLAG,
	  .name = "no-source",
	  .offset = offsetof(struct serve_command, no_source),
	  .brief = "leave the text of the source and instructions out" },
	MS_OPTIONS_SOURCE_ROW(struct serve_command, source),
	{ .name = NULL },
};
static const struct ms_opt *const serve_tables[] = { serve_rows, NULL };

static void started(const char *address, const char *entry, void *arg)
{
	struct serve_command *command = arg;
	struct ms_err err;

	printf("%s\n", address);
	fflush(stdout);
	fprintf(stderr,
		"memspy: serving %s at the address above; anyone who knows it can see the runs. "
		"Ctrl-C "
		"ends it.\n",
		command->report.db);
	if (command->open && ms_cli_browser_open(&command->browser, entry, &err) != MS_OK)
		fprintf(stderr,
			"memspy: no browser could be opened (%s); open the address yourself\n",
			err.text);
}

/* A file that has led the browser here has no other use. */
static void entered(void *arg)
{
	const struct serve_command *command = arg;

	ms_cli_browser_remove_file(&command->browser);
}

/* --- what pages ask for, as commands do it; each in a thread of the server --- */

static int load(void *arg, int64_t id, struct ms_run *run, struct ms_err *err)
{
	const struct serve_command *command = arg;
	char name[32];

	snprintf(name, sizeof(name), "@%" PRId64, id);
	return ms_cli_load(&command->report, name, run, err);
}

static int load_live(void *arg, const char *path, struct ms_run *run, struct ms_err *err)
{
	const struct serve_command *command = arg;

	return ms_cli_load_beside(&command->report, path, run, err);
}

static int list_rules(void *arg, FILE *out, struct ms_err *err)
{
	const struct serve_command *command = arg;
	const struct ms_views_options options = { .threshold = -1 };
	struct ms_run_rules rules = { 0 };
	struct ms_store *store;

	MS_TRY(ms_store_open(&store, command->report.db, MS_STORE_READ, err));
	int code = ms_cli_rules(&command->report, store, &rules, err);
	ms_store_close(store);
	if (code == MS_OK)
		ms_views_json_rules(&rules, NULL, &options, out);
	ms_run_rules_free(&rules);
	return code;
}

/* rename THING NAME, combine NAME THING, hide THING: what the commands of these names do. */
static int add_rule(void *arg, const struct ms_serve_rule *rule, struct ms_err *err)
{
	const struct serve_command *command = arg;
	const struct ms_options_rules options = { .report = command->report, .code = rule->code };
	uint32_t verb = ms_run_rule_verb_of(rule->verb);
	struct ms_words words = { 0 };
	char run[32];

	if (verb != MS_RULE_RENAME && verb != MS_RULE_COMBINE && verb != MS_RULE_HIDE)
		return ms_fail(err, MS_EUSAGE, "'%s', expected rename, combine or hide",
			       rule->verb);
	snprintf(run, sizeof(run), "@%" PRId64, rule->run);
	*ms_vec_add(&words.at) = run;
	if (verb == MS_RULE_COMBINE)
		*ms_vec_add(&words.at) = rule->name;
	*ms_vec_add(&words.at) = rule->thing;
	if (verb == MS_RULE_RENAME)
		*ms_vec_add(&words.at) = rule->name;
	int code = ms_options_keep_rules(&options, (enum ms_run_rule_verb)verb, &words, false, err);
	ms_vec_free(&words.at);
	return code;
}

static int remove_rule(void *arg, int64_t id, struct ms_err *err)
{
	const struct serve_command *command = arg;
	struct ms_store *store;

	MS_TRY(ms_store_open(&store, command->report.db, MS_STORE_WRITE, err));
	int code = ms_store_remove_rule(store, id, err);
	ms_store_close(store);
	return code;
}

static int serve(struct serve_command *command, const struct ms_words *words, struct ms_err *err)
{
	const struct ms_serve_options options = {
		.db = command->report.db,
		.parts = ms_cli_frontends_dir(),
		.address = command->listen,
		.remote = command->remote,
		.port = (unsigned)command->port,
		.no_source = command->no_source,
		.folders = command->source.words.at,
		.n_folders = command->source.words.n,
		.with_entry = command->open,
		.started = started,
		.entered = entered,
		.arg = command,
		.load = load,
		.load_live = load_live,
		.list_rules = list_rules,
		.add_rule = add_rule,
		.remove_rule = remove_rule,
	};
	struct ms_store *store;

	if (words->at.n > 0)
		return ms_fail(err, MS_EUSAGE,
			       "unexpected argument '%s'; all runs of --db are served",
			       words->at.at[0]);
	/* What cannot be read is reported here, not in the browser. */
	ms_options_check_sources(&command->source);
	MS_TRY(ms_store_open(&store, command->report.db, MS_STORE_READ, err));
	ms_store_close(store);
	int code = ms_serve_pages(&options, err);
	ms_cli_browser_free(&command->browser);
	if (code != MS_OK)
		return code;
	fprintf(stderr, "memspy: stopped serving\n");
	return MS_OK;
}

static int run_serve(int argc, char *const argv[])
{
	struct serve_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS,
					 .listen = "127.0.0.1" };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	if (!ms_cli_options(&ms_commands_serve, argc, argv, &command, &words, &status) &&
	    serve(&command, &words, &err) != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&command.source.words);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_serve = {
	.name = "serve",
	.usage = "serve [options]",
	.brief = "show the runs in a browser, and those that are running",
	.full = "Serves the pages of memspy html for all runs of the database, as it is at the "
		"moment, on this machine only: prints the address, and answers until Ctrl-C. "
		"Programs that are profiled into the same database meanwhile are shown while "
		"they run, with their figures by data and code so far; two runs can be compared, "
		"and data and code renamed, "
		"combined or hidden, as memspy diff, rename, combine and hide do it.\n\n"
		"The address has a random part; without it no request is answered, neither of "
		"other "
		"users of this machine nor of pages that the browser has open. Nothing but runs "
		"and "
		"the sources of their hot lines is ever read.",
	.examples = "memspy serve\tprint an address for the browser\n"
		    "memspy serve --open --db old.db\topen the browser, another database\n"
		    "memspy serve --port 8377 --no-source\tat a port, without source text\n",
	.options = { serve_tables, false },
	.run = run_serve,
};
