/* analysis/diff/remarks.c - what makes two sides hard to compare, in words. */
#include <inttypes.h>
#include <string.h>

#include "analysis/describe/checkpoint.h"
#include "analysis/describe/describe.h"
#include "analysis/diff/diff_priv.h"
#include "analysis/measured/measured.h"

static const struct ms_run *newest(const struct ms_diff *diff, unsigned side)
{
	return diff->sides[side].runs[diff->sides[side].n - 1];
}

static void remark(struct ms_diff *diff, const char *text)
{
	*ms_vec_add(&diff->remarks) = text;
}

/* "The programs differ: a, b." unless the two are the same. */
static void differ(struct ms_diff *diff, const char *what, const char *a, const char *b)
{
	if (strcmp(a, b) != 0)
		remark(diff, ms_arena_printf(&diff->arena, "The %s differ: %s before, %s after.",
					     what, a, b));
}

static void arguments_differ(struct ms_diff *diff)
{
	struct ms_text texts[2] = { MS_TEXT_INIT, MS_TEXT_INIT };

	for (unsigned s = 0; s < 2; s++) {
		const struct ms_run *run = newest(diff, s);

		for (size_t i = 1; i < run->argv.n; i++) {
			ms_text_add(&texts[s], i > 1 ? " " : "");
			ms_describe_shell_word(&texts[s], run->argv.at[i]);
		}
	}
	differ(diff, "arguments", texts[0].n > 0 ? texts[0].at : "none",
	       texts[1].n > 0 ? texts[1].at : "none");
	ms_text_free(&texts[0]);
	ms_text_free(&texts[1]);
}

/* Runs of one side that are not of one kind: the noise is then no noise. */
static void mixed_side(struct ms_diff *diff, unsigned side)
{
	const struct ms_diff_side *s = &diff->sides[side];
	const struct ms_run *first = s->runs[0];

	for (size_t i = 1; i < s->n; i++) {
		const struct ms_run *run = s->runs[i];

		if (strcmp(ms_base_name(run->program), ms_base_name(first->program)) != 0 ||
		    strcmp(run->machine, first->machine) != 0 ||
		    (run->build_id != NULL && first->build_id != NULL &&
		     strcmp(run->build_id, first->build_id) != 0)) {
			remark(diff, ms_arena_printf(&diff->arena,
						     "The runs %s are not all of one program, "
						     "build and machine: what they differ by is "
						     "taken for noise.",
						     side == 0 ? "before" : "after"));
			return;
		}
	}
}

static void ends(struct ms_diff *diff, unsigned side)
{
	for (size_t i = 0; i < diff->sides[side].n; i++) {
		const struct ms_run *run = diff->sides[side].runs[i];
		struct ms_text end = MS_TEXT_INIT;

		if (run->end == MS_END_EXITED)
			continue;
		ms_describe_run_end(&end, run);
		remark(diff, ms_arena_printf(&diff->arena, "Run @%lld is not whole: %s.",
					     (long long)run->id, end.at));
		ms_text_free(&end);
	}
}

/* A simulation counts cycles, samples of the real machine stand for time or for events. */
static void sources(struct ms_diff *diff)
{
	const char *names[2];

	for (unsigned s = 0; s < 2; s++) {
		const struct ms_run *run = newest(diff, s);

		names[s] = ms_run_is_measured(run)
				   ? ms_measured_source_name(run->hardware.at[0].source)
				   : "simulation";
	}
	if (strcmp(names[0], names[1]) != 0)
		remark(diff,
		       ms_arena_printf(&diff->arena,
				       "The figures are not of one kind: %s before, %s after.",
				       names[0], names[1]));
}

/* Exposed parts of misses, and whole latencies. */
static void costs(struct ms_diff *diff)
{
	const struct ms_run *before = newest(diff, 0), *after = newest(diff, 1);

	/* Samples of the real machine alone: sources() says so. */
	if (ms_run_is_measured(before) || ms_run_is_measured(after))
		return;
	if ((before->by_estimate || after->by_estimate) &&
	    ms_run_is_joined(before) != ms_run_is_joined(after)) {
		remark(diff, "Only one side has measured time: the estimates of both are "
			     "compared.");
		return;
	}
	if (ms_run_is_timed(before) != ms_run_is_timed(after))
		remark(diff, "Only one side has an out-of-order core, whose time is estimated; "
			     "--cost latency costs the misses of both alike.");
}

static void sampled(struct ms_diff *diff)
{
	for (unsigned s = 0; s < 2; s++)
		if (newest(diff, s)->samplings.n > 0) {
			remark(diff, "Figures of sampled runs are estimates; noise is how far they "
				     "may be off, or with several runs a side, go apart.");
			return;
		}
}

static void levels(struct ms_diff *diff)
{
	struct ms_text names = MS_TEXT_INIT;

	if (newest(diff, 0)->levels.n == diff->levels.n &&
	    newest(diff, 1)->levels.n == diff->levels.n)
		return;
	for (size_t i = 0; i < diff->levels.n; i++)
		ms_text_addf(&names, "%s%s", i > 0 ? ", " : "", diff->levels.at[i]);
	remark(diff, ms_arena_printf(&diff->arena,
				     "Misses are compared of the levels that both have: %s.",
				     names.n > 0 ? names.at : "none"));
	ms_text_free(&names);
}

/* Heap data that is compared in groups, of both sides alike. */
static void grouped(struct ms_diff *diff)
{
	uint64_t data[2] = { 0, 0 };
	bool any = false;

	for (unsigned s = 0; s < 2; s++) {
		const struct ms_run *run = newest(diff, s);

		any = any || run->grouping != MS_GROUPING_NONE;
		for (size_t i = 0; i < run->data.n; i++)
			data[s] += run->data.at[i].grouped;
	}
	if (any)
		remark(diff, ms_arena_printf(&diff->arena,
					     "Heap data is compared in groups: %" PRIu64
					     " data structures before, %" PRIu64
					     " after; --group none compares each.",
					     data[0], data[1]));
}

void ms_diff_add_remarks(struct ms_diff *diff)
{
	const struct ms_run *a = newest(diff, 0), *b = newest(diff, 1);

	differ(diff, "programs", ms_base_name(a->program), ms_base_name(b->program));
	arguments_differ(diff);
	differ(diff, "machines", a->machine, b->machine);
	differ(diff, "front-ends", a->frontend, b->frontend);
	if (a->processors != b->processors)
		remark(diff,
		       ms_arena_printf(&diff->arena, "The processors differ: %u before, %u after.",
				       a->processors, b->processors));
	sources(diff);
	costs(diff);
	levels(diff);
	sampled(diff);
	if (diff->misses_only)
		remark(diff, "References of data are not compared: not all runs have them "
			     "(--misses-only).");
	grouped(diff);
	for (unsigned s = 0; s < 2; s++) {
		mixed_side(diff, s);
		ends(diff, s);
	}
}
