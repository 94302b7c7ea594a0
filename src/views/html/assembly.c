/*
 * views/html/assembly.c - the instructions of functions, each with what its references cost. The
 * figures are those of sites; the instructions are read from the program when the page is made.
 */
#include <stdlib.h>

#include "analysis/measured/measured.h"
#include "analysis/summary/cost.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/num.h"
#include "run/join.h"
#include "views/disassembly.h"
#include "views/html/html_priv.h"

/* Sites of one instruction together. */
struct site_figures {
	uint64_t offset;
	uint32_t line;
	uint64_t references;
	double stall;
	uint64_t first_misses; /* of the first level ... */
	uint64_t last_misses;  /* ... and of the last one */
};

struct function_sites {
	MS_VEC(struct site_figures) at; /* by offset */
};

static int by_offset(const void *a, const void *b)
{
	const struct site_figures *x = a, *y = b;

	return ms_cmp_u64(x->offset, y->offset);
}

/* Misses are sorted by cell. */
static void add_cells(const struct ms_summary *s, const uint32_t *figures_of, /* by site, from 1 */
		      struct function_sites *sites)
{
	const struct ms_run *run = s->run;

	for (size_t i = 0, m = 0; i < run->cells.n; i++) {
		const struct ms_run_cell *cell = &run->cells.at[i];
		const struct ms_run_miss *misses = run->misses.at + m;
		size_t first = m;

		while (m < run->misses.n && run->misses.at[m].cell == i)
			m++;
		if (figures_of[cell->site] == 0)
			continue;
		struct site_figures *figures = &sites->at.at[figures_of[cell->site] - 1];

		figures->references += cell->references;
		figures->stall +=
			(double)ms_summary_cost_cell(&s->cost, cell, misses, m - first).cycles;
		for (; first < m; first++, misses++) {
			uint64_t n = ms_summary_miss_count(misses);

			figures->first_misses += misses->level == 0 ? n : 0;
			figures->last_misses += misses->level + 1 == run->levels.n ? n : 0;
		}
	}
}

/* One instruction may be several sites: of inlined calls, or because it reads and writes. */
static void merge_sites(struct function_sites *sites)
{
	size_t n = 0;

	if (sites->at.n > 1)
		qsort(sites->at.at, sites->at.n, sizeof(*sites->at.at), by_offset);
	for (size_t i = 0; i < sites->at.n; i++) {
		const struct site_figures *from = &sites->at.at[i];

		if (n == 0 || sites->at.at[n - 1].offset != from->offset) {
			sites->at.at[n++] = *from;
			continue;
		}
		sites->at.at[n - 1].references += from->references;
		sites->at.at[n - 1].stall += from->stall;
		sites->at.at[n - 1].first_misses += from->first_misses;
		sites->at.at[n - 1].last_misses += from->last_misses;
	}
	sites->at.n = n;
}

static void list_sites(const struct ms_summary *s, uint32_t code, struct function_sites *sites)
{
	const struct ms_run *run = s->run;
	uint32_t *figures_of = ms_alloc((run->sites.n + 1) * sizeof(*figures_of));

	for (uint32_t i = 0; i < run->sites.n; i++) {
		const struct ms_run_site *site = &run->sites.at[i];
		const struct ms_run_line *line = &run->lines.at[site->line];

		if (line->code != code)
			continue;
		*ms_vec_add(&sites->at) =
			(struct site_figures){ .offset = site->offset, .line = line->line };
		figures_of[i] = (uint32_t)sites->at.n;
	}
	add_cells(s, figures_of, sites);
	merge_sites(sites);
	ms_free(figures_of);
}

