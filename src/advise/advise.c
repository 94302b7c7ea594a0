/* advise/advise.c - the table of kinds, and which of their findings are given. */
#include "advise/advise.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advise/advise_priv.h"
#include "analysis/describe/describe.h"
#include "analysis/summary/select.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"

/* Of the time. Less is within the noise of most measurements. */
#define LEAST_GAIN 0.03
#define MOST_GAIN  0.99
/* With less stall time than this, no finding of the kinds below is possible. */
#define COMPUTE_BOUND 0.1
/* Predictions are not closer than that to the measured gain: see docs/accuracy/advice.md. */
#define NEARLY_AS_MUCH 1.5
/* Timer samples of a joined run measure the stall, so that only the effect of the remedy is
 * predicted. */
#define MEASURED_ERROR 0.8
/* The square root of the misses that a core has in flight (evidence/bins.c), for runs that do not
 * have how many overlap: the mean of none and all, and the factor to either of them. */
#define OVERLAP 4.5

/* Evidence that not all runs have. */
enum need {
	NEEDS_NOTHING,
	NEEDS_DEPENDENCES, /* classes of dependence */
	NEEDS_CONFLICTS,   /* misses that a fully associative cache would not have */
	NEEDS_TIMES,       /* page walks and transfers */
};

struct kind {
	const char *word;
	const char *title;
	ms_advise_finder *find;
	enum need need;
	bool is_of_code; /* it changes a loop, with all data that the loop uses; else, data */
};

/* The order of the rows breaks ties: what changes the program least is last. */
static const struct kind kinds[MS_ADVISE_KINDS] = {
	[MS_ADVISE_LOOP_ORDER] = { "loop-order", "Loop order", ms_advise_find_loop_order,
				   NEEDS_DEPENDENCES, true },
	[MS_ADVISE_BLOCKING] = { "blocking", "Blocking", ms_advise_find_blocking, NEEDS_DEPENDENCES,
				 true },
	[MS_ADVISE_FUSION] = { "fusion", "Fusion of loops", ms_advise_find_fusion,
			       NEEDS_DEPENDENCES, true },
	[MS_ADVISE_WORKING_SET] = { "working-set", "Working set of successive loops",
				    ms_advise_find_working_set, NEEDS_DEPENDENCES },
	[MS_ADVISE_THREAD_WORKING_SET] = { "thread-working-set", "Working set of each thread",
					   ms_advise_find_thread_working_set },
	[MS_ADVISE_PADDING] = { "padding", "Padding against conflicts", ms_advise_find_padding,
				NEEDS_CONFLICTS },
	[MS_ADVISE_SPLIT] = { "split", "Hot and cold members", ms_advise_find_split,
			      NEEDS_DEPENDENCES },
	[MS_ADVISE_SOA] = { "soa", "Structure of arrays", ms_advise_find_soa, NEEDS_DEPENDENCES },
	[MS_ADVISE_MEMBER_ORDER] = { "member-order", "Order of members",
				     ms_advise_find_member_order },
	[MS_ADVISE_LINE_USE] = { "line-use", "Lines of which less than half is used",
				 ms_advise_find_line_use, NEEDS_DEPENDENCES },
	[MS_ADVISE_POINTER_CHASING] = { "pointer-chasing", "Pointer chasing",
					ms_advise_find_pointer_chasing, NEEDS_DEPENDENCES },
	[MS_ADVISE_GATHER] = { "gather", "Gather", ms_advise_find_gather, NEEDS_DEPENDENCES },
	[MS_ADVISE_STREAMING_STORES] = { "streaming-stores", "Streaming stores",
					 ms_advise_find_streaming_stores, NEEDS_TIMES },
	[MS_ADVISE_HUGE_PAGES] = { "huge-pages", "Huge pages", ms_advise_find_huge_pages,
				   NEEDS_TIMES },
	[MS_ADVISE_FALSE_SHARING] = { "false-sharing", "False sharing",
				      ms_advise_find_false_sharing },
	[MS_ADVISE_TRUE_SHARING] = { "true-sharing", "True sharing", ms_advise_find_true_sharing },
	[MS_ADVISE_REMOTE_MEMORY] = { "remote-memory", "First touch on the wrong node",
				      ms_advise_find_remote_memory },
	[MS_ADVISE_ALLOCATION] = { "allocation", "Allocation in a hot loop",
				   ms_advise_find_allocation },
};

const char *ms_advise_kind_word(enum ms_advise_kind kind)
{
	return kinds[kind].word;
}

const char *ms_advise_kind_title(enum ms_advise_kind kind)
{
	return kinds[kind].title;
}

/* A gain whose saved time is off by a factor, in relation to the time that remains. */
static double scale_gain(double gain, double factor)
{
	return gain >= 1 ? 1 : gain * factor / (1 - gain + gain * factor);
}

