#include "cli/options/report.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/private_file.h"
#include "base/utf8.h"
#include "cli/load_run.h"
#include "views/callers.h"

enum { PIPE_WIDTH = 100, LEAST_WIDTH = 20, MOST_WIDTH = 10000 };

static bool is_terminal(FILE *out)
{
	return fileno(out) >= 0 && isatty(fileno(out));
}

static bool wants_colour(const char *when, FILE *out)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (strcmp(when, "auto") != 0)
		return strcmp(when, "always") == 0;
	return is_terminal(out) && (no == NULL || no[0] == '\0') && term != NULL &&
	       strcmp(term, "dumb") != 0;
}

/* As other tools do: COLUMNS comes before the terminal's own width. 0: it is not set. */
static size_t width_of_environment(void)
{
	const char *text = getenv("COLUMNS");
	char *end = NULL;
	unsigned long n =
		text != NULL && text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;

	if (n == 0 || *end != '\0' || n > MOST_WIDTH)
		return 0;
	return n > LEAST_WIDTH ? n : LEAST_WIDTH;
}

static size_t width_of(FILE *out)
{
	struct winsize size;

	if (width_of_environment() != 0)
		return width_of_environment();
	if (!is_terminal(out) || ioctl(fileno(out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return PIPE_WIDTH;
	return size.ws_col > LEAST_WIDTH ? size.ws_col : LEAST_WIDTH;
}

static enum ms_views_by by_of(const char *word)
{
	static const char *const words[] = {
		[MS_VIEWS_BY_MATRIX] = "matrix", [MS_VIEWS_BY_CODE] = "code",
		[MS_VIEWS_BY_DATA] = "data",     [MS_VIEWS_BY_LINE] = "line",
		[MS_VIEWS_BY_BIN] = "bin",       [MS_VIEWS_BY_PROCESSOR] = "processor",
		[MS_VIEWS_BY_PATH] = "path",
	};

	for (size_t i = 0; word != NULL && i < MS_COUNT(words); i++)
		if (strcmp(word, words[i]) == 0)
			return (enum ms_views_by)i;
	return MS_VIEWS_BY_MATRIX;
}

int ms_options_read_view(const struct ms_options_report *opts, FILE *out,
			 enum ms_views_format *format, struct ms_views_options *v,
			 struct ms_err *err)
{
	if (opts->json && opts->csv)
		return ms_fail(err, MS_EUSAGE, "--json and --csv exclude each other");
	*format = opts->json ? MS_VIEWS_JSON : opts->csv ? MS_VIEWS_CSV : MS_VIEWS_TEXT;
	*v = (struct ms_views_options){
		.width = opts->width ? opts->width : width_of(out),
		.bars = !ms_utf8_ascii &&
			(is_terminal(out) || (opts->color && strcmp(opts->color, "always") == 0)),
		.colour = wants_colour(opts->color ? opts->color : "auto", out),
		.by = by_of(opts->by),
		.shows_system = opts->no_fold_system && !opts->fold_system,
		.sort = opts->sort,
		.top = opts->top,
		.threshold = opts->threshold / 100,
		.db = opts->db && strcmp(opts->db, MS_OPTIONS_DEFAULT_DB) != 0 ? opts->db : NULL,
		.rank = opts->rank,
		.node = opts->node,
		.cluster = opts->cluster,
	};
	return MS_OK;
}

/* A pipe whose reader has closed it: it has read enough. */
static bool reader_gone(FILE *out)
{
	struct pollfd pipe = { .fd = fileno(out), .events = POLLOUT };

	return poll(&pipe, 1, 0) == 1 && (pipe.revents & POLLERR) != 0;
}

/* Standard error that was closed from the start (main.c reserves its descriptor). */
static bool is_closed(FILE *out)
{
	return out == stderr && (fcntl(fileno(out), F_GETFL) & O_ACCMODE) == O_RDONLY;
}

static const char *name_of(const struct ms_options_report *opts, FILE *out)
{
	if (out == stdout)
		return "standard output";
	return opts->output != NULL ? opts->output : "standard error";
}

/* Finds the error of an earlier write: one more byte fails for the same reason, and sets errno. */
static int why_not(FILE *out)
{
	errno = 0;
	clearerr(out);
	if (fputc('\n', out) != EOF)
		fflush(out);
	return errno != 0 ? errno : EIO;
}

/* The only check for write errors: stdio remembers that one occurred, but not which. */
int ms_options_flush_output(const char *name, FILE *out, struct ms_err *err)
{
	errno = 0;
	if ((fflush(out) == 0 && !ferror(out)) || errno == EPIPE || reader_gone(out) ||
	    is_closed(out))
		return MS_OK;
	if (errno == 0)
		errno = why_not(out);
	return ms_fail_errno(err, "%s: could not write", name);
}

static int flush(const struct ms_options_report *opts, FILE *out, struct ms_err *err)
{
	return ms_options_flush_output(name_of(opts, out), out, err);
}

/* By name where it does not exist yet. What is no file, such as /dev/null, can be had twice. */
static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	if (stat(a, &x) != 0 || stat(b, &y) != 0)
		return strcmp(a, b) == 0;
	return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int ms_options_check_overwrite(const char *option, const char *path, const char *needed,
			       const char *what, struct ms_err *err)
{
	if (path == NULL || needed == NULL || !is_same_file(path, needed))
		return MS_OK;
	return ms_fail(err, MS_EUSAGE, "%s %s would be written over %s; name another file", option,
		       path, what);
}

/* Would it open? Nothing is made or changed. Leaves in errno why not. */
static bool can_be_opened(const char *path)
{
	struct stat found;
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX];

	if (stat(path, &found) == 0 && S_ISDIR(found.st_mode)) {
		errno = EISDIR;
		return false;
	}
	if (access(path, W_OK) == 0)
		return true;
	if (errno != ENOENT)
		return false;
	if (lstat(path, &found) == 0) /* a link to what is not there yet */
		return true;
	snprintf(folder, sizeof(folder), "./");
	if (slash != NULL)
		snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path + 1), path);
	return access(folder, W_OK | X_OK) == 0;
}

