#include "views/html/html.h"

#include <stdlib.h>

#include "analysis/measured/measured.h"
#include "run/join.h"
#include "views/advise.h"
#include "views/evictions.h"
#include "views/html/html_priv.h"
#include "views/lines.h"
#include "views/sharing.h"
#include "views/threads.h"
#include "views/views.h"

/* --- a stream whose '<' are written as JSON may write them --- */

static ssize_t write_escaped(void *to, const char *bytes, size_t n)
{
	size_t from = 0;

	for (size_t i = 0; i < n; i++) {
		if (bytes[i] != '<')
			continue;
		fwrite(bytes + from, 1, i - from, to);
		fputs("\\u003c", to);
		from = i + 1;
	}
	fwrite(bytes + from, 1, n - from, to);
	return ferror(to) ? 0 : (ssize_t)n;
}

static int escaped(ms_html_writer *write, const void *arg, FILE *out, struct ms_err *err)
{
	FILE *json = fopencookie(out, "w", (cookie_io_functions_t){ .write = write_escaped });

	if (json == NULL)
		return ms_fail_errno(err, "the page: could not open a stream");
	setvbuf(json, NULL, _IOFBF, 1 << 16);
	int code = write(json, arg, err);
	fclose(json); /* what could not be written is an error of out as well */
	return code;
}

static int write_text(FILE *out, const void *text, struct ms_err *err)
{
	(void)err;
	fputs(text, out);
	return MS_OK;
}

static int put_data(ms_html_writer *write, const void *arg, bool mailed, FILE *out,
		    struct ms_err *err)
{
	char *json = NULL;
	size_t size = 0;
	FILE *whole = open_memstream(&json, &size);

	if (whole == NULL)
		return ms_fail_errno(err, "the page: could not open a stream");
	int code = escaped(write, arg, whole, err);
	if (fclose(whole) != 0 && code == MS_OK)
		code = ms_fail_errno(err, "the page: could not write its figures");
	if (code == MS_OK)
		code = ms_html_put_data(json, size, mailed, out, err);
	free(json);
	return code;
}

int ms_html_page(ms_html_writer *write, const void *arg, const char *server, FILE *out,
		 struct ms_err *err)
{
	fputs(ms_html_page_start, out);
	fputs("<script type=\"application/json\" id=\"server\">", out);
	MS_TRY(escaped(write_text, server != NULL ? server : "null", out, err));
	fputs("</script>\n", out);
	MS_TRY(put_data(write, arg, server == NULL, out, err));
	fputs(ms_html_page_end, out);
	return MS_OK;
}

const char *ms_html_policy(void)
{
	return ms_html_page_policy;
}

/* --- the JSON of one run: what the commands write, and the tables --- */

struct page_writer {
	const struct ms_run *run;
	const struct ms_html_options *options;
	struct ms_summary *summary; /* nothing is sorted anew */
	struct ms_html_wanted wanted;
	bool first;     /* only what the first view needs: the page asks for the rest */
	char *assembly; /* written before; NULL: not yet */
};

/* What --json writes by default, except for the limit. */
static struct ms_views_options limited(size_t top)
{
	return (struct ms_views_options){ .top = top, .threshold = -1 };
}

static void put_all_assembly(struct page_writer *page, FILE *out)
{
	size_t size;

	if (page->options->server != NULL) {
		fputs("null", out); /* the page asks for it */
		return;
	}
	if (page->assembly == NULL) {
		FILE *text = open_memstream(&page->assembly, &size);

		ms_html_put_assembly(page->summary, page->options, text);
		fclose(text);
	}
	fputs(page->assembly, out);
}

static int put_report(struct page_writer *page, FILE *out, struct ms_err *err)
{
	struct ms_views_options options = limited(0);

	options.heads = true;
	fputs(",\n\"report\": ", out);
	MS_TRY(ms_views_report_writers[MS_VIEWS_JSON](page->summary, &options, out, err));
	fputs(",\n\"tables\": ", out);
	ms_html_put_tables(page->summary, &page->wanted, out);
	fprintf(out, ",\n\"entries\": {\"code\": %zu, \"data\": %zu, \"bins\": %zu}",
		page->summary->code.at.n, page->summary->data.at.n, page->summary->bins.at.n);
	fputs(",\n\"assembly\": ", out);
	put_all_assembly(page, out);
	return MS_OK;
}

