/*
 * ranks/merge.c - the ranks' databases in batches of 64, in the order of ranks; each batch becomes
 * an intermediate database, and 64 of these the next one, until one is left. Each database is read
 * once. The batches depend on the files only: the result is the same for any number of processes.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/describe/checkpoint.h"
#include "base/map.h"
#include "base/num.h"
#include "base/text.h"
#include "ranks/ranks_priv.h"

/* --- the ranks of one batch --- */

/* A run that has rows of ranks only. */
static void set_empty(struct ms_run *run)
{
	run->started = run->program = run->frontend = run->memspy = run->machine = "";
	run->machine_origin = "";
	run->processors = run->nodes = 1;
}

static bool is_empty(const struct ms_run *run)
{
	return run->program[0] == '\0';
}

/* A rank whose run is not added: only its row. */
static void add_row(struct ms_run_merger *merger, uint32_t rank, enum ms_run_rank_state state,
		    const char *file, const char *reason, const struct ms_run *run)
{
	struct ms_run_rank row = { .rank = rank,
				   .state = state,
				   .file = file,
				   .reason = reason,
				   .end = MS_END_LOST,
				   .cluster = MS_NONE };
	struct ms_run rows = { .rank_rows = { &row, 1, 1 } };

	if (run != NULL && run->rank_rows.n > 0) { /* its times are known */
		row = run->rank_rows.at[0];
		row.state = state;
		row.reason = reason;
		row.features = NULL;
	}
	ms_run_merger_add_ranks(merger, &rows);
}

int ms_ranks_load(const struct ms_ranks_files *files, const char *file, const char *uid,
		  struct ms_run *run, struct ms_err *err)
{
	struct ms_store *store;
	int64_t id = 0;

	MS_TRY(ms_ranks_open(files, file, &store, err));
	int code = ms_store_find_uid(store, uid, &id, err);

	if (code == MS_OK && id == 0)
		code = ms_fail(err, MS_ENOENT, "%s/%s: this run of job %s is no longer there",
			       files->folder, file, files->job);
	if (code == MS_OK)
		code = ms_store_load(store, id, run, err);
	ms_store_close(store);
	return code;
}

static const char *describe_checkpoint(struct ms_run *run)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_text_add(&text, "there is only a checkpoint (");
	ms_describe_run_end(&text, run);
	ms_text_add(&text, ")");
	const char *reason = ms_arena_strdup(&run->arena, text.at);

	ms_text_free(&text);
	return reason;
}

static void add_run(struct ms_run_merger *merger, struct ms_run *run,
		    const struct ms_ranks_options *options, const char *file)
{
	const char *reason = NULL;
	struct ms_err err;

	if (ms_ranks_make_leaf(run, file, &err) != MS_OK) {
		add_row(merger, run->rank, MS_RANK_DAMAGED, file, err.text, NULL);
		return;
	}
	if (run->end == MS_END_INCOMPLETE && !options->checkpoints) {
		add_row(merger, run->rank, MS_RANK_INCOMPLETE, file, describe_checkpoint(run), run);
		return;
	}
	if (run->end == MS_END_INCOMPLETE)
		run->end = MS_END_LOST; /* the merged run is no checkpoint */
	reason = ms_run_merger_refuses(merger, run);
	if (reason != NULL)
		add_row(merger, run->rank, MS_RANK_APART, file, reason, run);
	else
		ms_run_merger_add(merger, run);
}

static void add_file(struct ms_run_merger *merger, const struct ms_ranks_files *files,
		     const struct ms_ranks_options *options, const struct ms_ranks_file *file)
{
	struct ms_err err = { MS_OK, "" };
	struct ms_run run;

	if (file->uid != NULL && ms_ranks_load(files, file->path, file->uid, &run, &err) == MS_OK) {
		add_run(merger, &run, options, file->path);
		ms_run_free(&run);
	} else if (file->rank != MS_NONE) {
		add_row(merger, file->rank, MS_RANK_DAMAGED, file->path,
			file->uid != NULL ? err.text : file->damage, NULL);
	}
}

static void finish(struct ms_run_merger *merger, struct ms_run *merged)
{
	bool empty = ms_run_merger_count(merger) == 0;

	ms_run_merger_finish(merger, merged);
	if (empty)
		set_empty(merged);
}

void ms_ranks_merge_leaves(const struct ms_ranks_files *files,
			   const struct ms_ranks_options *options, size_t batch,
			   struct ms_run *merged)
{
	struct ms_run_merger *merger = ms_run_merger_new();
	size_t end = (batch + 1) * MS_RANKS_BATCH;

	for (size_t i = batch * MS_RANKS_BATCH; i < files->at.n && i < end; i++)
		add_file(merger, files, options, &files->at.at[i]);
	finish(merger, merged);
}

/* --- intermediate databases --- */

