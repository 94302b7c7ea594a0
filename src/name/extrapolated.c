/*
 * name/extrapolated.c - collects what estimate/ needs to extrapolate a sampled program's totals.
 */
#include "base/mem.h"
#include "name/executions.h"
#include "name/name_priv.h"

/* By the binder's sites: the function that they are in, its reads and its writes by themselves. */
static uint32_t *site_codes(struct ms_name_state *n)
{
	size_t sites = ms_bins_sites(n->from.binder);
	uint32_t *codes = ms_alloc((sites + 1) * sizeof(*codes));

	for (uint32_t i = 0; i < sites; i++) {
		const struct ms_bins_bound_site *site = ms_bins_site(n->from.binder, i);
		uint32_t line = ms_name_codes_line(&n->code, site->pc);

		codes[i] = 2 * n->run->lines.at[line].code + (site->kind == MS_WIRE_WRITE);
	}
	return codes;
}

/* By the binder's data: how large it was. */
static struct ms_estimate_data *data_sizes(const struct ms_name_state *n)
{
	size_t count = ms_bins_data_count(n->from.binder);
	struct ms_estimate_data *sizes = ms_alloc((count + 1) * sizeof(*sizes));

	for (uint32_t i = 0; i < count; i++) {
		const struct ms_bins_bound_data *bound = ms_bins_get_data(n->from.binder, i);
		const struct ms_name_data_stats *s =
			i < n->from.program->stats.n ? &n->from.program->stats.at[i] : NULL;
		double bytes = (double)bound->bytes;

		sizes[i] = (struct ms_estimate_data){ bytes, 1, bytes, true,
						      bound->kind == MS_BOUND_HEAP };
		if (s == NULL || !(s->objects > 0))
			continue;
		sizes[i].bytes = s->peak;
		sizes[i].objects = s->objects;
		sizes[i].each = s->bytes / s->objects;
		sizes[i].same_size = sizes[i].each >= (double)s->largest;
	}
	return sizes;
}

static struct ms_estimate_executions *count_executions(const struct ms_name_state *n)
{
	const struct ms_estimate_windows *windows = n->from.windows;

	if (windows->outside.n == 0)
		return NULL;
	return ms_name_executions_by_site(n->from.binder, n->from.engine, n->from.processors,
					  windows->outside.at, windows->outside.n);
}

/* Where the front-end does not report the number of references, exits that were taken give it. */
static void complete_windows(struct ms_name_state *n)
{
	const struct ms_stream_sampling *sampling = n->from.sampling;

	if (ms_estimate_lacks_refs(n->from.windows, sampling))
		ms_estimate_set_refs(
			n->from.windows, sampling,
			ms_name_total_refs(n->from.binder, n->from.engine, n->from.processors));
}

/* Extrapolates the simulated part to the whole program. */
void ms_name_extrapolate(struct ms_name_state *n, struct ms_engine_totals *totals)
{
	const struct ms_machine *m = n->from.machine;
	const struct ms_stream_sampling *sampling = n->from.sampling;
	bool by_sets = ms_stream_sampling_is_by_sets(sampling);

	for (size_t i = 0; i < totals->cells.n; i++)
		n->seen += totals->cells.at[i].references;
	ms_engine_windows_compute_totals(n->from.engine, &n->sampled);
	complete_windows(n);
	n->scale = ms_estimate_find_scale(n->from.windows, sampling, &n->sampled, n->seen);

	uint32_t *lines = ms_alloc(m->levels.n * sizeof(*lines));
	for (size_t l = 0; l < m->levels.n; l++)
		lines[l] = m->levels.at[l].line;
	struct ms_estimate_data *data = data_sizes(n);
	struct ms_estimate_executions *executions = by_sets ? NULL : count_executions(n);
	uint32_t *codes = by_sets ? site_codes(n) : NULL;
	double *refs = by_sets ? ms_name_refs_by_site(n->from.binder, n->from.engine) : NULL;
	const struct ms_estimate_input input = {
		.sampling = sampling,
		.sampled = &n->sampled,
		.scale = &n->scale,
		.line_bytes = lines,
		.levels = (unsigned)m->levels.n,
		.data = data,
		.data_count = ms_bins_data_count(n->from.binder),
		.sites = ms_bins_sites(n->from.binder),
		.executions = executions,
		.codes = codes,
		.refs = refs,
		.unseen_data = MS_BOUND_NOT_SEEN,
	};

	ms_estimate_extrapolate(&input, totals);
	ms_free(lines);
	ms_free(data);
	ms_free(executions);
	ms_free(codes);
	ms_free(refs);
}
