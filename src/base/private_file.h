/*
 * base/private_file.h - creates files that only their owner may read.
 *
 * Run databases, reports and traces hold command lines, paths, variables of the environment and
 * source text. A new file gets mode 0600, unless its directory is shared on purpose: with a
 * set-group-ID bit the group may use it as far as the umask allows (0660), with a default ACL those
 * whom the ACL names. An existing file keeps its mode.
 */
#ifndef MS_BASE_PRIVATE_FILE_H
#define MS_BASE_PRIVATE_FILE_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Opens path as open() does, with O_CREAT | O_CLOEXEC added to the flags; below 0: errno has the
 * reason.
 */
int ms_private_open(const char *path, int flags);
/* As fopen(path, "w"); NULL: errno has the reason. */
FILE *ms_private_fopen(const char *path);

/*
 * A file that appears under its name, or replaces an older one, only when all of it is written: it
 * is written under another name in the same directory. The new file keeps the mode and the group of
 * the older one; a symbolic link leads to the new file, too. What cannot be replaced without a loss
 * is written in place: devices, FIFOs, files with several names, of another user, with an ACL or
 * mounted, and those in directories that cannot be written.
 */
struct ms_private_replacement {
	FILE *file;
	char *temporary; /* NULL: written in place */
	char *target;
};

/* Below 0: errno has the reason. */
int ms_private_replace(struct ms_private_replacement *r, const char *path);
/* Closes the file. keep: it gets its name; else, and on failure (below 0), an older file stays. */
int ms_private_end_replace(struct ms_private_replacement *r, bool keep);

#endif
