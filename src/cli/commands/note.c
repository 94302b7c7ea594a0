/* cli/commands/note.c - memspy note: a sentence about a run. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "cli/commands/commands.h"
#include "cli/options/report.h"
#include "run/run_list.h"

struct note_command {
	struct ms_options_report report;
	bool clear;
	bool append;
};

static const struct ms_opt note_rows[] = {
	{ .kind = MS_OPT_FLAG,
	  .name = "clear",
	  .offset = offsetof(struct note_command, clear),
	  .brief = "remove the note" },
	{ .kind = MS_OPT_FLAG,
	  .name = "append",
	  .offset = offsetof(struct note_command, append),
	  .brief = "add to the note that is there" },
	MS_OPTIONS_DB_ROW(struct note_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const note_tables[] = { note_rows, NULL };

static int read_note(struct ms_store *store, int64_t id, struct ms_text *note, struct ms_err *err)
{
	struct ms_run_list heads;

	MS_TRY(ms_store_list(store, &heads, err));
	for (size_t i = 0; i < heads.at.n; i++)
		if (heads.at.at[i].id == id && heads.at.at[i].note != NULL)
			ms_text_add(note, heads.at.at[i].note);
	ms_run_list_free(&heads);
	return MS_OK;
}

static int show_note(struct ms_store *store, const char *name, struct ms_err *err)
{
	struct ms_text note = MS_TEXT_INIT;
	int64_t id = 0;
	int code = ms_store_find(store, name, &id, err);

	if (code == MS_OK)
		code = read_note(store, id, &note, err);
	if (code == MS_OK && note.n > 0) {
		struct ms_text safe = MS_TEXT_INIT;

		ms_utf8_fit(&safe, note.at, SIZE_MAX, MS_CUT_END);
		puts(ms_text_get(&safe));
		ms_text_free(&safe);
	} else if (code == MS_OK) {
		printf("Run @%" PRId64 " has no note; memspy note @%" PRId64
		       " TEXT gives it one.\n",
		       id, id);
	}
	ms_text_free(&note);
	return code;
}

static int write_note(struct ms_store *store, const struct note_command *c,
		      const struct ms_words *words, struct ms_err *err)
{
	struct ms_text note = MS_TEXT_INIT;
	int64_t id = 0;
	int code = ms_store_find(store, words->at.at[0], &id, err);

	for (size_t i = 1; i < words->at.n; i++)
		ms_text_addf(&note, "%s%s", note.n > 0 ? " " : "", words->at.at[i]);
	if (code == MS_OK && c->append)
		code = ms_store_add_note(store, id, note.at, err);
	else if (code == MS_OK)
		code = ms_store_set_note(store, id, c->clear ? NULL : note.at, err);
	ms_text_free(&note);
	return code;
}

static int note(const struct note_command *c, const struct ms_words *words, struct ms_err *err)
{
	bool shows = words->at.n < 2 && !c->clear;
	struct ms_store *store;

	if (c->clear && words->at.n != 1)
		return ms_fail(err, MS_EUSAGE, "note --clear expects one RUN and no text");
	if (c->append && words->at.n < 2)
		return ms_fail(err, MS_EUSAGE, "note --append expects a RUN and what to add");
	MS_TRY(ms_store_open(&store, c->report.db, shows ? MS_STORE_READ : MS_STORE_WRITE, err));
	int code = shows ? show_note(store, words->at.n ? words->at.at[0] : NULL, err)
			 : write_note(store, c, words, err);
	ms_store_close(store);
	return code;
}

static int run_note(int argc, char *const argv[])
{
	struct note_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	if (ms_cli_options(&ms_commands_note, argc, argv, &command, &words, &status))
		return status;
	if (note(&command, &words, &err) != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_note = {
	.name = "note",
	.usage = "note [options] [RUN [TEXT ...]]",
	.brief = "show or write a note about a run",
	.full = "With a TEXT, writes it as the note of the run, in the place of an older one; "
		"without, shows the note. memspy runs shows the notes of all runs, and --noted "
		"finds runs by them.",
	.examples = "memspy note @3 padded the rows of Y\twrites a note\n"
		    "memspy note @3\tshows it\n"
		    "memspy note --clear @3\tremoves it\n",
	.options = { note_tables, false },
	.run = run_note,
};
