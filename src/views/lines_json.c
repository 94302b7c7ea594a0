/* views/lines_json.c - lines of source as JSON and CSV; docs/formats/lines-json.md describes them.
 */
#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/hardware.h"
#include "analysis/intervals.h"
#include "analysis/share.h"
#include "base/num.h"
#include "views/lines.h"
#include "views/source.h"
#include "views/views_priv.h"

static void limit(struct ms_lines *lines, const struct ms_view_options *o)
{
	ms_lines_limit(lines, (struct ms_lines_limits){
				      .top = o->top ? o->top : SIZE_MAX,
				      .threshold = o->threshold > 0 ? o->threshold : 0,
				      .everything = o->top == 0 && o->threshold <= 0,
			      });
}

bool ms_lines_is_own(const char *path)
{
	static const char *const folders[] = { "/usr/include/", "/usr/lib/", "/usr/share/",
					       "/usr/src/" };

	for (size_t i = 0; i < MS_COUNT(folders); i++)
		if (strncmp(path, folders[i], strlen(folders[i])) == 0)
			return false;
	return true;
}

static void read_source(struct ms_view_source *source, const struct ms_lines *lines,
			const struct ms_source_file *file, const struct ms_lines_options *options)
{
	if (options->text == MS_LINES_NO_TEXT ||
	    (options->text == MS_LINES_OWN_TEXT && !ms_lines_is_own(file->path))) {
		*source = (struct ms_view_source){
			.trouble = options->text == MS_LINES_NO_TEXT
					   ? "source was left out of this page"
					   : "a file of the system: its text was left out"
		};
		return;
	}
	ms_view_source_read(source, &(struct ms_view_source_where){
					    file->path, options->folders, options->n_folders,
					    file->module, lines->whole.run->started });
}

/* --- JSON --- */

/* What a report says of every entry, and the compute cycles where there are instructions. */
static void counts(struct ms_json *j, const struct ms_lines *lines, const struct ms_counts *c,
		   bool compute)
{
	if (compute)
		ms_view_json_compute(j, lines->whole.run, c);
	ms_view_json_counts(j, &lines->whole, c);
}

static size_t at_most(size_t n, size_t most)
{
	return most == 0 || n < most ? n : most;
}

static void parts(struct ms_json *j, const struct ms_lines *lines, const struct ms_source_line *l,
		  size_t most)
{
	const struct ms_run *run = lines->whole.run;

	ms_json_array(j, "code");
	for (size_t i = 0; i < at_most(l->code.at.n, most); i++) {
		ms_json_object(j, NULL);
		ms_json_text(j, "name", run->codes.at[l->code.at.at[i].of].name);
		ms_view_json_compute(j, run, &l->code.at.at[i].counts);
		if (ms_hardware_run(run))
			ms_view_json_samples(j, &lines->whole, &l->code.at.at[i].counts);
		else
			ms_json_u64(j, "stall_cycles", ms_both(l->code.at.at[i].counts.stall));
		ms_json_end(j);
	}
	ms_json_end(j);
	ms_json_array(j, "data");
	for (size_t i = 0; i < at_most(l->data.at.n, most); i++) {
		ms_json_object(j, NULL);
		ms_json_text(j, "name", run->data.at[l->data.at.at[i].of].name);
		counts(j, lines, &l->data.at.at[i].counts, false);
		ms_json_end(j);
	}
	ms_json_end(j);
}

static void one_line(struct ms_json *j, const struct ms_lines *lines,
		     const struct ms_view_source *source, const struct ms_source_line *line,
		     const struct ms_lines_within *within, size_t most, struct ms_text *text)
{
	ms_json_object(j, NULL);
	ms_json_u64(j, "line", line->number);
	ms_json_text(j, "text",
		     ms_view_source_line(source, line->number, text) ? ms_text_get(text) : NULL);
	counts(j, lines, &line->counts, true);
	ms_view_json_intervals(j, lines->whole.run, &line->counts,
			       ms_intervals_at(&within->lines, line->place));
	ms_json_array(j, "inlined_into");
	for (size_t i = 0; i < line->inlined_into.n; i++)
		ms_json_text(j, NULL, line->inlined_into.at[i]);
	ms_json_end(j);
	parts(j, lines, line, most);
	ms_json_end(j);
}

