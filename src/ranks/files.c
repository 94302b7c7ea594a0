/* ranks/files.c - finds the databases of ranks: files *.db in the folder of the job and below. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/num.h"
#include "base/text.h"
#include "ranks/ranks_priv.h"

enum { MOST_DEPTH = 3 };

/* The digits before ".db": "all/n1-12.db" is of rank 12, if it is of one. */
static uint32_t rank_of(const char *path)
{
	const char *end = strrchr(path, '.');
	const char *at = end;
	uint64_t rank = 0;

	while (at > path && isdigit((unsigned char)at[-1]))
		at--;
	if (at == end || end - at > 9)
		return MS_NONE;
	for (; at < end; at++)
		rank = rank * 10 + (uint64_t)(*at - '0');
	return (uint32_t)rank;
}

static bool ends_in_db(const char *name)
{
	size_t n = strlen(name);

	return n > 3 && strcmp(name + n - 3, ".db") == 0;
}

static void add_folder(struct ms_ranks_files *files, const char *below, int depth)
{
	struct ms_text path = MS_TEXT_INIT;

	ms_text_addf(&path, "%s/%s", files->folder, below);
	DIR *dir = opendir(path.at);

	for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
		if (e->d_name[0] == '.')
			continue;
		const char *found = ms_arena_printf(&files->arena, "%s%s%s", below,
						    below[0] != '\0' ? "/" : "", e->d_name);
		struct stat st;

		if (ends_in_db(e->d_name)) {
			*ms_vec_add(&files->at) =
				(struct ms_ranks_file){ .path = found, .rank = rank_of(found) };
			continue;
		}
		ms_text_clear(&path);
		ms_text_addf(&path, "%s/%s", files->folder, found);
		if (depth < MOST_DEPTH && strchr(e->d_name, '.') == NULL &&
		    stat(path.at, &st) == 0 && S_ISDIR(st.st_mode))
			add_folder(files, found, depth + 1);
	}
	if (dir != NULL)
		closedir(dir);
	ms_text_free(&path);
}

static int compare(const void *a, const void *b)
{
	const struct ms_ranks_file *x = a, *y = b;
	int order = ms_cmp_u64(x->rank, y->rank);

	return order != 0 ? order : strcmp(x->path, y->path);
}

int ms_ranks_open(const struct ms_ranks_files *files, const char *file, struct ms_store **store,
		  struct ms_err *err)
{
	struct ms_text path = MS_TEXT_INIT;

	ms_text_addf(&path, "%s/%s", files->folder, file);
	int code = ms_store_open(store, path.at, MS_STORE_READ, err);

	ms_text_free(&path);
	return code;
}

int ms_ranks_find_files(struct ms_ranks_files *files, const char *folder, const char *job,
			struct ms_err *err)
{
	struct stat st;

	*files = (struct ms_ranks_files){ .folder = folder };
	if (stat(folder, &st) != 0)
		return ms_fail_errno(err, "%s: could not open the folder of a job", folder);
	if (!S_ISDIR(st.st_mode))
		return ms_fail(err, MS_EUSAGE,
			       "%s: found a file, expected the folder of a job's databases",
			       folder);
	files->folder = ms_arena_strdup(&files->arena, folder);
	add_folder(files, "", 0);
	if (files->at.n > 1)
		qsort(files->at.at, files->at.n, sizeof(*files->at.at), compare);
	size_t n = files->at.n;

	ms_ranks_choose_runs(files, job);
	if (files->job != NULL)
		return MS_OK;
	ms_ranks_files_free(files);
	if (n > 0)
		return ms_fail(
			err, MS_ENOENT,
			"%s: found %zu database%s without the run of a rank: no launcher has "
			"started it, it could not be saved, or it was killed before the "
			"first checkpoint (--checkpoint SECONDS)",
			folder, n, n == 1 ? "" : "s");
	return ms_fail(err, MS_ENOENT,
		       "%s: found no database of a rank; `mpirun -n 8 memspy run PROGRAM` makes "
		       "%s/JOB/RANK.db",
		       folder, "memspy.d");
}

void ms_ranks_list_merged(struct ms_ranks_files *files, const struct ms_run *run,
			  ms_ranks_is_wanted *is_wanted, const void *arg)
{
	*files = (struct ms_ranks_files){ .folder = run->folder, .job = run->job };
	for (size_t i = 0; i < run->rank_rows.n; i++) {
		const struct ms_run_rank *r = &run->rank_rows.at[i];

		if (r->state != MS_RANK_MERGED || r->file == NULL || !is_wanted(r, arg))
			continue;
		*ms_vec_add(&files->at) = (struct ms_ranks_file){
			.path = ms_arena_strdup(&files->arena, r->file),
			.rank = r->rank,
			.uid = ms_arena_strdup(&files->arena, r->uid),
		};
	}
}

void ms_ranks_files_free(struct ms_ranks_files *files)
{
	ms_vec_free(&files->at);
	ms_vec_free(&files->others);
	ms_arena_free(&files->arena);
}
