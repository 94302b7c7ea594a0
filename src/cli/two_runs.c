#include "cli/two_runs.h"

#include "cli/load_run.h"

static int load_both(const struct ms_options_report *opts, const struct ms_words *words,
		     const char *expected, struct ms_run runs[2], struct ms_err *err)
{
	if (words->at.n != 2)
		return ms_fail(err, MS_EUSAGE, "%zu run%s, expected two: %s", words->at.n,
			       words->at.n == 1 ? "" : "s", expected);
	MS_TRY(ms_cli_load(opts, words->at.at[0], &runs[0], err));
	int code = ms_cli_load(opts, words->at.at[1], &runs[1], err);
	if (code != MS_OK)
		ms_run_free(&runs[0]);
	return code;
}

int ms_cli_two_runs(const struct ms_options_report *opts, const struct ms_words *words,
		    const char *expected,
		    int (*print)(const void *arg, const struct ms_run runs[2], FILE *out,
				 struct ms_err *err),
		    const void *arg, struct ms_err *err)
{
	struct ms_run runs[2];
	FILE *out;

	MS_TRY(load_both(opts, words, expected, runs, err));
	int code = ms_options_open_output(opts, &out, err);
	if (code == MS_OK) {
		code = print(arg, runs, out, err);
		code = ms_options_close_output(opts, out, code, err);
	}
	ms_run_free(&runs[0]);
	ms_run_free(&runs[1]);
	return code;
}
