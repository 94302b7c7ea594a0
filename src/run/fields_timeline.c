/* run/fields_timeline.c - the fields of run/timeline.h: see run/fields.h. */
#include "run/fields.h"

#define ARRAY(name) offsetof(struct ms_run, name)
#define END_OF_LIST                            \
	{                                      \
		NULL, MS_FIELD_U32, 0, 0, NULL \
	}

#define COUNTS                                                                                \
	{ "misses", MS_FIELD_U64, AT(counts.misses), 0, NULL },                               \
		{ "first", MS_FIELD_U64, AT(counts.causes[MS_CAUSE_FIRST]), 0, NULL },        \
		{ "replaced", MS_FIELD_U64, AT(counts.causes[MS_CAUSE_REPLACED]), 0, NULL },  \
	{                                                                                     \
		"invalidated", MS_FIELD_U64, AT(counts.causes[MS_CAUSE_INVALIDATED]), 0, NULL \
	}

#define AT(field) offsetof(struct ms_run_slice, field)
const struct ms_run_field ms_run_slice_fields[] = {
	{ "steps", MS_FIELD_U64, AT(steps), 0, NULL },
	{ "phase", MS_FIELD_MAYBE_INDEX, AT(phase), ARRAY(phases), NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_slice_miss, field)
const struct ms_run_field ms_run_slice_miss_fields[] = {
	{ "slice", MS_FIELD_INDEX, AT(slice), ARRAY(slices), NULL },
	{ "code", MS_FIELD_INDEX, AT(code), ARRAY(codes), NULL },
	{ "data", MS_FIELD_INDEX, AT(data), ARRAY(data), NULL },
	{ "level", MS_FIELD_INDEX, AT(level), ARRAY(levels), NULL },
	COUNTS,
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_slice_line, field)
const struct ms_run_field ms_run_slice_line_fields[] = {
	{ "slice", MS_FIELD_INDEX, AT(slice), ARRAY(slices), NULL },
	{ "line", MS_FIELD_INDEX, AT(line), ARRAY(lines), NULL },
	{ "level", MS_FIELD_INDEX, AT(level), ARRAY(levels), NULL },
	COUNTS,
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_set_slice, field)
const struct ms_run_field ms_run_set_slice_fields[] = {
	{ "slice", MS_FIELD_INDEX, AT(slice), ARRAY(slices), NULL },
	{ "level", MS_FIELD_INDEX, AT(level), ARRAY(levels), NULL },
	{ "sets", MS_FIELD_U32, AT(sets), 0, NULL },
	{ "misses", MS_FIELD_U64, AT(misses), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_slice_sum, field)
const struct ms_run_field ms_run_slice_sum_fields[] = {
	{ "slice", MS_FIELD_INDEX, AT(slice), ARRAY(slices), NULL },
	{ "processor", MS_FIELD_U32, AT(processor), 0, NULL },
	{ "level", MS_FIELD_INDEX, AT(level), ARRAY(levels), NULL },
	COUNTS,
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_slice_thread, field)
const struct ms_run_field ms_run_slice_thread_fields[] = {
	{ "slice", MS_FIELD_INDEX, AT(slice), ARRAY(slices), NULL },
	{ "thread", MS_FIELD_INDEX, AT(thread), ARRAY(threads), NULL },
	{ "latency", MS_FIELD_U64, AT(latency), 0, NULL },
	END_OF_LIST,
};
#undef AT