struct merge_step {
	const struct ms_ranks_files *files;
	const struct ms_ranks_options *options;
	const char *parts; /* folder of the intermediate databases */
	unsigned height;   /* 0: of ranks */
	size_t below;      /* databases of the step before */
};

static void name_part(struct ms_text *path, const struct merge_step *step, unsigned height,
		      size_t part)
{
	ms_text_clear(path);
	ms_text_addf(path, "%s/%u-%zu.part", step->parts, height, part);
}

/* Under another name until it is complete: another process may look for it. */
static int save_part(const struct merge_step *step, size_t part, struct ms_run *run,
		     struct ms_err *err)
{
	struct ms_text path = MS_TEXT_INIT, draft = MS_TEXT_INIT;
	struct ms_store *store;

	name_part(&path, step, step->height, part);
	ms_text_addf(&draft, "%s.%d", path.at, (int)getpid());
	unlink(draft.at);
	int code = ms_store_open(&store, draft.at, MS_STORE_DRAFT, err);

	if (code == MS_OK)
		code = ms_store_save(store, run, err);
	ms_store_close(store);
	if (code == MS_OK && rename(draft.at, path.at) != 0)
		code = ms_fail_errno(err, "%s: could not rename an intermediate database",
				     draft.at);
	ms_text_free(&path);
	ms_text_free(&draft);
	return code;
}

static int load_part(const struct merge_step *step, size_t part, struct ms_run *run,
		     struct ms_err *err)
{
	struct ms_text path = MS_TEXT_INIT;
	struct ms_store *store;

	name_part(&path, step, step->height - 1, part);
	int code = ms_store_open(&store, path.at, MS_STORE_READ, err);

	if (code == MS_OK)
		code = ms_store_load(store, 1, run, err);
	ms_store_close(store);
	if (code == MS_OK)
		unlink(path.at);
	ms_text_free(&path);
	return code;
}

static void add_part(struct ms_run_merger *merger, struct ms_run *run)
{
	const char *reason = is_empty(run) ? NULL : ms_run_merger_refuses(merger, run);

	for (size_t i = 0; reason != NULL && i < run->rank_rows.n; i++)
		if (run->rank_rows.at[i].state == MS_RANK_MERGED) {
			run->rank_rows.at[i].state = MS_RANK_APART;
			run->rank_rows.at[i].reason = reason;
			run->rank_rows.at[i].features = NULL;
		}
	if (is_empty(run) || reason != NULL)
		ms_run_merger_add_ranks(merger, run);
	else
		ms_run_merger_add(merger, run);
}

static int merge_parts(const struct merge_step *step, size_t batch, struct ms_run *merged,
		       struct ms_err *err)
{
	struct ms_run_merger *merger = ms_run_merger_new();
	size_t end = (batch + 1) * MS_RANKS_BATCH;
	int code = MS_OK;

	for (size_t i = batch * MS_RANKS_BATCH; i < step->below && i < end && code == MS_OK; i++) {
		struct ms_run run;

		code = load_part(step, i, &run, err);
		if (code == MS_OK) {
			add_part(merger, &run);
			ms_run_free(&run);
		}
	}
	finish(merger, merged);
	if (code != MS_OK)
		ms_run_free(merged);
	return code;
}

static int merge_batch(void *arg, size_t batch, struct ms_err *err)
{
	const struct merge_step *step = arg;
	struct ms_run merged;

	if (step->height == 0)
		ms_ranks_merge_leaves(step->files, step->options, batch, &merged);
	else
		MS_TRY(merge_parts(step, batch, &merged, err));
	int code = save_part(step, batch, &merged, err);

	ms_run_free(&merged);
	return code;
}

static size_t count_batches(size_t n)
{
	return (n + MS_RANKS_BATCH - 1) / MS_RANKS_BATCH;
}

static int merge_tree(const struct ms_ranks_files *files, const struct ms_ranks_options *options,
		      const char *parts, bool has_leaves, struct ms_run *merged, struct ms_err *err)
{
	struct merge_step step = { files, options, parts, 0, files->at.n };
	unsigned jobs = options->jobs;

	for (; count_batches(step.below) > 1; step.height++) {
		size_t batches = count_batches(step.below);

		if (step.height > 0 || !has_leaves)
			MS_TRY(ms_ranks_in_parallel(jobs, 0, 1, batches, merge_batch, &step, err));
		step.below = batches;
	}
	if (step.height > 0)
		return merge_parts(&step, 0, merged, err);
	ms_ranks_merge_leaves(files, options, 0, merged);
	return MS_OK;
}

int ms_ranks_merge_share(const struct ms_ranks_files *files, const struct ms_ranks_options *options,
			 struct ms_err *err)
{
	struct merge_step step = { files, options, options->parts, 0, files->at.n };

	mkdir(options->parts, 0700);
	return ms_ranks_in_parallel(options->jobs, options->share, options->shares,
				    count_batches(files->at.n), merge_batch, &step, err);
}