static void rest(struct ms_json *j, const char *key, const struct ms_lines *lines,
		 const struct ms_lines_rest *r, bool files)
{
	ms_json_object(j, key);
	if (files)
		ms_json_u64(j, "files", r->files);
	ms_json_u64(j, "lines", r->lines);
	counts(j, lines, &r->counts, true);
	ms_json_end(j);
}

static void about_source(struct ms_json *j, const struct ms_view_source *source)
{
	static const char *const ages[] = {
		[MS_SOURCE_AFTER_BUILD] = "after build", [MS_SOURCE_AFTER_RUN] = "after run"
	};

	ms_json_text(j, "source", source->trouble == NULL ? source->path : NULL);
	ms_json_text(j, "trouble", source->trouble);
	ms_json_text(j, "changed", ages[source->age]);
	ms_json_u64(j, "source_lines", ms_view_source_lines(source));
}

static void one_file(struct ms_json *j, const struct ms_lines *lines,
		     const struct ms_source_file *file, const struct ms_lines_within *within,
		     const struct ms_lines_options *options)
{
	struct ms_text text = MS_TEXT_INIT;
	struct ms_view_source source;

	read_source(&source, lines, file, options);
	ms_json_object(j, NULL);
	ms_json_text(j, "file", file->path);
	ms_json_text(j, "module", file->module);
	about_source(j, &source);
	counts(j, lines, &file->counts, true);
	ms_view_json_intervals(j, lines->whole.run, &file->counts,
			       ms_intervals_at(&within->files, (uint64_t)(file - lines->files.at)));
	rest(j, "rest", lines, &file->rest, false);
	ms_json_array(j, "lines");
	for (size_t i = file->first; i < file->first + file->n; i++)
		if (lines->lines.at[i].shown)
			one_line(j, lines, &source, &lines->lines.at[i], within, options->parts,
				 &text);
	ms_json_end(j);
	ms_json_end(j);
	ms_text_free(&text);
	ms_view_source_free(&source);
}

void ms_lines_json(struct ms_lines *lines, const struct ms_lines_options *options, FILE *out)
{
	struct ms_lines_within within;
	struct ms_json j;

	limit(lines, &options->view);
	ms_view_json_begin_run(&j, lines->whole.run, out);
	ms_json_end(&j);
	ms_json_object(&j, "totals");
	counts(&j, lines, &lines->whole.total.counts, true);
	ms_json_end(&j);
	ms_json_array(&j, "files");
	ms_lines_within_make(&within, lines);
	for (size_t i = 0; i < lines->files.n; i++)
		if (lines->files.at[i].shown)
			one_file(&j, lines, &lines->files.at[i], &within, options);
	ms_lines_within_free(&within);
	ms_json_end(&j);
	rest(&j, "rest", lines, &lines->rest, true);
	ms_json_object(&j, "unknown_line");
	counts(&j, lines, &lines->unknown.counts, true);
	parts(&j, lines, &lines->unknown, options->parts);
	ms_json_end(&j);
	ms_json_object(&j, "not_asked_for");
	counts(&j, lines, &lines->other, true);
	ms_json_end(&j);
	ms_json_end(&j);
}

static void level_column(struct ms_table *table, const struct ms_run_level *level, const char *key)
{
	ms_table_column(table,
			(struct ms_table_column){
				.key = ms_arena_printf(&table->arena, "%s_%s", level->name, key) });
}

/* --- CSV --- */

/* Of a sampled run: both ends of the interval of the column just added. */
static void end_columns(struct ms_table *table, const struct ms_run *run)
{
	const char *key = table->columns.at[table->columns.n - 1].key;

	for (int end = 0; end < 2 && run->samplings.n > 0; end++)
		ms_table_column(table, (struct ms_table_column){
					       .key = ms_arena_printf(&table->arena, "%s_%s", key,
								      end == 0 ? "low" : "high") });
}

