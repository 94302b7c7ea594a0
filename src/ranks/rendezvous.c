/*
 * ranks/rendezvous.c - files by which ranks find out that they are the last. Each rank that has
 * finished creates a file; the ranks of a group of 128 share a folder, so that none lists the files
 * of all. Who sees its group complete tries to create the group's file, and who sees all groups
 * complete the job's: only one process can create a file with O_EXCL, on NFS, too. No rank waits
 * for another. If one does not finish, no report is made: `memspy merge` makes it.
 *
 *    FOLDER/.finished/GROUP/RANK   the rank has finished
 *    FOLDER/.finished/GROUP.all    all ranks of the group have
 *    FOLDER/.finished/merge        all have, and one has begun to merge
 *    FOLDER/RANK.off               the rank is not profiled
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "ranks/ranks.h"

enum { GROUP = 128 };
#define FINISHED ".finished"

static const char *name(struct ms_text *text, const char *folder, const char *rest)
{
	ms_text_clear(text);
	ms_text_addf(text, "%s/%s", folder, rest);
	return text->at;
}

static const char *group_name(struct ms_text *text, const char *folder, uint32_t group,
			      const char *suffix)
{
	ms_text_clear(text);
	ms_text_addf(text, "%s/" FINISHED "/%u%s", folder, group, suffix);
	return text->at;
}

static const char *rank_name(struct ms_text *text, const char *folder, uint32_t rank)
{
	ms_text_clear(text);
	ms_text_addf(text, "%s/" FINISHED "/%u/%u", folder, rank / GROUP, rank);
	return text->at;
}

/* False: it exists, or cannot be created. */
static bool create(const char *path)
{
	int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Those of numbers below `limit`, then the suffix: an earlier job that was killed may have left
 * more.
 */
static uint32_t count_files(const char *folder, const char *suffix, uint32_t limit)
{
	DIR *dir = opendir(folder);
	uint32_t n = 0;

	for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
		char *end;
		unsigned long number = strtoul(e->d_name, &end, 10);

		n += end != e->d_name && number < limit && strcmp(end, suffix) == 0;
	}
	if (dir != NULL)
		closedir(dir);
	return n;
}

static uint32_t count_groups(uint32_t ranks)
{
	return (ranks + GROUP - 1) / GROUP;
}

static uint32_t group_size(uint32_t group, uint32_t ranks)
{
	return group + 1 < count_groups(ranks) ? GROUP : ranks - group * GROUP;
}

void ms_ranks_begin(const char *folder, uint32_t rank)
{
	struct ms_text path = MS_TEXT_INIT;
	char off[32];

	unlink(rank_name(&path, folder, rank));
	unlink(group_name(&path, folder, rank / GROUP, ".all"));
	unlink(name(&path, folder, FINISHED "/merge"));
	snprintf(off, sizeof(off), "%u.off", rank);
	unlink(name(&path, folder, off));
	ms_text_free(&path);
}

bool ms_ranks_finish(const char *folder, uint32_t rank, uint32_t ranks)
{
	struct ms_text path = MS_TEXT_INIT;
	uint32_t group = rank / GROUP;
	bool last = false;

	mkdir(name(&path, folder, FINISHED), 0700);
	mkdir(group_name(&path, folder, group, ""), 0700);
	if (create(rank_name(&path, folder, rank)) &&
	    count_files(group_name(&path, folder, group, ""), "", ranks) >=
		    group_size(group, ranks) &&
	    create(group_name(&path, folder, group, ".all")) &&
	    count_files(name(&path, folder, FINISHED), ".all", count_groups(ranks)) >=
		    count_groups(ranks))
		last = create(name(&path, folder, FINISHED "/merge"));
	ms_text_free(&path);
	return last;
}

void ms_ranks_record_off(const char *folder, uint32_t rank, uint32_t ranks)
{
	struct ms_text path = MS_TEXT_INIT;
	char off[32];

	ms_ranks_begin(folder, rank);
	snprintf(off, sizeof(off), "%u.off", rank);
	create(name(&path, folder, off));
	if (ranks > 0)
		ms_ranks_finish(folder, rank, ranks);
	ms_text_free(&path);
}

bool ms_ranks_is_off(const char *folder, uint32_t rank)
{
	struct ms_text path = MS_TEXT_INIT;
	char off[32];

	snprintf(off, sizeof(off), "%u.off", rank);
	bool found = access(name(&path, folder, off), F_OK) == 0;

	ms_text_free(&path);
	return found;
}

void ms_ranks_end(const char *folder, uint32_t ranks)
{
	struct ms_text path = MS_TEXT_INIT;

	for (uint32_t rank = 0; rank < ranks; rank++)
		unlink(rank_name(&path, folder, rank));
	for (uint32_t group = 0; group < count_groups(ranks); group++) {
		unlink(group_name(&path, folder, group, ".all"));
		rmdir(group_name(&path, folder, group, ""));
	}
	unlink(name(&path, folder, FINISHED "/merge"));
	rmdir(name(&path, folder, FINISHED));
	ms_text_free(&path);
}