static int put_evictions(const struct page_writer *page, FILE *out, struct ms_err *err)
{
	const struct ms_evictions_wanted all = { .level = NULL };
	struct ms_views_options options = limited(MS_HTML_EVICTIONS >> page->wanted.shrink);
	const struct ms_run simulated = ms_run_simulated_part(page->run);
	struct ms_evictions evictions;

	if (ms_run_is_measured(page->run)) {
		fputs("null", out);
		return MS_OK;
	}
	MS_TRY(ms_evictions_make(&evictions, &simulated, &all, page->options->latency, err));
	ms_views_json_evictions(&evictions, &options, out);
	ms_evictions_free(&evictions);
	return MS_OK;
}

/* Only simulated runs of several processors share anything. */
static int put_sharing(const struct page_writer *page, FILE *out, struct ms_err *err)
{
	const struct ms_sharing_wanted all = { .code = NULL };
	struct ms_views_options options = limited(MS_HTML_SHARED_LINES);
	const struct ms_run simulated = ms_run_simulated_part(page->run);
	struct ms_sharing sharing;

	if (page->run->processors == 1 || ms_run_is_measured(page->run)) {
		fputs("null", out);
		return MS_OK;
	}
	MS_TRY(ms_sharing_make(&sharing, &simulated, &all, page->options->latency, err));
	ms_views_json_sharing(&sharing, &options, out);
	ms_sharing_free(&sharing);
	return MS_OK;
}

static void put_advise(const struct page_writer *page, FILE *out)
{
	struct ms_views_options options = limited(0);
	struct ms_advise own;

	if (page->options->advise != NULL) {
		ms_views_json_advise(page->options->advise, &options, out);
		return;
	}
	ms_advise_make(&own, page->summary);
	ms_views_json_advise(&own, &options, out);
	ms_advise_free(&own);
}

static int put_threads(const struct page_writer *page, FILE *out, struct ms_err *err)
{
	const struct ms_views_threads_options options = { .view = limited(MS_HTML_THREADS) };
	const struct ms_run simulated = ms_run_simulated_part(page->run);
	struct ms_threads threads;

	if (ms_run_is_measured(page->run)) {
		fputs("null", out);
		return MS_OK;
	}
	MS_TRY(ms_threads_make(&threads, &simulated, MS_NONE, err));
	int code = ms_views_json_threads(&threads, &options, out, err);
	ms_threads_free(&threads);
	return code;
}

static int put_lines(const struct page_writer *page, FILE *out, struct ms_err *err)
{
	const struct ms_html_options *o = page->options;
	const struct ms_lines_wanted all = { .code = NULL };
	const struct ms_views_lines_options options = {
		.view = limited(MS_HTML_HOT_LINES >> page->wanted.shrink),
		.folders = o->folders,
		.n_folders = o->n_folders,
		.parts = MS_HTML_LINE_PARTS,
		.text = o->no_source ? MS_VIEWS_NO_TEXT : MS_VIEWS_USER_TEXT,
	};
	struct ms_lines lines;

	MS_TRY(ms_lines_make(&lines, page->run, &all, o->latency, err));
	ms_views_json_lines(&lines, &options, out);
	fputs(",\n\"context\": ", out);
	ms_html_context(&lines, o, out);
	ms_lines_free(&lines);
	return MS_OK;
}

/* --- parts that a served page asks for --- */

typedef int part_writer(const struct page_writer *page, FILE *out, struct ms_err *err);

