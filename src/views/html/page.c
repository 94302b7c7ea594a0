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
};

/* What --json writes by default, except for the limit. */
static struct ms_views_options limited(size_t top)
{
	return (struct ms_views_options){ .top = top, .threshold = -1 };
}

static int put_report(const struct page_writer *page, FILE *out, struct ms_err *err)
{
	struct ms_views_options options = limited(0);
	struct ms_summary summary;

	options.heads = true;
	MS_TRY(ms_summary_make(&summary, page->run, NULL, page->options->latency, err));
	fputs(",\n\"report\": ", out);
	int code = ms_views_report_writers[MS_VIEWS_JSON](&summary, &options, out, err);
	fputs(",\n\"tables\": ", out);
	ms_html_tables(&summary, out);
	fputs(",\n\"assembly\": ", out);
	if (page->options->server != NULL)
		fputs("null", out); /* the page asks for it */
	else
		ms_html_put_assembly(&summary, page->options, out);
	ms_summary_free(&summary);
	return code;
}

static int put_evictions(const struct page_writer *page, FILE *out, struct ms_err *err)
{
	const struct ms_evictions_wanted all = { .level = NULL };
	struct ms_views_options options = limited(MS_HTML_EVICTIONS);
	const struct ms_run simulated = ms_run_simulated_part(page->run);
	struct ms_evictions evictions;

	fputs(",\n\"evictions\": ", out);
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

	fputs(",\n\"sharing\": ", out);
	if (page->run->processors == 1 || ms_run_is_measured(page->run)) {
		fputs("null", out);
		return MS_OK;
	}
	MS_TRY(ms_sharing_make(&sharing, &simulated, &all, page->options->latency, err));
	ms_views_json_sharing(&sharing, &options, out);
	ms_sharing_free(&sharing);
	return MS_OK;
}

static int put_advise(const struct page_writer *page, FILE *out, struct ms_err *err)
{
	struct ms_views_options options = limited(0);
	struct ms_summary summary;
	struct ms_advise advise;

	MS_TRY(ms_summary_make(&summary, page->run, NULL, page->options->latency, err));
	ms_advise_make(&advise, &summary);
	fputs(",\n\"advise\": ", out);
	ms_views_json_advise(&advise, &options, out);
	ms_advise_free(&advise);
	ms_summary_free(&summary);
	return MS_OK;
}

static int put_threads(const struct page_writer *page, FILE *out, struct ms_err *err)
{
	const struct ms_views_threads_options options = { .view = limited(MS_HTML_THREADS) };
	const struct ms_run simulated = ms_run_simulated_part(page->run);
	struct ms_threads threads;

	fputs(",\n\"threads\": ", out);
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
		.view = limited(MS_HTML_HOT_LINES),
		.folders = o->folders,
		.n_folders = o->n_folders,
		.parts = MS_HTML_LINE_PARTS,
		.text = o->no_source ? MS_VIEWS_NO_TEXT : MS_VIEWS_USER_TEXT,
	};
	struct ms_lines lines;

	MS_TRY(ms_lines_make(&lines, page->run, &all, o->latency, err));
	fputs(",\n\"lines\": ", out);
	ms_views_json_lines(&lines, &options, out);
	fputs(",\n\"context\": ", out);
	ms_html_context(&lines, o, out);
	ms_lines_free(&lines);
	return MS_OK;
}

static int put_run(FILE *out, const void *arg, struct ms_err *err)
{
	const struct page_writer *page = arg;

	fprintf(out, "{\"schema_version\": 1, \"page\": \"run\", \"memspy\": \"%s\"", MS_VERSION);
	MS_TRY(put_report(page, out, err));
	MS_TRY(put_evictions(page, out, err));
	MS_TRY(put_sharing(page, out, err));
	MS_TRY(put_advise(page, out, err));
	MS_TRY(put_threads(page, out, err));
	MS_TRY(put_lines(page, out, err));
	fputs("}\n", out);
	return MS_OK;
}

int ms_html_run(const struct ms_run *run, const struct ms_html_options *options, FILE *out,
		struct ms_err *err)
{
	const struct page_writer page = { run, options };

	return ms_html_page(put_run, &page, options->server, out, err);
}

int ms_html_run_json(const struct ms_run *run, const struct ms_html_options *options, FILE *out,
		     struct ms_err *err)
{
	const struct page_writer page = { run, options };

	return put_run(out, &page, err);
}