int ms_options_check_output(const struct ms_options_report *opts, struct ms_err *err)
{
	return ms_options_check_overwrite("-o", opts->output, opts->db, "the run database", err);
}

int ms_options_try_output(const struct ms_options_report *opts, struct ms_err *err)
{
	const char *path = opts->output;

	if (path == NULL || strcmp(path, "-") == 0 || can_be_opened(path))
		return MS_OK;
	return ms_fail_errno(err, "%s: could not open it to write", path);
}

/* A command has one output at a time. */
static struct ms_private_replacement written;

int ms_options_open_output(const struct ms_options_report *opts, FILE **out, struct ms_err *err)
{
	*out = stdout;
	if (opts->output == NULL || strcmp(opts->output, "-") == 0)
		return MS_OK;
	MS_TRY(ms_options_check_output(opts, err));
	if (ms_private_replace(&written, opts->output) != 0)
		return ms_fail_errno(err, "%s: could not open it to write", opts->output);
	*out = written.file;
	return MS_OK;
}

int ms_options_close_output(const struct ms_options_report *opts, FILE *out, int code,
			    struct ms_err *err)
{
	if (code == MS_OK)
		code = flush(opts, out, err);
	if (out != stdout && ms_private_end_replace(&written, code == MS_OK) != 0 && code == MS_OK)
		code = ms_fail_errno(err, "%s: could not write", opts->output);
	return code;
}

static int check_measured(const struct ms_run *run, struct ms_err *err)
{
	if (ms_run_has_measured_time(run) || ms_run_is_measured(run))
		return MS_OK;
	return ms_fail(err, MS_EUSAGE, "--cost measured: %s; omit it",
		       ms_run_is_joined(run) ? "the run has too few samples"
					     : "the run is simulated; `memspy join` adds measured "
					       "time to it");
}

int ms_options_apply_cost(const struct ms_options_report *opts, struct ms_run *run,
			  struct ms_err *err)
{
	if (opts->cost == NULL)
		return MS_OK;
	run->by_latency = strcmp(opts->cost, "latency") == 0;
	run->by_estimate = strcmp(opts->cost, "exposed") == 0;
	if (strcmp(opts->cost, "measured") == 0)
		return check_measured(run, err);
	if (run->by_latency || run->core == MS_RUN_OUT_OF_ORDER)
		return MS_OK;
	return ms_fail(err, MS_EUSAGE,
		       "--cost exposed: the run has no exposed parts of misses, since %s; omit it",
		       ms_run_is_measured(run) ? "it was sampled on the real machine"
					       : "no out-of-order core was simulated");
}

int ms_options_print_report(const struct ms_run *run, const struct ms_options_report *opts,
			    FILE *out, struct ms_err *err)
{
	enum ms_views_format format;
	struct ms_views_options options;
	struct ms_summary summary;
	struct ms_run shown = *run;

	MS_TRY(ms_options_read_view(opts, out, &format, &options, err));
	MS_TRY(ms_options_apply_cost(opts, &shown, err));
	MS_TRY(ms_summary_make(&summary, &shown, NULL, opts->latency, err));
	ms_paths_add_inclusive(&summary);
	/* Text has paths in the report. */
	bool lists_paths = options.by == MS_VIEWS_BY_PATH && format != MS_VIEWS_TEXT;
	int code = (lists_paths ? ms_views_paths_writers
				: ms_views_report_writers)[format](&summary, &options, out, err);
	ms_summary_free(&summary);
	return code == MS_OK ? flush(opts, out, err) : code;
}

static int load(const struct ms_options_report *opts, const struct ms_words *words,
		struct ms_run *run, struct ms_err *err)
{
	if (words->at.n > 1)
		return ms_fail(err, MS_EUSAGE,
			       "unexpected argument '%s'; only one run can be named",
			       words->at.at[1]);
	return ms_cli_load(opts, words->at.n ? words->at.at[0] : NULL, run, err);
}

int ms_options_show_report(const struct ms_options_report *opts, const struct ms_words *words,
			   int (*print)(const void *arg, const struct ms_run *run, FILE *out,
					struct ms_err *err),
			   const void *arg, struct ms_err *err)
{
	struct ms_run run;
	FILE *out;

	MS_TRY(load(opts, words, &run, err));
	int code = ms_options_open_output(opts, &out, err);
	if (code == MS_OK) {
		code = print(arg, &run, out, err);
		code = ms_options_close_output(opts, out, code, err);
	}
	ms_run_free(&run);
	return code;
}
