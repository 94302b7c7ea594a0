#include "cli/options/sampling.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/describe/describe.h"
#include "cli/options/processors.h"
#include "collect/collect.h"

enum { DEFAULT_WINDOW = 500000, HALVED = 3, LEAST_WINDOW = 1000, LEAST_GROUPS = 4 };
static const double most_window = 1e12, least_ratio = 1e-5, auto_ratio = 0.1, least_error = 1e-5;
/* Fewer say little about a program. */
enum { FEW_WINDOWS = 16 };

/* "1/10", "10%" or "0.1". */
static bool parse_ratio(const char *text, double *ratio)
{
	char *end;

	if (text[0] < '0' || text[0] > '9')
		return false;
	*ratio = strtod(text, &end);
	if (*end == '%' && end[1] == '\0') {
		*ratio /= 100;
		return true;
	}
	if (*end == '/' && end[1] >= '0' && end[1] <= '9')
		*ratio /= strtod(end + 1, &end);
	return *end == '\0' && isfinite(*ratio);
}

/* "0.5" or "0.5%": points both, as POINTS says; a ratio would make 0.5 of it half of all. */
static bool parse_points(const char *text, double *rate)
{
	char *end;

	if (text[0] < '0' || text[0] > '9')
		return false;
	*rate = strtod(text, &end) / 100;
	return (*end == '\0' || (*end == '%' && end[1] == '\0')) && isfinite(*rate);
}

/* "500K", "2M", "1.5G" or a plain number, by thousands. */
static bool parse_count(const char *text, double *count)
{
	char *end;

	if (text[0] < '0' || text[0] > '9')
		return false;
	*count = strtod(text, &end);
	for (const char *unit = "KMG"; *unit != '\0'; unit++) {
		if (*end != '\0' && (*end & ~32) == *unit) {
			end++;
			*count *= *unit == 'K' ? 1e3 : *unit == 'M' ? 1e6 : 1e9;
			break;
		}
	}
	return *end == '\0' && isfinite(*count);
}

/* Given only the wanted error, memspy chooses the rest. */
static bool is_auto(const struct ms_options_sampling *options)
{
	if (options->ratio == NULL)
		return options->error != NULL && options->sets == NULL;
	return strcmp(options->ratio, "auto") == 0;
}

static int read_windows(const struct ms_options_sampling *options,
			struct ms_stream_sampling *sampling, struct ms_err *err)
{
	double window = DEFAULT_WINDOW;

	if (is_auto(options)) {
		if (options->window != NULL)
			return ms_fail(err, MS_EUSAGE,
				       "--window %s: --sample auto chooses how long windows are; "
				       "say --sample 1/10",
				       options->window);
		sampling->ratio = auto_ratio;
		sampling->window = DEFAULT_WINDOW;
		sampling->head = MS_COLLECT_PLAN_HEAD;
		sampling->wanted = MS_COLLECT_PLAN_ERROR;
		return MS_OK;
	}
	if (options->ratio != NULL && (!parse_ratio(options->ratio, &sampling->ratio) ||
				       !(sampling->ratio >= least_ratio && sampling->ratio < 1)))
		return ms_fail(
			err, MS_EUSAGE,
			"--sample %s: expected auto, or a ratio below 1, from %g on, such as "
			"1/10",
			options->ratio, least_ratio);
	if (options->window != NULL && options->ratio == NULL)
		return ms_fail(err, MS_EUSAGE,
			       "--window %s: only --sample has windows; add --sample 1/10",
			       options->window);
	if (options->window != NULL && (!parse_count(options->window, &window) ||
					!(window >= LEAST_WINDOW && window <= most_window)))
		return ms_fail(err, MS_EUSAGE,
			       "--window %s: expected a number of references from %d to %g, such "
			       "as 500K",
			       options->window, LEAST_WINDOW, most_window);
	sampling->window = (uint64_t)window;
	/* Only where neither --window nor --error determines the length. */
	if (options->window == NULL && options->error == NULL && options->ratio != NULL)
		sampling->halved = HALVED;
	return MS_OK;
}

static int read_error(const struct ms_options_sampling *options,
		      struct ms_stream_sampling *sampling, struct ms_err *err)
{
	double wanted;

	if (options->error == NULL)
		return MS_OK;
	if (!parse_points(options->error, &wanted) || !(wanted >= least_error && wanted <= 0.5))
		return ms_fail(
			err, MS_EUSAGE,
			"--error %s: expected points of a miss rate from %g to 50, such as 0.5",
			options->error, 100 * least_error);
	if (sampling->ratio >= 1)
		return ms_fail(err, MS_EUSAGE,
			       "--error %s: of sets everything is known; add --sample 1/10",
			       options->error);
	sampling->wanted = wanted;
	return MS_OK;
}

