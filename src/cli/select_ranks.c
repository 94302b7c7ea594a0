#include "cli/select_ranks.h"

#include <string.h>

#include "base/num.h"
#include "cli/load_run.h"
#include "launch/job.h"
#include "ranks/ranks.h"

struct selection {
	const struct ms_options_report *opts;
	const struct ms_run *whole;
	uint64_t cluster;
};

static uint32_t cluster_of(const struct ms_run *run, uint32_t rank)
{
	for (size_t i = 0; i < run->rank_rows.n; i++)
		if (run->rank_rows.at[i].rank == rank)
			return run->rank_rows.at[i].cluster;
	return MS_NONE;
}

/* host: "name (processor)". */
static bool is_node(const char *host, const char *node)
{
	size_t n = strlen(node);

	return strncmp(host, node, n) == 0 && (host[n] == '\0' || host[n] == ' ');
}

static bool is_wanted(uint32_t rank, const char *host, const void *arg)
{
	const struct selection *s = arg;
	bool listed = true;

	if (s->opts->rank != NULL)
		ms_launch_is_listed_rank(s->opts->rank, rank, &listed, NULL);
	return listed && (s->opts->node == NULL || is_node(host, s->opts->node)) &&
	       (s->opts->cluster == NULL || cluster_of(s->whole, rank) == s->cluster);
}

static int check(const struct selection *s, struct ms_err *err)
{
	bool ignored;

	if (s->whole->rank_rows.n == 0 || s->whole->folder == NULL)
		return ms_fail(err, MS_EUSAGE,
			       "--rank, --node and --cluster are for runs that are merged from "
			       "ranks; this one is not");
	if (s->opts->cluster != NULL && s->cluster >= s->whole->rank_clusters.n)
		return ms_fail(err, MS_EUSAGE, "--cluster %s: expected a number below %zu",
			       s->opts->cluster, s->whole->rank_clusters.n);
	return s->opts->rank != NULL ? ms_launch_is_listed_rank(s->opts->rank, 0, &ignored, err)
				     : MS_OK;
}

/* The only one of the merged ranks that is wanted; NULL: there are several, or none. */
static const struct ms_run_rank *find_single(const struct selection *s)
{
	const struct ms_run_rank *found = NULL;

	for (size_t i = 0; i < s->whole->rank_rows.n; i++) {
		const struct ms_run_rank *r = &s->whole->rank_rows.at[i];

		if (r->state != MS_RANK_MERGED ||
		    !is_wanted(r->rank, r->host != NULL ? r->host : "", s))
			continue;
		if (found != NULL)
			return NULL;
		found = r;
	}
	return found;
}

/* A sum has no threads and no timelines: of a single rank they are shown, too. */
static int load_single(const struct ms_ranks_files *files, const struct ms_run_rank *rank,
		       struct ms_run *run, struct ms_err *err)
{
	MS_TRY(ms_ranks_load(files, rank->file, run, err));
	int code = ms_ranks_make_leaf(run, rank->file, err);

	if (code != MS_OK) {
		ms_run_free(run);
		return code;
	}
	run->folder = ms_arena_strdup(&run->arena, files->folder);
	ms_ranks_cluster(run);
	return MS_OK;
}

/* Whether the merged run has ranks of which there is only a checkpoint. */
static bool has_checkpoints(const struct ms_run *run)
{
	for (size_t i = 0; i < run->rank_rows.n; i++)
		if (run->rank_rows.at[i].state == MS_RANK_MERGED &&
		    run->rank_rows.at[i].end == MS_END_INCOMPLETE)
			return true;
	return false;
}

static int merge(const struct selection *s, struct ms_run *sums, struct ms_err *err)
{
	const struct ms_ranks_options options = { .jobs = 1,
						  .is_wanted = is_wanted,
						  .arg = s,
						  .checkpoints = has_checkpoints(s->whole) };
	struct ms_ranks_files files;

	MS_TRY(check(s, err));
	MS_TRY(ms_ranks_find_files(&files, s->whole->folder, s->whole->job, err));
	const struct ms_run_rank *single = find_single(s);
	int code = single != NULL ? load_single(&files, single, sums, err)
				  : ms_ranks_merge(&files, &options, sums, err);

	ms_ranks_files_free(&files);
	return code;
}

int ms_cli_select_ranks(const struct ms_options_report *opts, struct ms_run *run,
			struct ms_err *err)
{
	struct selection s = { .opts = opts, .whole = run };
	struct ms_run sums;

	if (opts->rank == NULL && opts->node == NULL && opts->cluster == NULL)
		return MS_OK;
	if (opts->cluster != NULL && !ms_parse_u64(opts->cluster, &s.cluster))
		s.cluster = UINT64_MAX;
	int code = merge(&s, &sums, err);

	ms_run_free(run);
	if (code != MS_OK)
		return code;
	*run = sums;
	run->id = 0;
	ms_cli_apply_rules_alone(opts, run);
	return MS_OK;
}
