#include "cli/merge_ranks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/describe/describe.h"
#include "base/processors.h"
#include "base/text.h"
#include "cli/program_end.h"
#include "run/enum_words.h"
#include "store/store.h"

/* --- storing --- */

struct representatives {
	MS_VEC(int64_t) ids;
};

/* A rank's own tag is that of the merged run, too, and would stand for both. */
static int keep_representative(const struct ms_ranks_files *files, struct ms_store *store,
			       const struct ms_run_rank *rank, int64_t *id, struct ms_err *err)
{
	struct ms_run run;

	MS_TRY(ms_store_find_uid(store, rank->uid, id, err));
	if (*id != 0)
		return MS_OK;
	MS_TRY(ms_ranks_load(files, rank->file, rank->uid, &run, err));
	run.tag = NULL;
	run.tags.n = 0;
	run.parent = 0;
	run.relation = MS_RELATION_NONE;
	int code = ms_store_save(store, &run, err);

	*id = run.id;
	ms_run_free(&run);
	return code;
}

static const struct ms_run_rank *find_rank(const struct ms_run *run, uint32_t rank)
{
	for (size_t i = 0; i < run->rank_rows.n; i++)
		if (run->rank_rows.at[i].rank == rank)
			return &run->rank_rows.at[i];
	return NULL;
}

/* Before the merged run: that one is the latest. */
static int keep_representatives(const struct ms_ranks_files *files, struct ms_store *store,
				struct ms_run *run, struct representatives *kept,
				struct ms_err *err)
{
	for (size_t i = 0; i < run->rank_clusters.n; i++) {
		struct ms_run_rank_cluster *c = &run->rank_clusters.at[i];
		const struct ms_run_rank *rank = find_rank(run, c->representative);
		int64_t id;

		MS_TRY(keep_representative(files, store, rank, &id, err));
		c->uid = rank->uid;
		*ms_vec_add(&kept->ids) = id;
	}
	return MS_OK;
}

static int keep(const struct ms_ranks_files *files, struct ms_store *store, struct ms_run *run,
		struct ms_err *err)
{
	struct representatives kept = { MS_VEC_INIT };
	int64_t known;

	MS_TRY(ms_store_find_uid(store, run->uid, &known, err));
	if (known != 0) {
		run->id = known;
		return MS_OK;
	}
	int code = keep_representatives(files, store, run, &kept, err);

	if (code == MS_OK)
		code = ms_store_save(store, run, err);
	for (size_t i = 0; i < kept.ids.n && code == MS_OK; i++)
		code = ms_store_link(store, kept.ids.at[i], run->id, MS_RELATION_RANK, err);
	ms_vec_free(&kept.ids);
	return code;
}

static int store(const struct ms_cli_merge *merge, const struct ms_ranks_files *files,
		 struct ms_run *run, struct ms_err *err)
{
	struct ms_store *db;

	if (merge->tag != NULL)
		run->tag = ms_arena_strdup(&run->arena, merge->tag);
	if (merge->note != NULL)
		run->note = ms_arena_strdup(&run->arena, merge->note);
	MS_TRY(ms_store_open(&db, merge->db, MS_STORE_WRITE, err));
	int code = keep(files, db, run, err);

	ms_store_close(db);
	return code;
}

/* --- merging --- */

static int merge_files(const struct ms_cli_merge *merge, const struct ms_ranks_files *files,
		       struct ms_run *run, bool *is_last, struct ms_err *err)
{
	const struct ms_ranks_options options = {
		.jobs = merge->jobs != 0       ? merge->jobs
			: merge->parts != NULL ? 1
					       : ms_processors_allowed(),
		.share = merge->share,
		.shares = merge->shares,
		.parts = merge->parts,
		.checkpoints = merge->checkpoints,
	};

	*is_last = true;
	if (merge->parts != NULL) {
		MS_TRY(ms_ranks_merge_share(files, &options, err));
		*is_last = ms_ranks_finish(merge->parts, merge->share, merge->shares);
		if (!*is_last)
			return MS_OK;
		ms_ranks_end(merge->parts, merge->shares);
	}
	MS_TRY(ms_ranks_merge(files, &options, run, err));
	int code = store(merge, files, run, err);