static int read_sets(const struct ms_options_sampling *options,
		     const struct ms_machine *const *machines, size_t n,
		     struct ms_stream_sampling *sampling, struct ms_err *err)
{
	double ratio = 0;

	sampling->sets = ms_collect_set_groups(machines, n);
	if (options->sets == NULL)
		return MS_OK;
	uint64_t groups = sampling->sets.mask + 1, most = groups / LEAST_GROUPS;
	if (most < 2)
		return ms_fail(err, MS_EUSAGE,
			       "--sample-sets %s: the levels of machine %s%s choose sets by "
			       "address bits that leave %" PRIu64
			       " groups of lines, and there must be %d at least",
			       options->sets, machines[0]->name, n > 1 ? " and the others" : "",
			       groups, 2 * LEAST_GROUPS);
	bool read = parse_ratio(options->sets, &ratio);
	uint64_t every = read && ratio > 0 && ratio < 1 ? (uint64_t)(1 / ratio + 0.5) : 0;
	/* A power of two is exact, however it was written: 13% is none of them. */
	if (every < 2 || (every & (every - 1)) != 0 || every > most || ratio * (double)every != 1)
		return ms_fail(err, MS_EUSAGE,
			       "--sample-sets %s: expected 1/N with a power of two from 2 to "
			       "%" PRIu64 ", such as 1/%d",
			       options->sets, most, most < 16 ? 2 : 16);
	if (strncmp(options->sets, "1/", 2) != 0)
		fprintf(stderr, "memspy: --sample-sets %s: one of %" PRIu64 " sets is simulated\n",
			options->sets, every);
	sampling->sets.every = every;
	return MS_OK;
}

int ms_options_read_sampling(const struct ms_options_sampling *options,
			     const struct ms_machine *const *machines, size_t n, bool monitors,
			     struct ms_stream_sampling *sampling, bool *samples, struct ms_err *err)
{
	const char *option = options->ratio != NULL   ? "--sample"
			     : options->error != NULL ? "--error"
						      : "--sample-sets";

	*sampling = (struct ms_stream_sampling){
		.ratio = 1, .seed = options->seed != MS_OPTIONS_NO_SEED ? options->seed : 0
	};
	MS_TRY(read_windows(options, sampling, err));
	MS_TRY(read_error(options, sampling, err));
	*samples = sampling->ratio < 1 || options->sets != NULL;
	if (!*samples && options->seed != MS_OPTIONS_NO_SEED)
		return ms_fail(err, MS_EUSAGE,
			       "--sample-seed %" PRIu64
			       ": only --sample and --sample-sets leave anything to chance; add "
			       "--sample 1/10",
			       options->seed);
	if (!*samples)
		return MS_OK;
	if (monitors)
		return ms_fail(err, MS_EUSAGE,
			       "%s: a monitor must see all of the program; omit --pmu", option);
	for (size_t i = 0; i < n; i++)
		if (ms_collect_no_sampling(machines[i], options->sets != NULL) != NULL)
			return ms_fail(err, MS_EUSAGE, "%s: machine %s cannot be sampled: %s",
				       option, machines[i]->name,
				       ms_collect_no_sampling(machines[i], options->sets != NULL));
	return read_sets(options, machines, n, sampling, err);
}

/* The advice names the options that chose the windows. */
static const char *more_windows(const struct ms_options_sampling *options)
{
	if (options->ratio == NULL && options->error == NULL)
		return "record the trace with a shorter --window, or without --sample";
	if (is_auto(options))
		return "--sample 1/10 --window 50K has more, and without --sample all is simulated";
	return "try a shorter --window, or none of --sample";
}

void ms_options_warn_sampling(const struct ms_options_sampling *options, const struct ms_run *run)
{
	const struct ms_run_sampling *s = run->samplings.at;

	if (run->samplings.n == 0 || s->window == 0 || s->windows >= FEW_WINDOWS || s->ratio >= 1)
		return;
	if (s->windows == 0)
		fprintf(stderr, "memspy: %s; without --sample %s\n", ms_describe_no_window(run),
			run->stops > 0 ? "all that it counts is simulated"
				       : "it is simulated whole");
	else
		fprintf(stderr,
			"memspy: only %" PRIu64 " window%s: they may not stand for the program; "
			"%s\n",
			s->windows, s->windows == 1 ? "" : "s", more_windows(options));
}
