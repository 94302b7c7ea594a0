/* run/fields_ranks.c - the fields of run/ranks.h: see run/fields.h. */
#include "base/compiler.h"
#include "run/enum_words.h"
#include "run/fields.h"

#define ARRAY(name) offsetof(struct ms_run, name)
#define END_OF_LIST                            \
	{                                      \
		NULL, MS_FIELD_U32, 0, 0, NULL \
	}

static const char *const state_words[] = { "merged",  "apart",   "off", "incomplete",
					   "missing", "damaged", NULL };

#define AT(field) offsetof(struct ms_run_rank_cluster, field)
const struct ms_run_field ms_run_rank_cluster_fields[] = {
	{ "representative", MS_FIELD_U32, AT(representative), 0, NULL },
	{ "ranks", MS_FIELD_U64, AT(ranks), 0, NULL },
	{ "time", MS_FIELD_U64, AT(time), 0, NULL },
	{ "uid", MS_FIELD_MAYBE_TEXT, AT(uid), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_rank, field)
const struct ms_run_field ms_run_rank_fields[] = {
	{ "rank", MS_FIELD_U32, AT(rank), 0, NULL },
	{ "state", MS_FIELD_WORD, AT(state), 0, state_words },
	{ "uid", MS_FIELD_MAYBE_TEXT, AT(uid), 0, NULL },
	{ "host", MS_FIELD_MAYBE_STRING, AT(host), 0, NULL },
	{ "program", MS_FIELD_MAYBE_STRING, AT(program), 0, NULL },
	{ "file", MS_FIELD_MAYBE_TEXT, AT(file), 0, NULL },
	{ "reason", MS_FIELD_MAYBE_TEXT, AT(reason), 0, NULL },
	{ "ended", MS_FIELD_WORD, AT(end), 0, ms_run_end_words },
	{ "exit_status", MS_FIELD_INT, AT(exit_status), 0, NULL },
	{ "wall_seconds", MS_FIELD_REAL, AT(wall_seconds), 0, NULL },
	{ "instructions", MS_FIELD_U64, AT(instructions), 0, NULL },
	{ "refs", MS_FIELD_U64, AT(references), 0, NULL },
	{ "compute", MS_FIELD_U64, AT(compute), 0, NULL },
	{ "stall", MS_FIELD_U64, AT(stall), 0, NULL },
	{ "waiting", MS_FIELD_U64, AT(waiting), 0, NULL },
	{ "cluster", MS_FIELD_MAYBE_INDEX, AT(cluster), ARRAY(rank_clusters), NULL },
	{ "features", MS_FIELD_MAYBE_TEXT, AT(features), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_rank_bin, field)
const struct ms_run_field ms_run_rank_bin_fields[] = {
	{ "code", MS_FIELD_INDEX, AT(code), ARRAY(codes), NULL },
	{ "data", MS_FIELD_INDEX, AT(data), ARRAY(data), NULL },
	{ "least_rank", MS_FIELD_U32, AT(least_rank), 0, NULL },
	{ "most_rank", MS_FIELD_U32, AT(most_rank), 0, NULL },
	{ "ranks", MS_FIELD_U64, AT(ranks), 0, NULL },
	{ "sum", MS_FIELD_U64, AT(sum), 0, NULL },
	{ "squares", MS_FIELD_REAL, AT(squares), 0, NULL },
	{ "least", MS_FIELD_U64, AT(least), 0, NULL },
	{ "most", MS_FIELD_U64, AT(most), 0, NULL },
	END_OF_LIST,
};
#undef AT

#define AT(field) offsetof(struct ms_run_rank_data, field)
const struct ms_run_field ms_run_rank_data_fields[] = {
	{ "rank", MS_FIELD_U32, AT(rank), 0, NULL },
	{ "data", MS_FIELD_INDEX, AT(data), ARRAY(data), NULL },
	{ "stall", MS_FIELD_U64, AT(stall), 0, NULL },
	END_OF_LIST,
};
#undef AT

const char *ms_run_rank_state_word(uint32_t state)
{
	return state < MS_COUNT(state_words) - 1 ? state_words[state] : "unknown";
}