static void csv_columns(struct ms_table *table, const struct ms_run *run)
{
	static const char *const keys[] = { "file",         "line", "code",      "code_count",
					    "inlined_into", "data", "data_count" };
	static const struct {
		const char *key;
		bool within;
	} figures[] = { { "stall_share", true },    { "stall_cycles", true },
			{ "compute_cycles", true }, { "references", true },
			{ "reads", true },          { "writes", true } };
	static const char *const level_keys[] = { "misses", "first", "replacement",
						  "invalidation" };

	for (size_t i = 0; i < MS_COUNT(keys); i++)
		ms_table_column(table, (struct ms_table_column){ .key = keys[i] });
	if (ms_hardware_run(run))
		ms_view_figure_columns(table, run);
	for (size_t i = 0; i < MS_COUNT(figures) && !ms_hardware_run(run); i++) {
		ms_table_column(table, (struct ms_table_column){ .key = figures[i].key });
		if (figures[i].within)
			end_columns(table, run);
	}
	for (size_t i = 0; i < run->levels.n; i++) {
		for (size_t k = 0; k < MS_COUNT(level_keys); k++) {
			level_column(table, &run->levels.at[i], level_keys[k]);
			end_columns(table, run);
		}
		if (run->levels.at[i].prefetch > 0)
			level_column(table, &run->levels.at[i], "covered");
	}
	ms_table_column(table, (struct ms_table_column){ .key = "text" });
}

static void csv_ends(struct ms_table *table, const struct ms_run *run, struct ms_bounds bounds,
		     bool share)
{
	const double ends[] = { bounds.low, bounds.high };

	for (size_t i = 0; i < MS_COUNT(ends) && run->samplings.n > 0; i++)
		if (isnan(ends[i]))
			ms_table_none(table);
		else if (share)
			ms_table_real(table, ends[i], 0);
		else
			ms_table_count(table, ms_round_u64(ends[i]));
}

static void csv_level(struct ms_table *table, const struct ms_run *run, size_t level,
		      const struct ms_level_counts *c, const struct ms_entry_intervals *own)
{
	const struct ms_bounds none = { NAN, NAN };

	ms_table_count(table, ms_both(c->misses));
	csv_ends(table, run, own != NULL ? own->levels[level].misses : none, false);
	for (int k = 0; k < MS_CAUSES; k++) {
		ms_table_count(table, c->causes[k]);
		csv_ends(table, run, own != NULL ? own->levels[level].causes[k] : none, false);
	}
	if (run->levels.at[level].prefetch > 0)
		ms_table_count(table, c->covered);
}

static void csv_figures(struct ms_table *table, const struct ms_lines *lines,
			const struct ms_counts *c, const struct ms_entry_intervals *own)
{
	const struct ms_run *run = lines->whole.run;
	const struct ms_bounds none = { NAN, NAN };
	uint64_t stall = ms_both(lines->whole.total.counts.stall);

	if (ms_hardware_run(run)) {
		ms_view_figures(table, &lines->whole, c, 0);
		return;
	}
	if (stall > 0)
		ms_table_share(table, 0, ms_share(ms_both(c->stall), stall));
	else
		ms_table_none(table);
	csv_ends(table, run, own != NULL ? own->stall : none, true);
	ms_table_count(table, ms_both(c->stall));
	csv_ends(table, run, own != NULL ? own->cycles : none, false);
	ms_table_count(table, c->instructions);
	csv_ends(table, run, own != NULL ? own->compute : none, false);
	ms_table_count(table, ms_both(c->references));
	csv_ends(table, run,
		 own != NULL ? ms_intervals_references(&lines->whole, own->references) : none,
		 false);
	for (int rw = 0; rw < MS_RW; rw++) {
		const struct ms_rw_intervals *half = own != NULL ? &own->rw[rw] : NULL;

		ms_table_count(table, c->references[rw]);
		csv_ends(table, run,
			 half != NULL && half->misses != NULL
				 ? ms_intervals_references(&lines->whole, half->references)
				 : none,
			 false);
	}
	for (size_t i = 0; i < run->levels.n; i++)
		csv_level(table, run, i, &c->levels[i], own);
}