/* From its entry, or its first site, to after its last one; a part that is far away is left out. */
static void put_instructions(struct ms_json *json, const struct ms_run_code *code,
			     const struct function_sites *sites)
{
	struct ms_views_disassembly d;
	uint64_t from = sites->at.at[0].offset, to = from;
	size_t at = 0;

	if (code->offset <= from && from - code->offset < MS_HTML_ASSEMBLY_BYTES)
		from = code->offset;
	for (size_t i = 0; i < sites->at.n; i++)
		if (sites->at.at[i].offset - from < MS_HTML_ASSEMBLY_BYTES)
			to = sites->at.at[i].offset + 1;
	ms_views_disassemble(&d, code->module, from, to, MS_HTML_INSTRUCTIONS);
	ms_json_text(json, "trouble", d.trouble);
	ms_json_array(json, "instructions");
	for (size_t i = 0; i < d.at.n; i++) {
		while (at < sites->at.n && sites->at.at[at].offset < d.at.at[i].offset)
			at++;
		ms_json_array(json, NULL);
		ms_json_u64(json, NULL, d.at.at[i].offset);
		ms_json_text(json, NULL, d.at.at[i].text);
		if (at < sites->at.n && sites->at.at[at].offset == d.at.at[i].offset) {
			const struct site_figures *f = &sites->at.at[at];

			ms_json_u64(json, NULL, f->line);
			ms_json_u64(json, NULL, f->references);
			ms_json_real(json, NULL, f->stall);
			ms_json_u64(json, NULL, f->first_misses);
			ms_json_u64(json, NULL, f->last_misses);
		}
		ms_json_end(json);
	}
	ms_json_end(json);
	ms_views_disassembly_free(&d);
}

static void put_function(struct ms_json *json, const struct ms_summary *s, size_t row)
{
	uint32_t code = s->code.at.at[row].code;
	struct function_sites sites = { MS_VEC_INIT };

	list_sites(s, code, &sites);
	ms_json_object(json, NULL);
	ms_json_u64(json, "code", row);
	if (sites.at.n > 0)
		put_instructions(json, &s->run->codes.at[code], &sites);
	else
		ms_json_text(json, "trouble", "it makes no references");
	ms_json_end(json);
	ms_vec_free(&sites.at);
}

/* Runs of the real machine, and joined ones, have measured times, which are not by instruction. */
static bool has_assembly(const struct ms_summary *s, const struct ms_html_options *options)
{
	return !options->no_source && !ms_run_is_measured(s->run) &&
	       !ms_run_has_measured_time(s->run);
}

/* A hundredth of the stall time. */
static bool is_hot(const struct ms_summary *s, const struct ms_summary_entry *entry)
{
	uint64_t stall = entry->counts.stall[0] + entry->counts.stall[1];
	uint64_t all = s->total.counts.stall[0] + s->total.counts.stall[1];

	return entry->code != MS_NONE && stall > 0 && stall >= all / 100;
}

void ms_html_put_assembly(const struct ms_summary *s, const struct ms_html_options *options,
			  FILE *out)
{
	struct ms_json json;

	ms_json_init(&json, out);
	ms_json_array(&json, NULL);
	for (size_t i = 0; i < s->code.at.n && i < MS_HTML_ASSEMBLED && has_assembly(s, options);
	     i++)
		if (is_hot(s, &s->code.at.at[i]))
			put_function(&json, s, i);
	ms_json_end(&json);
}

int ms_html_assembly_json(const struct ms_run *run, const struct ms_html_options *options,
			  int64_t row, FILE *out, struct ms_err *err)
{
	struct ms_summary own, *summary;
	struct ms_json json;

	MS_TRY(ms_html_open_summary(run, options, &own, &summary, err));
	if (row < 1 || (uint64_t)row > summary->code.at.n ||
	    summary->code.at.at[row - 1].code == MS_NONE || !has_assembly(summary, options)) {
		fputs("null\n", out);
	} else {
		ms_json_init(&json, out);
		put_function(&json, summary, (size_t)row - 1);
		fputc('\n', out);
	}
	ms_html_close_summary(summary, &own);
	return MS_OK;
}
