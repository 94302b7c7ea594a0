#include "cli/options/pmu.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/near.h"
#include "base/num.h"
#include "base/text.h"

/* Each is a simulation of its own. */
enum { MOST_PMUS = 16 };

static const double default_overhead = 1, least_overhead = 0.001, most_overhead = 100;

/* By enum ms_pmu_event, which stands for enum ms_run_pmu_event too. */
static const struct {
	const char *name;
	const char *what; /* "5 ... of L2" */
} events[] = {
	[MS_PMU_MISSES] = { "misses", "misses" },
	[MS_PMU_EVICTIONS] = { "evictions", "evictions" },
	[MS_PMU_LATENCY] = { "latency", "cycles waited for misses" },
};

/* An option's text in its three parts; level is empty where none is given. */
struct pmu_parts {
	char event[32];
	char level[32];
	char period[32];
};

static bool cut(char *into, size_t room, const char *from, size_t n)
{
	if (n >= room)
		return false;
	memcpy(into, from, n);
	into[n] = '\0';
	return true;
}

static int cut_up(const char *text, struct pmu_parts *parts, struct ms_err *err)
{
	const char *slash = strchr(text, '/');
	size_t before = slash != NULL ? (size_t)(slash - text) : strlen(text);
	const char *at = memchr(text, '@', before);
	size_t event = at != NULL ? (size_t)(at - text) : before;

	parts->level[0] = '\0';
	if (slash == NULL || event == 0 || (at != NULL && event + 1 == before) ||
	    !cut(parts->event, sizeof(parts->event), text, event) ||
	    !cut(parts->period, sizeof(parts->period), slash + 1, strlen(slash + 1)) ||
	    (at != NULL && !cut(parts->level, sizeof(parts->level), at + 1, before - event - 1)))
		return ms_fail(err, MS_EUSAGE,
			       "--pmu %s: expected EVENT[@LEVEL]/PERIOD, such as misses/25000 or "
			       "evictions@L1/auto",
			       text);
	return MS_OK;
}

static int read_event(const char *text, const struct pmu_parts *parts, struct ms_pmu_config *pmu,
		      struct ms_err *err)
{
	struct ms_near near = { .word = parts->event };

	for (unsigned i = 0; i < MS_COUNT(events); i++) {
		if (strcmp(parts->event, events[i].name) == 0) {
			pmu->event = (enum ms_pmu_event)i;
			return MS_OK;
		}
		ms_near_try(&near, events[i].name);
	}
	return ms_fail(err, MS_EUSAGE,
		       "--pmu %s: there is no event '%s', expected misses, evictions or "
		       "latency%s%s%s",
		       text, parts->event, near.best != NULL ? "; did you mean '" : "",
		       near.best != NULL ? near.best : "", near.best != NULL ? "'?" : "");
}

/* Default: the last level, whose misses memory serves, as with hardware; for latency all levels. */
static int read_level(const char *text, const struct pmu_parts *parts,
		      const struct ms_machine *machine, struct ms_pmu_config *pmu,
		      struct ms_err *err)
{
	struct ms_text names = MS_TEXT_INIT;
	size_t n = machine->levels.n;

	pmu->level = pmu->event == MS_PMU_LATENCY ? 0 : (uint32_t)n - 1;
	if (parts->level[0] == '\0')
		return MS_OK;
	for (size_t i = 0; i < n; i++) {
		if (strcasecmp(parts->level, machine->levels.at[i].name) == 0) {
			pmu->level = (uint32_t)i;
			ms_text_free(&names);
			return MS_OK;
		}
		ms_text_add_choice(&names, machine->levels.at[i].name, i, n);
	}
	int code = ms_fail(err, MS_EUSAGE, "--pmu %s: machine %s has no level '%s', expected %s",
			   text, machine->name, parts->level, names.at);
	ms_text_free(&names);
	return code;
}

static int read_period(const char *text, const struct pmu_parts *parts, struct ms_pmu_config *pmu,
		       struct ms_err *err)
{
	pmu->period = 0;
	if (strcmp(parts->period, "auto") == 0)
		return MS_OK;
	if (!ms_parse_u64(parts->period, &pmu->period) || pmu->period == 0 ||
	    pmu->period > MS_PMU_MAX_PERIOD)
		return ms_fail(err, MS_EUSAGE,
			       "--pmu %s: period '%s', expected a whole number from 1 to %" PRIu64
			       ", or auto",
			       text, parts->period, (uint64_t)MS_PMU_MAX_PERIOD);
	return MS_OK;
}