	if (code != MS_OK)
		ms_run_free(run);
	return code;
}

/* Databases in the folder that are not merged. */
static void print_other_jobs(const struct ms_ranks_files *files, bool was_asked)
{
	enum { MOST = 8 };
	const struct ms_ranks_earlier *e = &files->earlier;
	struct ms_text ranks = MS_TEXT_INIT;

	if (e->ranks > 0)
		ms_text_addf(&ranks, ", with %" PRIu32 " ranks", e->ranks);
	if (e->files > 0)
		fprintf(stderr,
			"memspy: left out: %zu database%s in %s of an earlier job that had the "
			"number %s, too (started %s%s)\n",
			e->files, e->files == 1 ? "" : "s", files->folder, files->job, e->started,
			ms_text_get(&ranks));
	ms_text_free(&ranks);
	if (was_asked || files->others.n == 0)
		return;
	fprintf(stderr,
		"memspy: %s has other jobs, too; --job ID merges one of them:", files->folder);
	for (size_t i = 0; i < files->others.n && i < MOST; i++)
		fprintf(stderr, "%s %s", i > 0 ? "," : "", files->others.at[i]);
	fprintf(stderr, "%s\n", files->others.n > MOST ? ", ..." : "");
}

int ms_cli_merge_ranks(const struct ms_cli_merge *merge, struct ms_run *run, bool *is_last,
		       struct ms_err *err)
{
	struct ms_ranks_files files;

	MS_TRY(ms_ranks_find_files(&files, merge->folder, merge->job, err));
	int code = merge_files(merge, &files, run, is_last, err);

	if (code == MS_OK && *is_last && !merge->quiet)
		print_other_jobs(&files, merge->job != NULL);

	ms_ranks_files_free(&files);
	return code;
}

/* --- messages --- */

/* "3, 5-7" */
static void list_ranks(struct ms_text *text, const struct ms_run *run, uint32_t state)
{
	const char *comma = "";

	for (size_t i = 0; i < run->rank_rows.n; i++) {
		size_t last = i;

		if (run->rank_rows.at[i].state != state)
			continue;
		while (last + 1 < run->rank_rows.n && run->rank_rows.at[last + 1].state == state)
			last++;
		ms_text_addf(text, "%s%" PRIu32, comma, run->rank_rows.at[i].rank);
		if (last > i)
			ms_text_addf(text, "%s%" PRIu32, last > i + 1 ? "-" : ", ",
				     run->rank_rows.at[last].rank);
		comma = ", ";
		i = last;
	}
}

static size_t count_state(const struct ms_run *run, uint32_t state)
{
	size_t n = 0;

	for (size_t i = 0; i < run->rank_rows.n; i++)
		n += run->rank_rows.at[i].state == state;
	return n;
}

/* The reason is that of the first one. */
static void print_state(const struct ms_run *run, uint32_t state, const char *what)
{
	struct ms_text ranks = MS_TEXT_INIT;
	const char *reason = NULL;

	list_ranks(&ranks, run, state);
	for (size_t i = 0; i < run->rank_rows.n && reason == NULL; i++)
		if (run->rank_rows.at[i].state == state)
			reason = run->rank_rows.at[i].reason;
	if (ranks.n > 0)
		fprintf(stderr, "memspy: rank%s %s: %s%s%s\n",
			count_state(run, state) > 1 ? "s" : "", ranks.at, what,
			reason != NULL ? ": " : "", reason != NULL ? reason : "");
	ms_text_free(&ranks);
}