/* By how much the saved time may be off. */
struct error_factors {
	double low, high;
};

/* An out-of-order core of a run without its times: several processors are simulated. */
static bool is_overlap_unknown(const struct ms_advise_search *search)
{
	return search->run->processors > 1 && search->run->ipc_milli > 0 &&
	       !search->summary->cost.exposed && !ms_run_has_measured_time(search->run);
}

static bool is_estimate(const struct ms_advise_search *search, const struct ms_advise_place *place)
{
	return place->overlaps && is_overlap_unknown(search);
}

/* The share of the time; an estimated one: if all stall were shorter by the same factor. */
static double find_gain(const struct ms_advise_search *search, const struct ms_advise_place *place)
{
	return place->saved / (is_estimate(search, place)
				       ? search->bins.compute * OVERLAP + search->bins.stall
				       : search->time + search->faults);
}

/* In sampled runs, the stall of the data is an estimate, too. */
static struct error_factors find_errors(const struct ms_advise_search *search,
					const struct ms_advise_place *place)
{
	double error = ms_run_has_measured_time(search->run)
			       ? 1 + (place->error - 1) * MEASURED_ERROR
		       : is_estimate(search, place) ? OVERLAP
						    : place->error;
	struct error_factors errors = { 1 / error, error };

	for (size_t i = 0; i < search->summary->data.at.n; i++) {
		const struct ms_summary_entry *e = &search->summary->data.at.at[i];
		const struct ms_intervals_entry *within =
			e->data == place->data ? ms_intervals_of(&search->intervals, e) : NULL;
		double stall = (double)ms_summary_rw_sum(e->counts.stall);

		if (within == NULL || !(stall > 0) || !(within->cycles.high >= stall))
			continue;
		errors.low *= within->cycles.low / stall;
		errors.high *= within->cycles.high / stall;
	}
	return errors;
}

static void set_gain(struct ms_advise_finding *finding, double gain, struct error_factors errors)
{
	finding->gain = gain < MOST_GAIN ? gain : MOST_GAIN;
	finding->gain_low = scale_gain(finding->gain, errors.low);
	finding->gain_high = scale_gain(finding->gain, errors.high);
}

/* The same remedy for the same data in several functions is one finding, about the worst of them.
 */
static struct ms_advise_finding *find_earlier(struct ms_advise *advise,
					      const struct ms_advise_place *place)
{
	for (size_t i = 0; i < advise->at.n; i++) {
		struct ms_advise_finding *f = &advise->at.at[i];

		if (f->kind == place->kind &&
		    (kinds[f->kind].is_of_code ? f->code == place->code : f->data == place->data))
			return f;
	}
	return NULL;
}

struct ms_advise_finding *ms_advise_add(struct ms_advise_search *search,
					const struct ms_advise_place *place)
{
	struct ms_advise_finding *finding = find_earlier(search->advise, place);
	double gain = find_gain(search, place);

	/* Most bins end here: a lower bound is not above the gain. */
	if (!(gain > 0) || (finding == NULL && gain < LEAST_GAIN))
		return NULL;
	struct error_factors errors = find_errors(search, place);

	if (finding != NULL) {
		set_gain(finding, finding->gain + gain, errors);
		return NULL;
	}
	if (scale_gain(gain, errors.low) < LEAST_GAIN)
		return NULL;
	finding = ms_vec_add(&search->advise->at);

	*finding = (struct ms_advise_finding){
		.kind = place->kind,
		.data = place->data,
		.code = place->code,
		.line = place->line,
		.is_estimate = is_estimate(search, place),
	};
	set_gain(finding, gain, errors);
	return finding;
}

static void add_evidence(struct ms_advise_search *search, struct ms_advise_finding *finding,
			 const char *command, const char *fmt, va_list args)
{
	char figure[512];

	if (finding->n_evidence == MS_ADVISE_EVIDENCE_MOST)
		return;
	vsnprintf(figure, sizeof(figure), fmt, args);
	finding->evidence[finding->n_evidence++] = (struct ms_advise_evidence){
		.figure = ms_arena_strdup(search->arena, figure),
		.command = command,
	};
}

static const char *make_command(struct ms_advise_search *search, const char *command, uint32_t data,
				uint32_t code)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_text_addf(&text, "memspy %s", command);
	if (data != MS_NONE) {
		ms_text_add(&text, " --data ");
		ms_summary_add_data_word(&text, search->run, search->run->data.at[data].name);
	}
	if (code != MS_NONE) {
		ms_text_add(&text, " --code ");
		ms_summary_add_code_word(&text, search->run, search->run->codes.at[code].name);
	}
	if (search->run->id != 0)
		ms_text_addf(&text, " @%" PRId64, search->run->id);
	const char *made = ms_arena_strdup(search->arena, text.at);

	ms_text_free(&text);
	return made;
}

