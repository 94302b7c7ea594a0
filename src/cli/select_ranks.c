#include "cli/select_ranks.h"

#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "cli/load_run.h"
#include "launch/job.h"
#include "ranks/ranks.h"

struct selection {
	const struct ms_options_report *opts;
	const struct ms_run *whole;
	uint64_t cluster;
};

static bool is_wanted(const struct ms_run_rank *rank, const void *arg)
{
	const struct selection *s = arg;
	bool listed = true;

	if (s->opts->rank != NULL)
		ms_launch_is_listed_rank(s->opts->rank, rank->rank, &listed, NULL);
	return listed &&
	       (s->opts->node == NULL ||
		(rank->host != NULL && strcmp(rank->host, s->opts->node) == 0)) &&
	       (s->opts->cluster == NULL || rank->cluster == s->cluster);
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

/* A sum has no threads and no timelines: of a single rank they are shown, too. */
static int load_single(const struct ms_ranks_files *files, struct ms_run *run, struct ms_err *err)
{
	const struct ms_ranks_file *file = &files->at.at[0];

	MS_TRY(ms_ranks_load(files, file->path, file->uid, run, err));
	int code = ms_ranks_make_leaf(run, file->path, err);

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

static int check_folder(const char *folder, struct ms_err *err)
{
	return access(folder, R_OK | X_OK) == 0
		       ? MS_OK
		       : ms_fail_errno(err, "%s: could not open the folder of a job", folder);
}

static int merge(const struct selection *s, struct ms_run *sums, struct ms_err *err)
{
	const struct ms_ranks_options options = { .jobs = 1,
						  .is_part = true,
						  .checkpoints = has_checkpoints(s->whole) };
	struct ms_ranks_files files;

	MS_TRY(check(s, err));
	MS_TRY(check_folder(s->whole->folder, err));
	ms_ranks_list_merged(&files, s->whole, is_wanted, s);
	int code = files.at.n == 0   ? ms_fail(err, MS_ENOENT,
					       "--rank, --node and --cluster select none of the "
						 "ranks that were merged")
		   : files.at.n == 1 ? load_single(&files, sums, err)
				     : ms_ranks_merge(&files, &options, sums, err);

	ms_ranks_files_free(&files);
	return code;
}

int ms_cli_select_ranks(const struct ms_options_report *opts, struct ms_run *run,
			struct ms_err *err)
{
	struct selection s = { .opts = opts, .whole = run };
	int64_t id = run->id;
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
	run->id = id; /* reports of a part name the whole */
	ms_cli_apply_rules_alone(opts, run);
	return MS_OK;
}