/* Tables, or the value of a field of the page, and fields after it. */
static const struct part {
	const char *name;
	unsigned groups;
	part_writer *put;
} parts[] = {
	[MS_HTML_PART_LISTS] = { "lists", MS_HTML_LISTS | MS_HTML_REPLACED, NULL },
	[MS_HTML_PART_BINS] = { "bins", MS_HTML_BINS, NULL },
	[MS_HTML_PART_FRAMES] = { "frames", MS_HTML_FRAMES, NULL },
	[MS_HTML_PART_TREE] = { "tree", MS_HTML_TREE, NULL },
	[MS_HTML_PART_TIME] = { "time", MS_HTML_TIME, NULL },
	[MS_HTML_PART_RANKS] = { "ranks", MS_HTML_RANKS, NULL },
	[MS_HTML_PART_EVICTIONS] = { "evictions", 0, put_evictions },
	[MS_HTML_PART_SHARING] = { "sharing", 0, put_sharing },
	[MS_HTML_PART_THREADS] = { "threads", 0, put_threads },
	[MS_HTML_PART_LINES] = { "lines", 0, put_lines },
};

static int put_part(const struct page_writer *page, const struct part *part, FILE *out,
		    struct ms_err *err)
{
	if (part->put == NULL)
		return MS_OK;
	fprintf(out, ",\n\"%s\": ", part->name);
	return part->put(page, out, err);
}

static void put_later(const struct page_writer *page, FILE *out)
{
	fputs(",\n\"later\": [", out);
	for (size_t i = 0; i < MS_COUNT(parts) && page->first; i++)
		if (i != MS_HTML_PART_RANKS || page->run->rank_rows.n > 0)
			fprintf(out, "%s\"%s\"", i > 0 ? ", " : "", parts[i].name);
	if (page->first)
		fputs(", \"details\"", out);
	fputs("]", out);
}

static int put_run(FILE *out, const void *arg, struct ms_err *err)
{
	struct page_writer *page = (struct page_writer *)arg;

	fprintf(out, "{\"schema_version\": 1, \"page\": \"run\", \"memspy\": \"%s\"", MS_VERSION);
	MS_TRY(put_report(page, out, err));
	fputs(",\n\"advise\": ", out);
	put_advise(page, out);
	for (size_t i = 0; i < MS_COUNT(parts) && !page->first; i++)
		MS_TRY(put_part(page, &parts[i], out, err));
	put_later(page, out);
	fputs("}\n", out);
	return MS_OK;
}

int ms_html_open_summary(const struct ms_run *run, const struct ms_html_options *options,
			 struct ms_summary *own, struct ms_summary **summary, struct ms_err *err)
{
	*summary = options->summary;
	if (*summary != NULL)
		return MS_OK;
	*summary = own;
	return ms_summary_make(own, run, NULL, options->latency, err);
}

void ms_html_close_summary(struct ms_summary *summary, struct ms_summary *own)
{
	if (summary == own)
		ms_summary_free(own);
}

static int begin(struct page_writer *page, struct ms_summary *own, struct ms_err *err)
{
	page->wanted = (struct ms_html_wanted){ MS_HTML_ALL, SIZE_MAX, SIZE_MAX, SIZE_MAX,
						MS_NONE,     MS_NONE,  0 };
	return ms_html_open_summary(page->run, page->options, own, &page->summary, err);
}

static void end(struct page_writer *page, struct ms_summary *own)
{
	free(page->assembly);
	ms_html_close_summary(page->summary, own);
}

/* The rows of code are in the order of stall time; the page lists functions by all their time, down
 * to 0.1 %. */
static size_t first_code(const struct ms_summary *s)
{
	const struct ms_summary_counts *all = &s->total.counts;
	uint64_t least = (all->compute + ms_summary_rw_sum(all->stall)) / 1000;
	size_t rows = MS_HTML_FIRST_ROWS;

	for (size_t i = rows; i < s->code.at.n; i++) {
		const struct ms_summary_counts *counts = &s->code.at.at[i].counts;

		if (counts->compute + ms_summary_rw_sum(counts->stall) > least)
			rows = i + 1;
	}
	return rows;
}