const char *ms_advise_data_command(struct ms_advise_search *search, const char *command,
				   uint32_t data)
{
	return make_command(search, command, data, MS_NONE);
}

void ms_advise_show(struct ms_advise_search *search, struct ms_advise_finding *finding,
		    const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add_evidence(search, finding, make_command(search, "show", finding->data, finding->code),
		     fmt, args);
	va_end(args);
}

void ms_advise_show_by(struct ms_advise_search *search, struct ms_advise_finding *finding,
		       const char *command, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add_evidence(search, finding, command, fmt, args);
	va_end(args);
}

static int compare_findings(const void *a, const void *b)
{
	const struct ms_advise_finding *x = a, *y = b;

	if (x->gain != y->gain)
		return x->gain < y->gain ? 1 : -1;
	if (x->kind != y->kind)
		return x->kind > y->kind ? 1 : -1;
	return ms_cmp_u64(x->data, y->data);
}

/*
 * Page walks vanish, too, if data is accessed in the order of memory: huge pages gain little after
 * a remedy that gains nearly as much on the same data, or in the same code. Another order of
 * members changes less of the program than a second record for some of them: it is enough if it
 * gains nearly as much.
 */
static bool covers(const struct ms_advise_finding *other, const struct ms_advise_finding *f)
{
	bool same_data = other->data == f->data;

	switch ((int)f->kind) {
	case MS_ADVISE_HUGE_PAGES:
		return NEARLY_AS_MUCH * other->gain >= f->gain &&
		       (same_data || other->code == f->code);
	case MS_ADVISE_THREAD_WORKING_SET: /* lines without unused bytes are a smaller part */
		return (other->kind == MS_ADVISE_SPLIT || other->kind == MS_ADVISE_SOA ||
			other->kind == MS_ADVISE_LINE_USE) &&
		       same_data && NEARLY_AS_MUCH * other->gain >= f->gain;
	case MS_ADVISE_GATHER: /* the same misses: no order of accesses gives the sets room */
		return other->kind == MS_ADVISE_PADDING && same_data &&
		       NEARLY_AS_MUCH * other->gain >= f->gain;
	case MS_ADVISE_MEMBER_ORDER:
		return other->kind == MS_ADVISE_SPLIT && same_data &&
		       other->gain > NEARLY_AS_MUCH * f->gain;
	case MS_ADVISE_SPLIT:
		return other->kind == MS_ADVISE_MEMBER_ORDER && same_data &&
		       NEARLY_AS_MUCH * other->gain >= f->gain;
	default:
		return false;
	}
}

static bool is_covered(const struct ms_advise *advise, const struct ms_advise_finding *f)
{
	for (size_t i = 0; i < advise->at.n; i++)
		if (&advise->at.at[i] != f && covers(&advise->at.at[i], f))
			return true;
	return false;
}

static void drop_covered(struct ms_advise *advise)
{
	bool *covered = ms_alloc((advise->at.n + 1) * sizeof(*covered));
	size_t kept = 0;

	for (size_t i = 0; i < advise->at.n; i++)
		covered[i] = is_covered(advise, &advise->at.at[i]);
	for (size_t i = 0; i < advise->at.n; i++)
		if (!covered[i])
			advise->at.at[kept++] = advise->at.at[i];
	advise->at.n = kept;
	ms_free(covered);
}

static void rank(struct ms_advise *advise)
{
	if (advise->at.n > 0)
		qsort(advise->at.at, advise->at.n, sizeof(*advise->at.at), compare_findings);
	drop_covered(advise);
	if (advise->at.n > MS_ADVISE_MOST)
		advise->at.n = MS_ADVISE_MOST;
}

/* --- what was not looked for --- */

static bool has_dependences(const struct ms_run *run)
{
	for (size_t i = 0; i < run->cells.n; i++)
		for (uint32_t k = 0; k < MS_RUN_DEPENDENCES; k++)
			if (k != MS_RUN_DEPENDENCE_UNKNOWN && run->cells.at[i].dependences[k] > 0)
				return true;
	return false;
}

static bool has_evidence(const struct ms_advise_search *search, enum need need)
{
	switch (need) {
	case NEEDS_DEPENDENCES:
		return has_dependences(search->run);
	case NEEDS_CONFLICTS:
		return search->run->processors == 1;
	case NEEDS_TIMES:
		return search->summary->cost.exposed;
	case NEEDS_NOTHING:
		break;
	}
	return true;
}

/*
 * "padding against conflicts, huge pages"; NULL: all kinds that the machine allows. In-order cores
 * have no classes of dependence with any number of processors.
 */
