/* views/runs.c - the list of runs, as text, CSV and JSON. */
#include <inttypes.h>
#include <string.h>

#include "analysis/checkpoint.h"
#include "analysis/share.h"
#include "run/heads.h"
#include "run/words.h"
#include "views/views_priv.h"

/* --- text --- */

/* Columns that only some lists need. */
struct extra {
	bool from;   /* some run came out of another */
	bool commit; /* some has one */
	bool note;
};

static struct extra extra_of(const struct ms_run_heads *heads)
{
	struct extra e = { false, false, false };

	for (size_t i = 0; i < heads->at.n; i++) {
		e.from |= heads->at.at[i].parent != 0;
		e.commit |= heads->at.at[i].git_commit != NULL;
		e.note |= heads->at.at[i].note != NULL;
	}
	return e;
}

/* "fork @3" */
static void from_cell(struct ms_table *table, const struct ms_run_head *head)
{
	if (head->parent != 0)
		ms_table_text(table,
			      ms_arena_printf(&table->arena, "%s @%" PRId64,
					      ms_run_relation_word(head->relation), head->parent));
	else
		ms_table_text(table, NULL);
}

/* "base, ci" */
static const char *tags_of(struct ms_arena *arena, const struct ms_run_head *head)
{
	const char *all = head->tag;

	for (size_t i = 0; i < head->tags.n; i++)
		all = ms_arena_printf(arena, "%s%s%s", all ? all : "", all ? ", " : "",
				      head->tags.at[i]);
	return all;
}

static void column(struct ms_table *table, const char *head, bool right, size_t least,
		   enum ms_cut cut, unsigned drop)
{
	ms_table_column(table, (struct ms_table_column){ head, "", right, least, cut });
	ms_table_may_drop(table, drop);
}

static void runs_columns(struct ms_table *table, const struct extra *extra)
{
	column(table, "Run", true, 0, MS_CUT_END, 0);
	if (extra->from)
		column(table, "From", false, 0, MS_CUT_END, 0);
	column(table, "Tag", false, 8, MS_CUT_END, 0);
	column(table, "Started", false, 0, MS_CUT_END, 2);
	column(table, "Seconds", true, 0, MS_CUT_END, 8);
	column(table, "References", true, 0, MS_CUT_END, 5);
	column(table, "Misses", true, 0, MS_CUT_END, 10);
	column(table, "Miss %", true, 0, MS_CUT_END, 11);
	column(table, "End", false, 0, MS_CUT_END, 6);
	column(table, "Size", true, 0, MS_CUT_END, 4);
	column(table, "Machine", false, 8, MS_CUT_START, 7);
	if (extra->commit)
		column(table, "Commit", false, 0, MS_CUT_END, 9);
	column(table, "Program", false, 16, MS_CUT_FOLDER, 0);
	if (extra->note)
		column(table, "Note", false, 12, MS_CUT_END, 3);
}

/* "1f3a9c2+": the first seven figures, and whether there were changes. */
static void commit_cell(struct ms_table *table, const struct ms_run_head *head)
{
	ms_table_text(table, head->git_commit == NULL
				     ? NULL
				     : ms_arena_printf(&table->arena, "%.7s%s", head->git_commit,
						       head->git_dirty ? "+" : ""));
}

/* Not of samples on the real machine; nor of a program that was over before a window opened. */
static bool has_references(const struct ms_run_head *head)
{
	return head->source == NULL && !(head->sampled && head->references == 0);
}

static void figure_cells(struct ms_table *table, const struct ms_run_head *head)
{
	ms_table_real(table, head->wall_seconds, 1);
	if (!has_references(head)) {
		ms_table_none(table);
		ms_table_none(table);
	} else {
		ms_table_count(table, head->references);
		ms_table_count(table, head->level_misses);
	}
	if (head->references > 0)
		ms_table_real(table, ms_share(head->level_misses, head->references) * 100, 1);
	else
		ms_table_none(table);
}

static void runs_row(struct ms_table *table, const struct ms_run_head *head,
		     const struct extra *extra)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_table_text(table, ms_arena_printf(&table->arena, "@%" PRId64, head->id));
	if (extra->from)
		from_cell(table, head);
	ms_table_text(table, tags_of(&table->arena, head));
	ms_table_text(table, head->started);
	figure_cells(table, head);
	ms_checkpoint_head_end(&text, head);
	ms_table_text(table, text.at);
	if (head->bytes > 0)
		ms_table_size(table, head->bytes);
	else
		ms_table_none(table);
	ms_table_text(table, head->source == NULL
				     ? head->machine
				     : ms_arena_printf(&table->arena, "real: %s", head->source));
	if (extra->commit)
		commit_cell(table, head);
	ms_text_clear(&text);
	ms_about_command(&text, head->program, head->argv.at, head->argv.n);
	ms_table_text(table, text.at);
	if (extra->note)
		ms_table_text(table, head->note);
	ms_text_free(&text);
}