/* Of the tables only the first rows. */
static void take_first(struct page_writer *page)
{
	page->first = true;
	page->wanted.groups = MS_HTML_LISTS | MS_HTML_BINS;
	if (page->run->rank_rows.n == 0)
		page->wanted.groups |= MS_HTML_RANKS; /* empty */
	page->wanted.code_rows = first_code(page->summary);
	page->wanted.data_rows = MS_HTML_FIRST_ROWS;
	page->wanted.bins = MS_HTML_FIRST_BINS;
}

/* A file that would be too large leaves out more, until it is not. */
static int put_file(struct page_writer *page, FILE *out, struct ms_err *err)
{
	for (;; page->wanted.shrink++) {
		char *text = NULL;
		size_t size = 0;
		FILE *file = open_memstream(&text, &size);
		int code = ms_html_page(put_run, page, NULL, file, err);
		bool fits;

		fclose(file);
		fits = size <= MS_HTML_FILE_BYTES;
		if (code == MS_OK && (fits || page->wanted.shrink == MS_HTML_MOST_SHRUNK))
			fwrite(text, 1, size, out);
		free(text);
		if (code != MS_OK || fits || page->wanted.shrink == MS_HTML_MOST_SHRUNK)
			return code;
		page->wanted.bins = MS_HTML_SHRUNK_BINS >> (page->wanted.shrink + 1);
	}
}

int ms_html_run(const struct ms_run *run, const struct ms_html_options *options, FILE *out,
		struct ms_err *err)
{
	struct page_writer page = { .run = run, .options = options };
	struct ms_summary own;
	int code;

	MS_TRY(begin(&page, &own, err));
	if (options->server != NULL && page.summary->bins.at.n > MS_HTML_FIRST_BINS &&
	    !ms_run_is_measured(run))
		take_first(&page);
	if (options->server != NULL)
		code = ms_html_page(put_run, &page, options->server, out, err);
	else
		code = put_file(&page, out, err);
	end(&page, &own);
	return code;
}

int ms_html_live_json(const struct ms_run *run, const struct ms_html_options *options, FILE *out,
		      struct ms_err *err)
{
	struct page_writer page = { .run = run, .options = options };
	struct ms_summary own;

	MS_TRY(begin(&page, &own, err));
	page.wanted.bins = MS_HTML_LIVE_BINS;
	int code = put_run(out, &page, err);

	end(&page, &own);
	return code;
}

/* An object: {"tables": ...}, or the field of the part. */
int ms_html_part_json(const struct ms_run *run, const struct ms_html_options *options,
		      enum ms_html_part part, FILE *out, struct ms_err *err)
{
	struct page_writer page = { .run = run, .options = options };
	struct ms_summary own;

	MS_TRY(begin(&page, &own, err));
	fprintf(out, "{\"schema_version\": 1, \"part\": \"%s\"", parts[part].name);
	int code = put_part(&page, &parts[part], out, err);

	page.wanted.groups = parts[part].groups;
	if (code == MS_OK && page.wanted.groups != 0) {
		fputs(",\n\"tables\": ", out);
		ms_html_put_tables(page.summary, &page.wanted, out);
	}
	fputs("}\n", out);
	end(&page, &own);
	return code;
}

int ms_html_details_json(const struct ms_run *run, const struct ms_html_options *options,
			 int64_t code_row, int64_t data_row, FILE *out, struct ms_err *err)
{
	struct page_writer page = { .run = run, .options = options };
	struct ms_summary own;

	MS_TRY(begin(&page, &own, err));
	uint64_t code = (uint64_t)code_row, data = (uint64_t)data_row;

	if (code > page.summary->code.at.n || data > page.summary->data.at.n || code + data == 0) {
		fputs("null\n", out);
	} else {
		page.wanted.groups = MS_HTML_BINS | MS_HTML_DETAILS;
		page.wanted.code = code > 0 ? (uint32_t)code - 1 : MS_NONE;
		page.wanted.data = data > 0 ? (uint32_t)data - 1 : MS_NONE;
		fputs("{\"schema_version\": 1, \"tables\": ", out);
		ms_html_put_tables(page.summary, &page.wanted, out);
		fputs("}\n", out);
	}
	end(&page, &own);
	return MS_OK;
}
