/* cli/commands/tag.c - memspy tag: the names of a run. */
#include "cli/commands/commands.h"
#include "cli/options/report.h"

struct tag_command {
	struct ms_options_report report;
	bool remove;
};

static const struct ms_opt tag_rows[] = {
	{ .kind = MS_OPT_FLAG,
	  .letter = 'r',
	  .name = "remove",
	  .offset = offsetof(struct tag_command, remove),
	  .brief = "remove these tags; without a TAG, all of them" },
	MS_OPTIONS_DB_ROW(struct tag_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const tag_tables[] = { tag_rows, NULL };

static int change_tags(struct ms_store *store, const struct tag_command *c,
		       const struct ms_words *words, struct ms_err *err)
{
	int64_t id;

	MS_TRY(ms_store_find(store, words->at.at[0], &id, err));
	if (c->remove && words->at.n == 1)
		return ms_store_set_tags(store, id, NULL, 0, err);
	return ms_store_change_tags(store, id, words->at.at + 1, words->at.n - 1, c->remove, err);
}

static int tag(const struct tag_command *c, const struct ms_words *words, struct ms_err *err)
{
	struct ms_store *store;

	if (words->at.n == 0 || (words->at.n == 1 && !c->remove))
		return ms_fail(err, MS_EUSAGE, "tag expects a RUN and a TAG for it");
	for (size_t i = 1; i < words->at.n; i++)
		MS_TRY(ms_cli_check_tag(words->at.at[i], err));
	MS_TRY(ms_store_open(&store, c->report.db, MS_STORE_WRITE, err));
	int code = change_tags(store, c, words, err);
	ms_store_close(store);
	return code;
}

static int run_tag(int argc, char *const argv[])
{
	struct tag_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	if (ms_cli_options(&ms_commands_tag, argc, argv, &command, &words, &status))
		return status;
	if (tag(&command, &words, &err) != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_tag = {
	.name = "tag",
	.usage = "tag [options] RUN TAG ... | --remove RUN [TAG ...]",
	.brief = "give a run more names, or remove them",
	.full = "A run may have several tags, and a tag several runs: where one run is wanted, "
		"@TAG is the newest of them; where several are, as in memspy diff, it is all of "
		"them. memspy run --tag gives the first one at once.",
	.examples = "memspy tag @3 base\tnow @base is run 3\n"
		    "memspy tag @latest base ci\ttwo at a time\n"
		    "memspy tag --remove @3 base\tno longer\n",
	.options = { tag_tables, false },
	.run = run_tag,
};