/* The newest as far as there is a limit. */
static size_t first_of(const struct ms_run_heads *heads, const struct ms_view_options *options)
{
	return options->top && options->top < heads->at.n ? heads->at.n - options->top : 0;
}

int ms_text_runs(const struct ms_run_heads *heads, const struct ms_view_options *options, FILE *out,
		 struct ms_err *err)
{
	struct ms_page page = ms_page_of(options, out);
	struct extra extra = extra_of(heads);
	struct ms_table table;

	(void)err;
	if (heads->at.n == 0) {
		ms_page_line(&page, options->chosen ? "There are no such runs."
						    : "There are no runs yet.");
		ms_page_next(&page, options,
			     options->chosen ? "memspy runs" : "memspy run PROGRAM");
		return MS_OK;
	}
	ms_table_open(&table, out, MS_TABLE_TEXT, page.width, page.colour);
	runs_columns(&table, &extra);
	for (size_t i = first_of(heads, options); i < heads->at.n; i++)
		runs_row(&table, &heads->at.at[i], &extra);
	ms_table_close(&table);
	ms_page_next(&page, options, "memspy report @%" PRId64, heads->at.at[heads->at.n - 1].id);
	return MS_OK;
}

/* --- CSV --- */

/* What nobody counted is left out. */
static void csv_simulated(struct ms_table *table, const struct ms_run_head *head)
{
	if (!has_references(head)) {
		for (int i = 0; i < 4; i++)
			ms_table_text(table, NULL);
		return;
	}
	ms_table_count(table, head->instructions);
	ms_table_count(table, head->references);
	ms_table_text(table, head->level);
	ms_table_count(table, head->level_misses);
}

static void csv_row(struct ms_table *table, const struct ms_run_head *head)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_table_text(table, ms_arena_printf(&table->arena, "%" PRId64, head->id));
	ms_table_text(table, head->tag);
	ms_table_text(table, head->started);
	ms_table_text(table, head->program);
	ms_about_command(&text, head->program, head->argv.at, head->argv.n);
	ms_table_text(table, text.at);
	ms_text_free(&text);
	ms_table_text(table, head->frontend);
	ms_table_text(table, head->machine);
	ms_table_text(table, ms_run_end_word(head->end));
	ms_table_text(table, ms_arena_printf(&table->arena, "%d", head->exit_status));
	ms_table_real(table, head->wall_seconds, 0);
	csv_simulated(table, head);
	ms_table_text(table, head->parent != 0
				     ? ms_arena_printf(&table->arena, "%" PRId64, head->parent)
				     : NULL);
	ms_table_text(table, head->parent != 0 ? ms_run_relation_word(head->relation) : NULL);
	ms_table_text(table, tags_of(&table->arena, head));
	ms_table_text(table, head->note);
	ms_table_text(table, head->build_id);
	ms_table_text(table, head->git_commit);
	ms_table_text(table, head->git_commit == NULL ? NULL : head->git_dirty ? "1" : "0");
	ms_table_text(table, head->host);
	ms_table_count(table, head->bytes);
	ms_table_text(table, head->source);
	if (head->source != NULL)
		ms_table_count(table, head->samples);
	else
		ms_table_text(table, NULL);
	ms_table_text(table, head->checkpoint.system != NULL
				     ? ms_checkpoint_state(&head->checkpoint)
				     : NULL);
}

int ms_csv_runs(const struct ms_run_heads *heads, const struct ms_view_options *options, FILE *out,
		struct ms_err *err)
{
	static const char *const keys[] = {
		"id",           "tag",        "started", "program",      "command",
		"frontend",     "machine",    "end",     "exit_status",  "wall_seconds",
		"instructions", "references", "level",   "level_misses", "parent",
		"relation",     "tags",       "note",    "build_id",     "git_commit",
		"git_dirty",    "host",       "bytes",   "source",       "samples",
		"checkpoint"
	};
	struct ms_table table;

