/* run/fields_spatial.c - the fields of run/spatial.h and run/members.h: see run/fields.h. */
#include "run/fields.h"

#define ARRAY(name) offsetof(struct ms_run, name)
#define END_OF_LIST                            \
	{                                      \
		NULL, MS_FIELD_U32, 0, 0, NULL \
	}

#define AT(field) offsetof(struct ms_run_line_use, field)
const struct ms_run_field ms_run_line_use_fields[] = {
	{ "cell", MS_FIELD_INDEX, AT(cell), ARRAY(cells), NULL },
	{ "level", MS_FIELD_INDEX, AT(level), ARRAY(levels), NULL },
	{ "lines", MS_FIELD_REAL, AT(lines), 0, NULL },
	{ "used_bytes", MS_FIELD_REAL, AT(used_bytes), 0, NULL },
	{ "variance", MS_FIELD_REAL, AT(variance), 0, NULL },
	{ "written_lines", MS_FIELD_REAL, AT(written_lines), 0, NULL },
	{ "written_bytes", MS_FIELD_REAL, AT(written_bytes), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_stride, field)
const struct ms_run_field ms_run_stride_fields[] = {
	{ "site", MS_FIELD_INDEX, AT(site), ARRAY(sites), NULL },
	{ "stride", MS_FIELD_U32, AT(stride), 0, NULL },
	{ "count", MS_FIELD_U64, AT(count), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_curve, field)
const struct ms_run_field ms_run_curve_fields[] = {
	{ "data", MS_FIELD_INDEX, AT(data), ARRAY(data), NULL },
	{ "size_bits", MS_FIELD_U32, AT(size_bits), 0, NULL },
	{ "misses", MS_FIELD_REAL, AT(misses), 0, NULL },
	{ "variance", MS_FIELD_REAL, AT(variance), 0, NULL },
	{ "least", MS_FIELD_REAL, AT(least), 0, NULL },
	{ "most", MS_FIELD_REAL, AT(most), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_reuse, field)
const struct ms_run_field ms_run_reuse_fields[] = {
	{ "data", MS_FIELD_INDEX, AT(data), ARRAY(data), NULL },
	{ "from_line", MS_FIELD_INDEX, AT(from_line), ARRAY(lines), NULL },
	{ "to_line", MS_FIELD_INDEX, AT(to_line), ARRAY(lines), NULL },
	{ "count", MS_FIELD_REAL, AT(count), 0, NULL },
	{ "log2_bytes", MS_FIELD_REAL, AT(log2_bytes), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_member, field)
const struct ms_run_field ms_run_member_fields[] = {
	{ "data", MS_FIELD_INDEX, AT(data), ARRAY(data), NULL },
	{ "offset", MS_FIELD_U32, AT(offset), 0, NULL },
	{ "size", MS_FIELD_U32, AT(size), 0, NULL },
	{ "element", MS_FIELD_U32, AT(element), 0, NULL },
	{ "name", MS_FIELD_STRING, AT(name), 0, NULL },
	{ "type", MS_FIELD_STRING, AT(type), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_member_access, field)
const struct ms_run_field ms_run_member_access_fields[] = {
	{ "cell", MS_FIELD_INDEX, AT(cell), ARRAY(cells), NULL },
	{ "offset", MS_FIELD_U32, AT(offset), 0, NULL },
	{ "size", MS_FIELD_U32, AT(size), 0, NULL },
	{ "refs", MS_FIELD_REAL, AT(references), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_member_thread, field)
const struct ms_run_field ms_run_member_thread_fields[] = {
	{ "cell", MS_FIELD_INDEX, AT(cell), ARRAY(cells), NULL },
	{ "offset", MS_FIELD_U32, AT(offset), 0, NULL },
	{ "size", MS_FIELD_U32, AT(size), 0, NULL },
	{ "thread", MS_FIELD_INDEX, AT(thread), ARRAY(threads), NULL },
	{ "refs", MS_FIELD_REAL, AT(references), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_address_range, field)
const struct ms_run_field ms_run_address_range_fields[] = {
	{ "data", MS_FIELD_INDEX, AT(data), ARRAY(data), NULL },
	{ "range", MS_FIELD_U32, AT(number), 0, NULL },
	{ "bytes", MS_FIELD_U64, AT(bytes), 0, NULL },
	{ "refs", MS_FIELD_REAL, AT(references), 0, NULL },
	{ "first_misses", MS_FIELD_REAL, AT(first_misses), 0, NULL },
	{ "last_misses", MS_FIELD_REAL, AT(last_misses), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_member_pair, field)
const struct ms_run_field ms_run_member_pair_fields[] = {
	{ "cell", MS_FIELD_INDEX, AT(cell), ARRAY(cells), NULL },
	{ "offset", MS_FIELD_U32, AT(offset), 0, NULL },
	{ "other", MS_FIELD_U32, AT(other), 0, NULL },
	{ "lines", MS_FIELD_REAL, AT(lines), 0, NULL },
	END_OF_LIST,
};
#undef AT