static int read_overhead(const struct ms_options_pmu *options, double *wish, struct ms_err *err)
{
	const char *text = options->overhead;
	char *end = NULL;

	*wish = default_overhead / 100;
	if (text == NULL)
		return MS_OK;
	double percent = text[0] >= '0' && text[0] <= '9' ? strtod(text, &end) : 0;
	if (end != NULL && *end == '%')
		end++;
	if (end == NULL || *end != '\0' || !(percent >= least_overhead) ||
	    !(percent <= most_overhead))
		return ms_fail(err, MS_EUSAGE,
			       "--overhead %s: expected a percentage from %g%% to %g%%, such as "
			       "1%%",
			       text, least_overhead, most_overhead);
	*wish = percent / 100;
	return MS_OK;
}

static int check(const struct ms_options_pmu *options, const struct ms_machine *machine,
		 struct ms_err *err)
{
	if (options->pmus.words.n > MOST_PMUS)
		return ms_fail(err, MS_EUSAGE,
			       "%zu monitors with --pmu, expected at most %d: each is a simulation "
			       "of its own",
			       options->pmus.words.n, MOST_PMUS);
	if (options->pmus.words.n > 0 && machine->processors > 1)
		return ms_fail(err, MS_EUSAGE,
			       "--pmu %s: a monitor watches one processor, and %" PRIu32
			       " are simulated; omit --processors",
			       options->pmus.words.at[0], machine->processors);
	return MS_OK;
}

static int read_all(const struct ms_options_pmu *options, const struct ms_machine *machine,
		    struct ms_options_pmus *pmus, struct ms_err *err)
{
	struct ms_pmu_config pmu = { .seed = options->seed, .cost = (uint32_t)options->cost };

	MS_TRY(check(options, machine, err));
	MS_TRY(read_overhead(options, &pmu.wish, err));
	for (size_t i = 0; i < options->pmus.words.n; i++) {
		const char *text = options->pmus.words.at[i];
		struct pmu_parts parts;

		MS_TRY(cut_up(text, &parts, err));
		MS_TRY(read_event(text, &parts, &pmu, err));
		MS_TRY(read_level(text, &parts, machine, &pmu, err));
		MS_TRY(read_period(text, &parts, &pmu, err));
		*ms_vec_add(&pmus->at) = pmu;
	}
	return MS_OK;
}

int ms_options_read_pmus(const struct ms_options_pmu *options,
			 const struct ms_machine *const *machines, size_t machine_count,
			 struct ms_options_pmus *pmus, struct ms_err *err)
{
	bool follows = false;

	pmus->each = options->pmus.words.n;
	for (size_t i = 0; i < machine_count; i++)
		MS_TRY(read_all(options, machines[i], pmus, err));
	for (size_t i = 0; i < pmus->at.n; i++)
		follows |= pmus->at.at[i].period == 0;
	if (options->overhead != NULL && !follows)
		return ms_fail(err, MS_EUSAGE,
			       "--overhead %s: only a period that is auto follows it; add --pmu "
			       "misses/auto",
			       options->overhead);
	if (pmus->each == 0 && (options->cost != MS_PMU_INTERRUPT_CYCLES || options->seed != 0))
		return ms_fail(err, MS_EUSAGE,
			       "%s: there is no monitor that it could be for; add --pmu "
			       "misses/25000",
			       options->cost != MS_PMU_INTERRUPT_CYCLES ? "--pmu-cost"
									: "--pmu-seed");
	return MS_OK;
}

void ms_options_pmus_free(struct ms_options_pmu *options, struct ms_options_pmus *pmus)
{
	ms_vec_free(&options->pmus.words);
	ms_vec_free(&pmus->at);
}

/* A shorter period that would have given so many samples, as 'memspy pmu' proposes it too. */
enum { SAMPLES_WANTED = 100 };

static void warn_one(const struct ms_run_pmu *p, const char *at, const char *level)
{
	const char *event = events[p->event].name, *what = events[p->event].what;
	const char *of = at[0] != '\0' ? " of " : "";

	fprintf(stderr, "memspy: --pmu %s%s%s: no sample, as ", event, at, level);
	if (p->events == 0)
		fprintf(stderr, "the run had no %s%s%s\n", what, of, level);
	else if (p->adaptive)
		fprintf(stderr, "the program was over before one was due; with a higher --overhead "
				"that is sooner\n");
	else
		fprintf(stderr,
			"the run had only %" PRIu64 " %s%s%s, and the period was %" PRIu64
			"; try %s%s%s/%" PRIu64 "\n",
			p->events, what, of, level, p->period, event, at, level,
			p->events >= SAMPLES_WANTED ? p->events / SAMPLES_WANTED : 1);
}

void ms_options_warn_pmus(const struct ms_run *run)
{
	for (size_t i = 0; i < run->pmus.n; i++) {
		const struct ms_run_pmu *p = &run->pmus.at[i];
		bool named = p->level != MS_NONE;

		if (p->interrupts == 0)
			warn_one(p, named ? "@" : "", named ? run->levels.at[p->level].name : "");
	}
}