static const char *list_missing_kinds(const struct ms_advise_search *search)
{
	struct ms_text text = MS_TEXT_INIT;

	for (size_t i = 0; i < MS_ADVISE_KINDS; i++)
		if (search->run->ipc_milli > 0 && !has_evidence(search, kinds[i].need))
			ms_text_addf(&text, "%s%c%s", text.n > 0 ? ", " : "",
				     tolower((unsigned char)kinds[i].title[0]), kinds[i].title + 1);
	const char *list = text.n > 0 ? ms_arena_strdup(search->arena, ms_text_get(&text)) : NULL;

	ms_text_free(&text);
	return list;
}

static const char *find_missing_evidence(const struct ms_run *run)
{
	if (run->processors > 1)
		return "several processors are simulated; memspy run --processors 1 PROGRAM looks "
		       "for them";
	return "the run does not have the times of an out-of-order core";
}

/* Nothing is said about what could not be found. */
static const char *add_missing(const struct ms_advise_search *search, const char *statement)
{
	const char *kinds_list = list_missing_kinds(search);

	if (kinds_list == NULL)
		return statement;
	return ms_arena_printf(search->arena, "%s Not looked for: %s (%s).", statement, kinds_list,
			       find_missing_evidence(search->run));
}

/* Most of the stall that data without debug information has; MS_NONE: less than half of all is of
 * such data. */
static uint32_t find_unnamed(const struct ms_advise_search *search, double *share)
{
	uint32_t most = MS_NONE;
	double all = 0;

	for (size_t i = 0; i < search->bins.at.n; i++) {
		const struct ms_evidence_bin *bin = &search->bins.at.at[i];

		if (search->run->data.at[bin->data].kind != MS_DATA_SECTION)
			continue;
		if (most == MS_NONE)
			most = bin->data; /* the most stall first */
		all += bin->stall;
	}
	*share = all / search->bins.stall;
	return *share >= 0.5 ? most : MS_NONE;
}

/* Why there is no finding. */
static const char *state_none(const struct ms_advise_search *search)
{
	double stall = search->bins.stall / search->time, share;

	if (stall < COMPUTE_BOUND)
		return ms_arena_printf(search->arena,
				       "Nothing to gain: compute bound. The program waits for "
				       "memory in %s of its time.",
				       ms_advise_percent(search->arena, stall));
	const char *none = ms_arena_printf(
		search->arena,
		"No finding. The program waits for memory in %s of its time; no remedy that memspy "
		"%s is predicted to gain %.0f%% or more.",
		ms_advise_percent(search->arena, stall),
		list_missing_kinds(search) == NULL ? "knows" : "looked for", 100 * LEAST_GAIN);
	none = add_missing(search, none);
	uint32_t unnamed = find_unnamed(search, &share);

	if (unnamed == MS_NONE)
		return none;
	return ms_arena_printf(search->arena,
			       "%s %s of that is for data without debug information (%s), which "
			       "no finding is about: compile with -g.",
			       none, ms_advise_percent(search->arena, share),
			       search->run->data.at[unnamed].name);
}

/* Findings whose gain is less certain say so. */
static void mark_estimates(struct ms_advise_search *search)
{
	for (size_t i = 0; i < search->advise->at.n; i++)
		if (search->advise->at.at[i].is_estimate)
			ms_advise_show_by(search, &search->advise->at.at[i],
					  "memspy run --processors 1 PROGRAM",
					  "the gain is an estimate: of several processors, it is "
					  "not known how many misses overlap; %.1f are assumed",
					  OVERLAP);
}

void ms_advise_make(struct ms_advise *advise, const struct ms_summary *summary)
{
	*advise = (struct ms_advise){ .summary = summary };
	struct ms_advise_search search = {
		.advise = advise,
		.summary = summary,
		.run = summary->run,
		.arena = &advise->arena,
	};

	if (ms_run_is_measured(summary->run)) {
		advise->statement = "Advice needs a simulated run, or one that `memspy join` made.";
		return;
	}
	if (summary->run->levels.n == 0) {
		advise->statement = "The run has no cache levels.";
		return;
	}
	ms_evidence_bins_make(&search.bins, summary);
	ms_intervals_by_kind(&search.intervals, summary, MS_ENTRY_DATA, NULL);
	search.time = search.bins.compute + search.bins.stall;
	search.faults = ms_evidence_page_faults(&search.bins, MS_NONE);
	if (search.time <= 0) {
		advise->statement = "The run has no references.";
	} else {
		for (size_t i = 0; i < MS_ADVISE_KINDS; i++)
			kinds[i].find(&search);
		rank(advise);
		mark_estimates(&search);
		if (advise->at.n == 0)
			advise->statement = state_none(&search);
	}
	ms_intervals_free(&search.intervals);
	ms_evidence_bins_free(&search.bins);
}

void ms_advise_free(struct ms_advise *advise)
{
	ms_vec_free(&advise->at);
	ms_arena_free(&advise->arena);
}
