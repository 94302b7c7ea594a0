/*
 * A file of rules with anything in it: it is refused with a sentence that names the line, or each
 * rule can be written as a line that reads as the same rule. A cycle of rules is reported.
 * Applied to a stored run, whatever they rename, combine, split and hide, the run stays one that
 * the store would take, and its references and misses add up to what they were.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/user_rules/rules.h"
#include "fuzz/fuzz.h"
#include "store/store_priv.h"
#include "unit/sample_run.h"

/* A file with more rules than anybody writes only takes time. */
enum { MOST_BYTES = 4096 };

static int read_bytes(struct ms_run_rules *rules, const void *bytes, size_t n, struct ms_err *err)
{
	FILE *in = fmemopen((void *)(uintptr_t)bytes, n, "r");
	int code = ms_rules_read(rules, in, "memspy.rules", err);

	fclose(in);
	return code;
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static void write_again(const struct ms_run_rule *rule)
{
	struct ms_text text = MS_TEXT_INIT;
	struct ms_run_rules again = { .at = MS_VEC_INIT };
	struct ms_err err = { MS_OK, "" };

	ms_rules_write(&text, rule);
	if (read_bytes(&again, text.at, text.n, &err) != MS_OK || again.at.n != 1)
		fuzz_fail("%s: was a rule, and is refused: %s", text.at, err.text);
	const struct ms_run_rule *other = &again.at.at[0];
	if (other->verb != rule->verb || other->subject != rule->subject ||
	    !is_same(other->pattern, rule->pattern) || !is_same(other->name, rule->name) ||
	    !is_same(other->program, rule->program))
		fuzz_fail("%s: reads as another rule", text.at);
	ms_run_rules_free(&again);
	ms_text_free(&text);
}

static uint64_t references_of(const struct ms_run *run)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < run->cells.n; i++)
		sum += run->cells.at[i].references;
	return sum;
}

static uint64_t misses_of(const struct ms_run *run)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < run->misses.n; i++)
		for (int cause = 0; cause < MS_CAUSES; cause++)
			sum += run->misses.at[i].causes[cause];
	return sum;
}

typedef void apply_function(struct ms_run *run, const struct ms_run_rules *rules,
			    struct ms_rules_outcome *outcome);

static void use(apply_function *apply, const struct ms_run_rules *rules)
{
	struct ms_rules_outcome outcome;
	struct ms_run run;
	struct ms_err err = { MS_OK, "" };

	sample_run(&run);
	uint64_t references = references_of(&run), misses = misses_of(&run);
	apply(&run, rules, &outcome);
	if (ms_run_check(&run, &err) != MS_OK)
		fuzz_fail("rules have made a run that is none: %s", err.text);
	if (references_of(&run) != references || misses_of(&run) != misses)
		fuzz_fail("%" PRIu64 " references and %" PRIu64 " misses have become %" PRIu64
			  " and %" PRIu64,
			  references, misses, references_of(&run), misses_of(&run));
	for (size_t i = 0; i < run.data.n; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(run.data.at[i].name, run.data.at[k].name) == 0 &&
			    apply == ms_rules_apply)
				fuzz_fail("two data are called %s", run.data.at[i].name);
	ms_rules_outcome_free(&outcome);
	ms_run_free(&run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ms_run_rules rules = { .at = MS_VEC_INIT };
	struct ms_err err = { MS_OK, "" };
	struct ms_text circle = MS_TEXT_INIT;

	if (size == 0 || size > MOST_BYTES)
		return 0;
	if (read_bytes(&rules, data, size, &err) == MS_OK) {
		for (size_t i = 0; i < rules.at.n; i++)
			write_again(&rules.at.at[i]);
		if (ms_rules_loop(&rules, &circle) && circle.n == 0)
			fuzz_fail("a cycle that is not reported");
		use(ms_rules_apply, &rules);
		use(ms_rules_focus, &rules);
	} else if (strncmp(err.text, "memspy.rules:", 13) != 0) {
		fuzz_fail("refused without naming the line: %s", err.text);
	}
	ms_text_free(&circle);
	ms_run_rules_free(&rules);
	return 0;
}
