#include "analysis/summary/inclusive_rows.h"

#include <stdlib.h>

#include "analysis/summary/rounded_shares.h"
#include "base/mem.h"
#include "base/num.h"

/* The most inclusive cost first; equal ones as they stand. */
static int compare_inclusive(const void *a, const void *b, void *entries)
{
	const size_t *x = a, *y = b;
	const struct ms_summary_entry *at = entries;
	int order = ms_cmp_u64(at[*y].counts.inclusive, at[*x].counts.inclusive);

	return order != 0 ? order : ms_cmp_u64(*x, *y);
}

size_t ms_summary_choose_inclusive(const struct ms_summary_entries *entries, uint64_t total,
				   double share, size_t most, bool *chosen)
{
	size_t *numbers = ms_alloc((entries->at.n + 1) * sizeof(*numbers)), n = 0;

	for (size_t i = 0; i < entries->at.n; i++) {
		uint64_t inclusive = entries->at.at[i].counts.inclusive;

		if (!chosen[i] && inclusive > 0 && ms_summary_share(inclusive, total) >= share)
			numbers[n++] = i;
	}
	if (n > most) {
		qsort_r(numbers, n, sizeof(*numbers), compare_inclusive, entries->at.at);
		n = most;
	}
	for (size_t i = 0; i < n; i++)
		chosen[numbers[i]] = true;
	ms_free(numbers);
	return n;
}
