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

#include <stdio.h>

/*
 * Opens path as open() does, with O_CREAT | O_CLOEXEC added to the flags; below 0: errno has the
 * reason.
 */
int ms_private_open(const char *path, int flags);
/* As fopen(path, "w"); NULL: errno has the reason. */
FILE *ms_private_fopen(const char *path);

#endif
