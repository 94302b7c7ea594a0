/*
 * ranks/jobs.c - which runs in the databases of a folder are those of one job. Launchers use the
 * numbers of jobs again: the number alone does not say. From the rank that began last backwards,
 * runs are of its job as long as no rank comes twice, and as long as they ran at the same time, but
 * for the difference of the nodes' clocks. Runs of a job with another number of ranks are of
 * another one, too. A run is meant by its uid, as a database may have several of one rank.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/map.h"
#include "base/num.h"
#include "ranks/ranks_priv.h"

/* Ranks of a job begin within minutes, and clocks of nodes differ by seconds. */
static const double most_pause = 300;

struct found_run {
	size_t file;
	size_t newer; /* runs of the same database that were stored later */
	struct ms_store_rank_run run;
};

struct found_runs {
	MS_VEC(struct found_run) at;
};

static void read_file(struct ms_ranks_files *files, size_t file, struct found_runs *found)
{
	struct ms_ranks_file *f = &files->at.at[file];
	struct ms_store_rank_runs runs = { MS_VEC_INIT };
	struct ms_store *store;
	struct ms_err err;
	int code = ms_ranks_open(files, f->path, &store, &err);

	if (code == MS_OK)
		code = ms_store_list_rank_runs(store, &runs, &files->arena, &err);
	ms_store_close(store);
	if (code != MS_OK)
		f->damage = ms_arena_strdup(&files->arena, err.text);
	for (size_t i = 0; i < runs.at.n && code == MS_OK; i++)
		*ms_vec_add(&found->at) =
			(struct found_run){ file, runs.at.n - 1 - i, runs.at.at[i] };
	ms_vec_free(&runs.at);
}

/* Newest first. */
static int compare(const void *a, const void *b)
{
	const struct found_run *x = a, *y = b;

	if (x->run.began != y->run.began)
		return x->run.began > y->run.began ? -1 : 1;
	if (x->newer != y->newer)
		return ms_cmp_u64(x->newer, y->newer);
	return ms_cmp_u64(x->file, y->file);
}

static void add_other(struct ms_ranks_files *files, const char *job)
{
	for (size_t i = 0; i < files->others.n; i++)
		if (strcmp(files->others.at[i], job) == 0)
			return;
	*ms_vec_add(&files->others) = job;
}

/* Whether the rank came before, with another run: the same one twice is a copied database. */
static bool is_second(struct ms_map *ranks, const struct found_runs *found, size_t i)
{
	uint32_t *first = ms_map_at(ranks, found->at.at[i].run.rank, 0);

	if (*first == MS_MAP_NONE)
		*first = (uint32_t)i;
	return strcmp(found->at.at[*first].run.uid, found->at.at[i].run.uid) != 0;
}

/* The number of runs, newest first, among which are all of the newest job: it is the first one's.
 */
static size_t find_end(const struct found_runs *found, const char *job, uint32_t ranks)
{
	struct ms_map seen = { NULL, 0, 0 };
	double began = 0;
	bool any = false;
	size_t i;

	for (i = 0; i < found->at.n; i++) {
		const struct ms_store_rank_run *r = &found->at.at[i].run;

		if (strcmp(r->job, job) != 0 || r->ranks != ranks)
			continue;
		if (any && (r->ended + most_pause < began || is_second(&seen, found, i)))
			break;
		if (!any)
			is_second(&seen, found, i);
		any = true;
		began = r->began;
	}
	ms_map_free(&seen);
	return i;
}

static void choose(struct ms_ranks_files *files, const struct found_runs *found, uint32_t ranks)
{
	size_t end = find_end(found, files->job, ranks);

	for (size_t i = 0; i < found->at.n; i++) {
		const struct found_run *f = &found->at.at[i];
		const char **uid = &files->at.at[f->file].uid;

		if (strcmp(f->run.job, files->job) != 0)
			add_other(files, f->run.job);
		else if (i < end && f->run.ranks == ranks && *uid == NULL)
			*uid = f->run.uid;
	}
}

static void describe_earlier(struct ms_ranks_files *files, const struct ms_store_rank_run *run)
{
	time_t began = (time_t)run->began;
	char text[64];
	struct tm utc;

	files->earlier.ranks = run->ranks;
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&began, &utc));
	files->earlier.started = ms_arena_strdup(&files->arena, text);
}

/* Databases that have runs of the job's number, but none of the job. */
static void count_earlier(struct ms_ranks_files *files, const struct found_runs *found)
{
	for (size_t i = 0; i < found->at.n; i++) {
		const struct found_run *f = &found->at.at[i];

		if (f->newer != 0 || files->at.at[f->file].uid != NULL ||
		    strcmp(f->run.job, files->job) != 0)
			continue;
		if (files->earlier.files++ == 0)
			describe_earlier(files, &f->run);
	}
}

/* Of those that cannot be read, the name says the rank. */
static void remove_others(struct ms_ranks_files *files, uint32_t ranks)
{
	size_t n = 0;

	for (size_t i = 0; i < files->at.n; i++) {
		const struct ms_ranks_file *f = &files->at.at[i];

		if (f->uid != NULL || (f->damage != NULL && (ranks == 0 || f->rank < ranks)))
			files->at.at[n++] = *f;
	}
	files->at.n = n;
}

void ms_ranks_choose_runs(struct ms_ranks_files *files, const char *job)
{
	struct found_runs found = { MS_VEC_INIT };
	uint32_t ranks = 0;

	for (size_t i = 0; i < files->at.n; i++)
		read_file(files, i, &found);
	if (found.at.n > 1)
		qsort(found.at.at, found.at.n, sizeof(*found.at.at), compare);
	if (job != NULL)
		files->job = ms_arena_strdup(&files->arena, job);
	for (size_t i = 0; i < found.at.n; i++) {
		const struct ms_store_rank_run *r = &found.at.at[i].run;

		if (files->job != NULL && strcmp(r->job, files->job) != 0)
			continue;
		files->job = r->job;
		ranks = r->ranks;
		break;
	}
	if (files->job != NULL) {
		choose(files, &found, ranks);
		count_earlier(files, &found);
		remove_others(files, ranks);
	}
	ms_vec_free(&found.at);
}
