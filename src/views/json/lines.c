/* views/json/lines.c - lines of source as JSON; docs/formats/lines-json.md describes it. */
#include "views/lines.h"

#include <string.h>

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/measured/measured.h"
#include "analysis/source_lines/line_use.h"
#include "base/json.h"
#include "views/json/parts.h"
#include "views/shared.h"
#include "views/source.h"

struct json_writer {
	const struct ms_lines *lines;
	const struct ms_views_lines_options *options;
	struct ms_views_lines_intervals within;
	struct ms_lines_use use;
};

/* What a report says of every entry, and the compute cycles where there are instructions. */
static void counts(struct ms_json *j, const struct ms_lines *lines,
		   const struct ms_summary_counts *c, bool compute)
{
	if (compute)
		ms_views_json_compute(j, lines->whole.run, c);
	ms_views_json_counts(j, &lines->whole, c);
}

static void parts(struct ms_json *j, const struct ms_lines *lines, const struct ms_lines_line *l,
		  size_t most)
{
	const struct ms_run *run = lines->whole.run;

	ms_json_array(j, "code");
	for (size_t i = 0; i < ms_views_top(l->code.at.n, most); i++) {
		ms_json_object(j, NULL);
		ms_json_text(j, "name", run->codes.at[l->code.at.at[i].of].name);
		ms_views_json_compute(j, run, &l->code.at.at[i].counts);
		if (ms_run_is_measured(run))
			ms_views_json_samples(j, &lines->whole, &l->code.at.at[i].counts);
		else
			ms_json_u64(j, "stall_cycles",
				    ms_summary_rw_sum(l->code.at.at[i].counts.stall));
		ms_json_end(j);
	}
	ms_json_end(j);
	ms_json_array(j, "data");
	for (size_t i = 0; i < ms_views_top(l->data.at.n, most); i++) {
		ms_json_object(j, NULL);
		ms_json_text(j, "name", run->data.at[l->data.at.at[i].of].name);
		counts(j, lines, &l->data.at.at[i].counts, false);
		ms_json_end(j);
	}
	ms_json_end(j);
}

/* Bytes used of the lines that it fetched; only in runs that observed them. */
static void line_use(struct ms_json *j, const struct json_writer *w,
		     const struct ms_lines_line *line)
{
	const struct ms_run *run = w->lines->whole.run;

	if (run->line_uses.n == 0)
		return;
	ms_json_array(j, "line_use");
	for (size_t level = 0; level < run->levels.n; level++) {
		const struct ms_line_use *use = ms_lines_use_at(&w->use, level, line);

		if (use != NULL)
			ms_views_json_line_use_of_level(j, &run->levels.at[level], use);
	}
	ms_json_end(j);
}

static void one_line(struct ms_json *j, const struct json_writer *w,
		     const struct ms_views_source *source, const struct ms_lines_line *line,
		     struct ms_text *text)
{
	const struct ms_lines *lines = w->lines;

	ms_json_object(j, NULL);
	ms_json_u64(j, "line", line->number);
	ms_json_text(j, "text",
		     ms_views_source_line(source, line->number, text) ? ms_text_get(text) : NULL);
	if (lines->whole.run->path_misses.n > 0)
		ms_json_u64(j,
			    ms_run_is_measured(lines->whole.run) ? "inclusive_stall_ns"
								 : "inclusive_stall_cycles",
			    line->counts.inclusive);
	counts(j, lines, &line->counts, true);
	ms_views_json_intervals(j, lines->whole.run, &line->counts,
				ms_intervals_at(&w->within.lines, line->place));
	line_use(j, w, line);
	ms_json_array(j, "inlined_into");
	for (size_t i = 0; i < line->inlined_into.n; i++)
		ms_json_text(j, NULL, line->inlined_into.at[i]);
	ms_json_end(j);
	parts(j, lines, line, w->options->parts);
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

static void about_source(struct ms_json *j, const struct ms_views_source *source)
{
	static const char *const ages[] = { [MS_VIEWS_SOURCE_AFTER_BUILD] = "after build",
					    [MS_VIEWS_SOURCE_AFTER_RUN] = "after run" };

	ms_json_text(j, "source", source->trouble == NULL ? source->path : NULL);
	ms_json_text(j, "trouble", source->trouble);
	ms_json_text(j, "changed", ages[source->age]);
	ms_json_u64(j, "source_lines", ms_views_source_lines(source));
}

static void one_file(struct ms_json *j, const struct json_writer *w,
		     const struct ms_lines_file *file)
{
	const struct ms_lines *lines = w->lines;
	struct ms_text text = MS_TEXT_INIT;
	struct ms_views_source source;

	ms_views_lines_source(&source, lines, file, w->options);
	ms_json_object(j, NULL);
	ms_json_text(j, "file", file->path);
	ms_json_text(j, "module", file->module);
	about_source(j, &source);
	counts(j, lines, &file->counts, true);
	ms_views_json_intervals(
		j, lines->whole.run, &file->counts,
		ms_intervals_at(&w->within.files, (uint64_t)(file - lines->files.at)));
	rest(j, "rest", lines, &file->rest, false);
	ms_json_array(j, "lines");
	for (size_t i = file->first; i < file->first + file->n; i++)
		if (lines->lines.at[i].shown)
			one_line(j, w, &source, &lines->lines.at[i], &text);
	ms_json_end(j);
	ms_json_end(j);
	ms_text_free(&text);
	ms_views_source_free(&source);
}

void ms_views_json_lines(struct ms_lines *lines, const struct ms_views_lines_options *options,
			 FILE *out)
{
	struct json_writer w = { .lines = lines, .options = options };
	struct ms_json j;

	ms_views_lines_limit(lines, &options->view);
	ms_views_json_begin_run(&j, lines->whole.run, out);
	ms_json_end(&j);
	ms_json_object(&j, "totals");
	counts(&j, lines, &lines->whole.total.counts, true);
	ms_json_end(&j);
	ms_json_array(&j, "files");
	ms_views_lines_intervals_make(&w.within, lines);
	ms_lines_use_make(&w.use, lines);
	for (size_t i = 0; i < lines->files.n; i++)
		if (lines->files.at[i].shown)
			one_file(&j, &w, &lines->files.at[i]);
	ms_lines_use_free(&w.use);
	ms_views_lines_intervals_free(&w.within);
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
