/*
 * ranks/leaf.c - what one rank contributes. Its features are the stall time by code and data, added
 * up in 64 places by a hash of their names, and its compute time: enough to tell apart ranks that
 * spend their time differently, in a size that does not depend on the program.
 */
#include <inttypes.h>
#include <string.h>

#include "analysis/summary/mpi_code.h"
#include "analysis/summary/summary.h"
#include "base/map.h"
#include "base/text.h"
#include "ranks/ranks.h"
#include "run/key.h"

static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; *text != '\0'; text++)
		hash = ms_hash(hash, (unsigned char)*text);
	return hash;
}

static uint64_t stall_of(const struct ms_summary_entry *e)
{
	return ms_summary_rw_sum(e->counts.stall);
}

static void add_bins(struct ms_run *run, const struct ms_summary *summary,
		     const struct ms_run_keys *keys, const enum ms_summary_mpi *roles,
		     uint64_t features[MS_RANKS_FEATURES])
{
	for (size_t i = 0; i < summary->bins.at.n; i++) {
		const struct ms_summary_entry *e = &summary->bins.at.at[i];
		uint64_t stall = stall_of(e);

		if (stall == 0)
			continue;
		*ms_vec_add(&run->rank_bins) =
			(struct ms_run_rank_bin){ .code = e->code,
						  .data = e->data,
						  .least_rank = run->rank,
						  .most_rank = run->rank,
						  .ranks = 1,
						  .sum = stall,
						  .squares = (double)stall * (double)stall,
						  .least = stall,
						  .most = stall };
		uint64_t hash =
			hash_text(hash_text(1, run->codes.at[e->code].name), keys->at[e->data]);
		if (roles[e->code] != MS_SUMMARY_MPI_WAITING)
			features[hash % MS_RANKS_FEATURES] += stall;
	}
}

/* Entries are sorted by stall. */
static void add_data(struct ms_run *run, const struct ms_summary *summary)
{
	for (size_t i = 0; i < summary->data.at.n && i < MS_RUN_RANK_DATA_MOST; i++) {
		const struct ms_summary_entry *e = &summary->data.at.at[i];

		if (stall_of(e) > 0)
			*ms_vec_add(&run->rank_data) =
				(struct ms_run_rank_data){ run->rank, e->data, stall_of(e) };
	}
}

/* "compute 3:120 17:4000" */
static const char *write_features(struct ms_run *run, uint64_t compute,
				  const uint64_t features[MS_RANKS_FEATURES])
{
	struct ms_text text = MS_TEXT_INIT;

	ms_text_addf(&text, "%" PRIu64, compute);
	for (int i = 0; i < MS_RANKS_FEATURES; i++)
		if (features[i] > 0)
			ms_text_addf(&text, " %d:%" PRIu64, i, features[i]);
	const char *copy = ms_arena_strdup(&run->arena, text.at);

	ms_text_free(&text);
	return copy;
}

/* "name (processor)": only the name. */
static const char *node_of(struct ms_run *run)
{
	const char *bracket = run->host != NULL ? strstr(run->host, " (") : NULL;

	return bracket == NULL
		       ? run->host
		       : ms_arena_strndup(&run->arena, run->host, (size_t)(bracket - run->host));
}

int ms_ranks_make_leaf(struct ms_run *run, const char *file, struct ms_err *err)
{
	uint64_t features[MS_RANKS_FEATURES] = { 0 }, references = 0;
	struct ms_summary summary;
	struct ms_run_keys keys;

	MS_TRY(ms_summary_make(&summary, run, NULL, NULL, err));
	ms_run_keys_make(&keys, run);
	enum ms_summary_mpi *roles = ms_alloc((run->codes.n + 1) * sizeof(*roles));

	ms_summary_find_mpi(run, roles);
	add_bins(run, &summary, &keys, roles, features);
	add_data(run, &summary);
	const struct ms_summary_counts *total = &summary.total.counts;

	struct ms_summary_mpi_waiting polled = ms_summary_sum_mpi_waiting(&summary, roles);
	uint64_t compute = total->compute - polled.compute;

	references = ms_summary_rw_sum(total->references);
	*ms_vec_add(&run->rank_rows) = (struct ms_run_rank){
		.rank = run->rank,
		.state = MS_RANK_MERGED,
		.uid = run->uid,
		.host = node_of(run),
		.program = run->program,
		.file = file,
		.end = run->end,
		.exit_status = run->exit_status,
		.wall_seconds = run->wall_seconds,
		.instructions = run->instructions,
		.references = references,
		.compute = compute,
		.stall = ms_summary_rw_sum(total->stall) - polled.stall,
		.waiting = polled.compute + polled.stall,
		.cluster = MS_NONE,
		.features = write_features(run, compute, features),
	};
	ms_free(roles);
	ms_run_keys_free(&keys);
	ms_summary_free(&summary);
	return MS_OK;
}
