/* Which share of a sampled program the timer samples between its windows cover. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "estimate/windows.h"

/* References, in per cent of the program. */
static const struct {
	int line;
	uint64_t in[2]; /* in windows, by stratum */
	uint64_t counted;
	uint32_t stratum; /* the last one */
	bool head;        /* the first stratum is the traced start */
	double total;
	double native, sampled;
} cases[] = {
	{ __LINE__, { 10, 0 }, 0, 0, false, 100, 0.90, 1 },
	{ __LINE__, { 10, 0 }, 20, 0, false, 100, 0.70, 0.80 },
	{ __LINE__, { 10, 5 }, 0, 1, false, 100, 0.85, 1 },
	{ __LINE__, { 10, 5 }, 0, 1, true, 100, 0.85, 0.90 },
	{ __LINE__, { MS_WIRE_NOT_KNOWN, 0 }, 20, 0, false, 100, 0.80, 0.80 },
	/* The estimated total is too small: never zero, never negative. */
	{ __LINE__, { 10, 0 }, 100, 0, false, 100, 0.001, 0.001 },
	{ __LINE__, { 10, 0 }, 0, 0, false, 0, 0.001, 1 },
};

static void share_excludes_traced_references(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_estimate_windows windows = { .stratum = cases[i].stratum };
		struct ms_estimate_covered covered;

		for (uint32_t s = 0; s <= cases[i].stratum; s++)
			windows.strata[s].in.references = cases[i].in[s];
		windows.strata[0].counted = cases[i].counted;
		covered = ms_estimate_covered(&windows, cases[i].head, cases[i].total);
		if (covered.native < cases[i].native - 1e-9 ||
		    covered.native > cases[i].native + 1e-9 ||
		    covered.sampled < cases[i].sampled - 1e-9 ||
		    covered.sampled > cases[i].sampled + 1e-9)
			fail_msg("line %d: %g native, %g sampled, expected %g and %g",
				 cases[i].line, covered.native, covered.sampled, cases[i].native,
				 cases[i].sampled);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(share_excludes_traced_references) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