/* --- the merged run --- */

static void hash_text(uint64_t hash[2], const char *text)
{
	for (const char *p = text; p != NULL && *p != '\0'; p++)
		for (int k = 0; k < 2; k++)
			hash[k] = ms_hash(hash[k], (unsigned char)*p + 256u * (unsigned)k);
}

/* The same ranks give the same number in any order of files. All checkpoints of a run have its uid:
 * they differ in their figures. */
void ms_ranks_make_uid(struct ms_run *run)
{
	uint64_t hash[2] = { 1, 2 };

	for (size_t i = 0; i < run->rank_rows.n; i++) {
		const struct ms_run_rank *r = &run->rank_rows.at[i];

		if (r->state != MS_RANK_MERGED)
			continue;
		hash_text(hash, r->uid);
		for (int k = 0; k < 2 && r->end == MS_END_INCOMPLETE; k++)
			hash[k] = ms_hash(hash[k], r->instructions);
	}
	run->uid = ms_arena_printf(&run->arena, "%016llx%016llx", (unsigned long long)hash[0],
				   (unsigned long long)hash[1]);
}

static int compare_ranks(const void *a, const void *b)
{
	return ms_cmp_u64(((const struct ms_run_rank *)a)->rank,
			  ((const struct ms_run_rank *)b)->rank);
}

static int check_doubles(const struct ms_ranks_files *files, const struct ms_run *run,
			 struct ms_err *err)
{
	for (size_t i = 1; i < run->rank_rows.n; i++) {
		const struct ms_run_rank *a = &run->rank_rows.at[i - 1], *b = a + 1;

		if (a->rank == b->rank)
			return ms_fail(err, MS_EFORMAT,
				       "%s: found two databases of rank %u, %s and %s; remove one",
				       files->folder, a->rank, a->file, b->file);
	}
	return MS_OK;
}

/* Ranks without a database. */
static void add_missing(const struct ms_ranks_files *files, struct ms_run *run)
{
	size_t n = run->rank_rows.n, at = 0;

	for (uint32_t rank = 0; rank < run->ranks; rank++) {
		if (at < n && run->rank_rows.at[at].rank == rank) {
			at++;
			continue;
		}
		bool off = ms_ranks_is_off(files->folder, rank);

		*ms_vec_add(&run->rank_rows) = (struct ms_run_rank){
			.rank = rank,
			.state = off ? MS_RANK_OFF : MS_RANK_MISSING,
			.end = MS_END_LOST,
			.cluster = MS_NONE,
		};
	}
	if (run->rank_rows.n > n && run->rank_rows.n > 1)
		qsort(run->rank_rows.at, run->rank_rows.n, sizeof(*run->rank_rows.at),
		      compare_ranks);
}

static int complete(const struct ms_ranks_files *files, const struct ms_ranks_options *options,
		    struct ms_run *run, struct ms_err *err)
{
	MS_TRY(check_doubles(files, run, err));
	if (is_empty(run)) {
		const char *reason = run->rank_rows.n > 0 ? run->rank_rows.at[0].reason : NULL;

		return ms_fail(err, MS_ENOENT, "%s: there is no complete run of job %s%s%s",
			       files->folder, files->job, reason != NULL ? ": " : "",
			       reason != NULL ? reason : "");
	}
	run->rank = run->local_rank = run->local_ranks = 0;
	run->folder = ms_arena_strdup(&run->arena, files->folder);
	ms_ranks_make_uid(run);
	if (!options->is_part)
		add_missing(files, run);
	ms_ranks_cluster(run);
	return MS_OK;
}

static void remove_folder(const char *folder)
{
	DIR *dir = opendir(folder);
	struct ms_text path = MS_TEXT_INIT;

	for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
		ms_text_clear(&path);
		ms_text_addf(&path, "%s/%s", folder, e->d_name);
		if (e->d_name[0] != '.')
			unlink(path.at);
	}
	if (dir != NULL)
		closedir(dir);
	rmdir(folder);
	ms_text_free(&path);
}

int ms_ranks_merge(const struct ms_ranks_files *files, const struct ms_ranks_options *options,
		   struct ms_run *merged, struct ms_err *err)
{
	bool has_leaves = options->parts != NULL;
	struct ms_text parts = MS_TEXT_INIT;

	ms_text_addf(&parts, has_leaves ? "%s" : "%s/.merge-%d",
		     has_leaves ? options->parts : files->folder, (int)getpid());
	mkdir(parts.at, 0700);
	int code = merge_tree(files, options, parts.at, has_leaves, merged, err);

	remove_folder(parts.at);
	ms_text_free(&parts);
	if (code == MS_OK) {
		code = complete(files, options, merged, err);
		if (code != MS_OK)
			ms_run_free(merged);
	}
	return code;
}