static void csv_parts(struct ms_table *table, const struct ms_lines *lines,
		      const struct ms_source_line *line)
{
	const struct ms_run *run = lines->whole.run;
	const struct ms_line_parts *code = &line->code, *data = &line->data;
	struct ms_text into = MS_TEXT_INIT;

	for (size_t i = 0; i < line->inlined_into.n; i++)
		ms_text_addf(&into, "%s%s", i > 0 ? "; " : "", line->inlined_into.at[i]);
	ms_table_text(table, code->at.n ? run->codes.at[code->at.at[0].of].name : NULL);
	ms_table_count(table, code->at.n);
	ms_table_text(table, ms_text_get(&into));
	ms_table_text(table, data->at.n ? run->data.at[data->at.at[0].of].name : NULL);
	ms_table_count(table, data->at.n);
	ms_text_free(&into);
}

static void csv_line(struct ms_table *table, const struct ms_lines *lines, const char *file,
		     const struct ms_source_line *line, const char *text,
		     const struct ms_entry_intervals *own)
{
	ms_table_text(table, file);
	if (line->number > 0)
		ms_table_count(table, line->number);
	else
		ms_table_none(table);
	csv_parts(table, lines, line);
	csv_figures(table, lines, &line->counts, own);
	ms_table_text(table, text);
}

/* What is added up: a name in the place of a file, or a file without a line. */
static void csv_sum(struct ms_table *table, const struct ms_lines *lines, const char *name,
		    const struct ms_counts *counts_of, const struct ms_entry_intervals *own)
{
	if (ms_counts_empty(counts_of))
		return;
	ms_table_text(table, name);
	for (int i = 0; i < 6; i++)
		ms_table_none(table);
	csv_figures(table, lines, counts_of, own);
	ms_table_none(table);
}

static void csv_file(struct ms_table *table, const struct ms_lines *lines,
		     const struct ms_source_file *file, const struct ms_lines_within *within,
		     const struct ms_lines_options *options)
{
	struct ms_text text = MS_TEXT_INIT;
	struct ms_view_source source;

	read_source(&source, lines, file, options);
	for (size_t i = file->first; i < file->first + file->n; i++) {
		const struct ms_source_line *line = &lines->lines.at[i];

		if (!line->shown)
			continue;
		bool known = ms_view_source_line(&source, line->number, &text);
		csv_line(table, lines, file->path, line, known ? ms_text_get(&text) : NULL,
			 ms_intervals_at(&within->lines, line->place));
	}
	csv_sum(table, lines, file->path, &file->rest.counts,
		ms_intervals_at(&within->rests, (uint64_t)(file - lines->files.at)));
	ms_text_free(&text);
	ms_view_source_free(&source);
}

void ms_lines_csv(struct ms_lines *lines, const struct ms_lines_options *options, FILE *out)
{
	struct ms_table table;
	struct ms_lines_within within;

	limit(lines, &options->view);
	ms_lines_within_make(&within, lines);
	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	csv_columns(&table, lines->whole.run);
	for (size_t i = 0; i < lines->files.n; i++)
		if (lines->files.at[i].shown)
			csv_file(&table, lines, &lines->files.at[i], &within, options);
	csv_sum(&table, lines, "<rest>", &lines->rest.counts,
		ms_intervals_at(&within.sums, MS_LINES_REST));
	if (!ms_counts_empty(&lines->unknown.counts))
		csv_line(&table, lines, "<unknown line>", &lines->unknown, NULL,
			 ms_intervals_at(&within.sums, MS_LINES_UNKNOWN));
	csv_sum(&table, lines, "<not asked for>", &lines->other,
		ms_intervals_at(&within.sums, MS_LINES_OTHER));
	ms_table_close(&table);
	ms_lines_within_free(&within);
}
