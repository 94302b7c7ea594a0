/* cli/cmd_tag.c - memspy tag: the names of a run. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "cli/cmd.h"
#include "cli/report_options.h"

struct tag_command {
	struct ms_report_options report;
	bool remove;
};

static const struct ms_opt tag_rows[] = {
	{ .kind = MS_OPT_FLAG,
	  .letter = 'r',
	  .name = "remove",
	  .offset = offsetof(struct tag_command, remove),
	  .brief = "take these tags away; without a TAG, all of them" },
	MS_DB_ROW(struct tag_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const tag_tables[] = { tag_rows, NULL };

/* The tags that a run has, as a list; its texts live as long as the heads. */
struct tags {
	MS_VEC(const char *) at;
};

static void list_tags(const struct ms_run_heads *heads, int64_t id, struct tags *tags)
{
	for (size_t i = 0; i < heads->at.n; i++) {
		const struct ms_run_head *head = &heads->at.at[i];

		if (head->id != id)
			continue;
		if (head->tag != NULL)
			*ms_vec_add(&tags->at) = head->tag;
		for (size_t k = 0; k < head->tags.n; k++)
			*ms_vec_add(&tags->at) = head->tags.at[k];
	}
}

static size_t place_of(const struct tags *tags, const char *tag)
{
	size_t i = 0;

	while (i < tags->at.n && strcmp(tags->at.at[i], tag) != 0)
		i++;
	return i;
}

static void add_tag(struct tags *tags, const char *tag)
{
	if (place_of(tags, tag) == tags->at.n)
		*ms_vec_add(&tags->at) = tag;
}

static void remove_tag(struct tags *tags, const char *tag)
{
	size_t at = place_of(tags, tag);

	if (at == tags->at.n)
		return;
	memmove(tags->at.at + at, tags->at.at + at + 1,
		(tags->at.n - at - 1) * sizeof(*tags->at.at));
	tags->at.n--;
}

static void change(const struct tag_command *c, const struct ms_words *words, struct tags *tags)
{
	if (c->remove && words->at.n == 1)
		tags->at.n = 0;
	for (size_t i = 1; i < words->at.n; i++)
		(c->remove ? remove_tag : add_tag)(tags, words->at.at[i]);
}

static int change_tags(struct ms_store *store, const struct tag_command *c,
		       const struct ms_words *words, struct ms_err *err)
{
	struct ms_run_heads heads;
	struct tags tags = { .at = MS_VEC_INIT };
	int64_t id;

	MS_TRY(ms_store_find(store, words->at.at[0], &id, err));
	MS_TRY(ms_store_list(store, &heads, err));
	list_tags(&heads, id, &tags);
	change(c, words, &tags);
	int code = ms_store_set_tags(store, id, tags.at.at, tags.at.n, err);
	ms_vec_free(&tags.at);
	ms_run_heads_free(&heads);
	return code;
}

static int tag(const struct tag_command *c, const struct ms_words *words, struct ms_err *err)
{
	struct ms_store *store;

	if (words->at.n == 0 || (words->at.n == 1 && !c->remove))
		return ms_fail(err, MS_EUSAGE, "tag wants a RUN and a TAG for it");
	for (size_t i = 1; i < words->at.n; i++)
		MS_TRY(ms_cli_check_tag(words->at.at[i], err));
	MS_TRY(ms_store_open(&store, c->report.db, MS_STORE_WRITE, err));
	int code = change_tags(store, c, words, err);
	ms_store_close(store);
	return code;
}

static int run_tag(int argc, char *const argv[])
{
	struct tag_command command = { .report = MS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_EXIT_OK;

	if (ms_cli_options(&ms_cmd_tag, argc, argv, &command, &words, &status))
		return status;
	if (tag(&command, &words, &err) != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cmd ms_cmd_tag = {
	.name = "tag",
	.usage = "tag [options] RUN TAG ... | --remove RUN [TAG ...]",
	.brief = "give a run more names, or take them away",
	.full = "A run may have several tags, and a tag several runs: where one run is wanted, "
		"@TAG is the newest of them; where several are, as in memspy diff, it is all of "
		"them. memspy run --tag gives the first one at once.",
	.examples = "memspy tag @3 base\tnow @base is run 3\n"
		    "memspy tag @latest base ci\ttwo at a time\n"
		    "memspy tag --remove @3 base\tno longer\n",
	.options = { tag_tables, false },
	.run = run_tag,
};