	(void)err;
	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	for (size_t i = 0; i < MS_COUNT(keys); i++)
		ms_table_column(&table, (struct ms_table_column){ .key = keys[i] });
	for (size_t i = first_of(heads, options); i < heads->at.n; i++)
		csv_row(&table, &heads->at.at[i]);
	ms_table_close(&table);
	return MS_OK;
}

/* --- JSON --- */

void ms_view_json_texts(struct ms_json *j, const char *key, const char *const *at, size_t n)
{
	ms_json_array(j, key);
	for (size_t i = 0; i < n; i++)
		ms_json_text(j, NULL, at[i]);
	ms_json_end(j);
}

void ms_view_json_tags(struct ms_json *j, const char *first, const char *const *more, size_t n)
{
	ms_json_array(j, "tags");
	if (first != NULL)
		ms_json_text(j, NULL, first);
	for (size_t i = 0; i < n; i++)
		ms_json_text(j, NULL, more[i]);
	ms_json_end(j);
}

/* Of no commit nobody knows whether there were changes. */
void ms_view_json_dirty(struct ms_json *j, const char *commit, bool dirty)
{
	if (commit != NULL)
		ms_json_bool(j, "git_dirty", dirty);
	else
		ms_json_null(j, "git_dirty");
}

void ms_view_json_relation(struct ms_json *j, int64_t parent, uint32_t relation)
{
	if (parent != 0)
		ms_json_i64(j, "parent", parent);
	else
		ms_json_null(j, "parent");
	ms_json_text(j, "relation", parent != 0 ? ms_run_relation_word(relation) : NULL);
}

void ms_view_json_checkpoint(struct ms_json *j, const struct ms_run_checkpoint *c)
{
	ms_json_object(j, "checkpoint");
	ms_json_text(j, "state", ms_checkpoint_state(c));
	ms_json_text(j, "saved", c->saved);
	ms_json_u64(j, "pid", c->pid);
	ms_json_end(j);
}

static void run_head(struct ms_json *j, const struct ms_run_head *head)
{
	ms_json_object(j, NULL);
	ms_json_i64(j, "id", head->id);
	ms_json_text(j, "tag", head->tag);
	ms_json_text(j, "started", head->started);
	ms_json_text(j, "program", head->program);
	ms_view_json_texts(j, "argv", head->argv.at, head->argv.n);
	ms_json_text(j, "frontend", head->frontend);
	ms_json_text(j, "machine", head->machine);
	ms_json_text(j, "end", ms_run_end_word(head->end));
	ms_json_i64(j, "exit_status", head->exit_status);
	ms_json_real(j, "wall_seconds", head->wall_seconds);
	if (has_references(head)) {
		ms_json_u64(j, "instructions", head->instructions);
		ms_json_u64(j, "references", head->references);
		ms_json_text(j, "level", head->level);
		ms_json_u64(j, "level_misses", head->level_misses);
	}
	if (head->sampled)
		ms_json_bool(j, "sampled", true);
	ms_view_json_relation(j, head->parent, head->relation);
	ms_view_json_tags(j, head->tag, head->tags.at, head->tags.n);
	ms_json_text(j, "note", head->note);
	ms_json_text(j, "build_id", head->build_id);
	ms_json_text(j, "git_commit", head->git_commit);
	ms_view_json_dirty(j, head->git_commit, head->git_dirty);
	ms_json_text(j, "host", head->host);
	if (head->bytes > 0)
		ms_json_u64(j, "bytes", head->bytes);
	else
		ms_json_null(j, "bytes");
	if (head->source != NULL) {
		ms_json_text(j, "source", head->source);
		ms_json_u64(j, "samples", head->samples);
	}
	if (head->checkpoint.system != NULL)
		ms_view_json_checkpoint(j, &head->checkpoint);
	ms_json_end(j);
}

int ms_json_runs(const struct ms_run_heads *heads, const struct ms_view_options *options, FILE *out,
		 struct ms_err *err)
{
	struct ms_json j;

	(void)err;
	ms_view_json_begin(&j, out);
	ms_json_array(&j, "runs");
	for (size_t i = first_of(heads, options); i < heads->at.n; i++)
		run_head(&j, &heads->at.at[i]);
	ms_json_end(&j);
	ms_json_end(&j);
	return MS_OK;
}

ms_runs_writer *const ms_runs_views[MS_VIEW_FORMATS] = {
	[MS_VIEW_TEXT] = ms_text_runs,
	[MS_VIEW_JSON] = ms_json_runs,
	[MS_VIEW_CSV] = ms_csv_runs,
};
