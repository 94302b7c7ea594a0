/*
 * analysis/accuracy/match_bins.c - matches the bins of two runs of the same program.
 *
 * Names of data are unique in a run, and the same in whole and sampled runs. Runs of older versions
 * number data of the same name in the order of first use, which differs between these. Numbered
 * heap data is identified by the instructions that allocated it, other numbered data by its full
 * name. Code is identified by its name and module, which are unique in a run; its first executed
 * instruction may be in a function that it was inlined into.
 */
#include "analysis/accuracy/accuracy_priv.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "run/key.h"

struct ms_accuracy_matcher {
	struct ms_names names;
	struct ms_map bins; /* of the sampled run: keys of code and data to the index */
	const char **code, **data;
};

/* Of each data where its frames begin; frames are listed by data. */
static const char **data_keys(struct ms_names *names, const struct ms_run *run)
{
	const char **keys = ms_alloc((run->data.n + 1) * sizeof(*keys));
	size_t f = 0;

	for (uint32_t d = 0; d < run->data.n; d++) {
		const struct ms_run_data *data = &run->data.at[d];
		struct ms_text text = MS_TEXT_INIT;

		ms_run_data_plain_name(&text, data);
		bool numbered = data->name[text.n] == '#';
		if (!numbered)
			ms_text_add(&text, data->name + text.n);
		while (f < run->frames.n && run->frames.at[f].data < d)
			f++;
		if (numbered && (f == run->frames.n || run->frames.at[f].data != d))
			ms_text_addf(&text, " %s", data->full_name);
		for (; numbered && f < run->frames.n && run->frames.at[f].data == d; f++)
			ms_text_addf(&text, " %s+%llx", ms_base_name(run->frames.at[f].module),
				     (unsigned long long)run->frames.at[f].offset);
		keys[d] = ms_intern(names, text.at);
		ms_text_free(&text);
	}
	return keys;
}

static const char **code_keys(struct ms_names *names, const struct ms_run *run)
{
	const char **keys = ms_alloc((run->codes.n + 1) * sizeof(*keys));

	for (uint32_t c = 0; c < run->codes.n; c++) {
		const struct ms_run_code *code = &run->codes.at[c];
		struct ms_text text = MS_TEXT_INIT;

		ms_text_addf(&text, "%s %s", code->name, code->module);
		keys[c] = ms_intern(names, text.at);
		ms_text_free(&text);
	}
	return keys;
}

struct ms_accuracy_matcher *ms_accuracy_matcher_open(const struct ms_summary *whole,
						     const struct ms_summary *sampled)
{
	struct ms_accuracy_matcher *m = ms_alloc(sizeof(*m));
	const char **code = code_keys(&m->names, sampled->run);
	const char **data = data_keys(&m->names, sampled->run);

	m->code = code_keys(&m->names, whole->run);
	m->data = data_keys(&m->names, whole->run);
	for (size_t i = sampled->bins.at.n; i-- > 0;) { /* of equal ones, the first */
		const struct ms_summary_entry *e = &sampled->bins.at.at[i];

		*ms_map_at(&m->bins, (uintptr_t)code[e->code], (uintptr_t)data[e->data]) =
			(uint32_t)i;
	}
	ms_free(code);
	ms_free(data);
	return m;
}

uint32_t ms_accuracy_matcher_find(const struct ms_accuracy_matcher *m,
				  const struct ms_summary_entry *e)
{
	return ms_map_get(&m->bins, (uintptr_t)m->code[e->code], (uintptr_t)m->data[e->data]);
}

void ms_accuracy_matcher_close(struct ms_accuracy_matcher *m)
{
	ms_map_free(&m->bins);
	ms_names_free(&m->names);
	ms_free(m->code);
	ms_free(m->data);
	ms_free(m);
}
