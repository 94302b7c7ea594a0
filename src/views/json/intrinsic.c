/* views/json/intrinsic.c - which misses of data nothing avoids, as JSON. */
#include "analysis/intrinsic/intrinsic.h"

#include "views/json/parts.h"

static void put_range(struct ms_json *j, const char *key, const struct ms_intrinsic_range *range)
{
	ms_json_object(j, key);
	ms_json_real(j, "misses", range->value);
	ms_json_real(j, "low", range->low);
	ms_json_real(j, "high", range->high);
	ms_json_end(j);
}

void ms_views_json_intrinsic(struct ms_json *j, const struct ms_run *run, const bool *data)
{
	if (run->optimal.n == 0)
		return;
	ms_json_array(j, "intrinsic");
	for (uint32_t level = 0; level < run->levels.n; level++) {
		struct ms_intrinsic i = ms_intrinsic_of(run, level, data);

		if (!i.known)
			continue;
		ms_json_object(j, NULL);
		ms_json_text(j, "name", run->levels.at[level].name);
		ms_json_real(j, "misses", i.misses);
		ms_json_real(j, "first", i.first);
		put_range(j, "optimal", &i.optimal);
		put_range(j, "touched", &i.least);
		ms_json_object(j, "avoidable");
		for (unsigned k = 0; k < MS_INTRINSIC_GAINS; k++)
			ms_json_real(j, ms_intrinsic_word(k), ms_intrinsic_gain(&i, k));
		ms_json_end(j);
		ms_json_end(j);
	}
	ms_json_end(j);
}