/* Figures of these are not of the whole program. */
static void print_failed_ranks(const struct ms_run *run)
{
	enum { MOST = 4 };
	struct ms_text text = MS_TEXT_INIT;
	size_t n = 0;

	for (size_t i = 0; i < run->rank_rows.n; i++) {
		const struct ms_run_rank *r = &run->rank_rows.at[i];

		if (r->state != MS_RANK_MERGED ||
		    (r->end == MS_END_EXITED && r->exit_status == 0) || ++n > MOST)
			continue;
		ms_text_addf(&text, "%s%" PRIu32 ": ", n > 1 ? "; " : "", r->rank);
		ms_describe_end(&text, r->end, r->exit_status);
	}
	if (n > MOST)
		ms_text_addf(&text, "; and %zu others", n - MOST);
	if (n > 0)
		fprintf(stderr, "memspy: added with what they did until their end: rank%s %s\n",
			n > 1 ? "s" : "", text.at);
	ms_text_free(&text);
}

void ms_cli_print_merged(const struct ms_cli_merge *merge, const struct ms_run *run)
{
	static const char *const what[MS_RANK_STATES] = {
		[MS_RANK_APART] = "not added to the others",
		[MS_RANK_OFF] = "not profiled (--ranks)",
		[MS_RANK_INCOMPLETE] = "left out",
		[MS_RANK_MISSING] = "left out: there is no database",
		[MS_RANK_DAMAGED] = "left out: the database cannot be read",
	};

	fprintf(stderr, "memspy: %zu of %zu ranks of job %s merged: @%" PRId64 " in %s\n",
		count_state(run, MS_RANK_MERGED), run->rank_rows.n, run->job, run->id, merge->db);
	for (uint32_t state = MS_RANK_MERGED + 1; state < MS_RANK_STATES; state++)
		print_state(run, state, what[state]);
	if (count_state(run, MS_RANK_INCOMPLETE) > 0)
		fprintf(stderr,
			"memspy: to add what their checkpoints have: memspy merge --checkpoints "
			"%s\n",
			run->folder);
	print_failed_ranks(run);
}

/* --- ranks --- */

void ms_cli_begin_rank(const struct ms_options_job *job)
{
	if (job->job.launcher != NULL)
		ms_ranks_begin(job->folder, job->job.rank);
}

/* Most launchers stop a job when one of its ranks fails: then no rank is the last. Of ranks that
 * are stopped, only the first one says so. */
static bool fails_job(const struct ms_run *run)
{
	if (run->end == MS_END_INTERRUPTED)
		return run->rank == 0;
	return run->end == MS_END_SIGNALED || run->end == MS_END_LOST || run->exit_status != 0;
}

static void print_failed(const struct ms_options_job *job, const struct ms_run *run)
{
	struct ms_text end = MS_TEXT_INIT;

	ms_describe_end(&end, run->end, run->exit_status);
	fprintf(stderr,
		"memspy: rank %" PRIu32 " has ended: %s. If the launcher stops the others, no "
		"report follows; this makes it, of the ranks that are complete: memspy merge %s\n",
		run->rank, end.at, job->folder);
	ms_text_free(&end);
}

void ms_cli_end_rank(const struct ms_options_job *job, const struct ms_run *rank, const char *tag,
		     const char *note)
{
	struct ms_cli_merge merge = { .folder = job->folder,
				      .job = job->job.id,
				      .db = job->merged_db,
				      .tag = tag,
				      .note = note,
				      .quiet = job->quiet };
	struct ms_options_report report = job->asked;
	struct ms_err err;
	struct ms_run run;
	struct ms_cli_late_close closed = { .store = NULL };
	bool is_last;

	/* Where the number of ranks is not known, none is the last. */
	if (job->job.launcher == NULL)
		return;
	if (job->job.ranks == 0 || !ms_ranks_finish(job->folder, job->job.rank, job->job.ranks)) {
		if (fails_job(rank))
			print_failed(job, rank);
		return;
	}
	ms_ranks_end(job->folder, job->job.ranks);
	if (ms_cli_merge_ranks(&merge, &run, &is_last, &err) != MS_OK) {
		ms_cli_warn(&err);
		return;
	}
	if (!job->quiet)
		ms_cli_print_merged(&merge, &run);
	report.db = merge.db;
	if (ms_cli_print_run(&report, job->quiet, &closed, &run, &err) != MS_OK)
		ms_cli_warn(&err);
	ms_run_free(&run);
}
