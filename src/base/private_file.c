#include "base/private_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"

/* The mode before the kernel applies the umask or the default ACL of the directory. */
static mode_t mode_for(const char *directory)
{
	struct stat about;

	if (getxattr(directory, "system.posix_acl_default", NULL, 0) > 0)
		return 0666;
	return stat(directory, &about) == 0 && (about.st_mode & S_ISGID) != 0 ? 0660 : 0600;
}

int ms_private_open(const char *path, int flags)
{
	struct ms_text directory = MS_TEXT_INIT;

	ms_text_add_n(&directory, path, (size_t)(ms_base_name(path) - path));
	mode_t mode = mode_for(directory.n > 0 ? directory.at : ".");
	ms_text_free(&directory);
	return open(path, flags | O_CREAT | O_CLOEXEC, mode);
}

FILE *ms_private_fopen(const char *path)
{
	int fd = ms_private_open(path, O_WRONLY | O_TRUNC);
	FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;

	if (file == NULL && fd >= 0) {
		int why = errno;

		close(fd);
		errno = why;
	}
	return file;
}

/* --- files that replace others when they are complete --- */

static bool is_mounted(const char *path)
{
#ifdef STATX_ATTR_MOUNT_ROOT
	struct statx about;

	return statx(AT_FDCWD, path, 0, STATX_BASIC_STATS, &about) == 0 &&
	       (about.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
#else
	(void)path;
	return false;
#endif
}

/* Whether a new file under the name of this one differs in its contents only. */
static bool is_replaceable(const char *path, const struct stat *old)
{
	return S_ISREG(old->st_mode) && old->st_nlink == 1 && old->st_uid == geteuid() &&
	       access(path, W_OK) == 0 && getxattr(path, "system.posix_acl_access", NULL, 0) <= 0 &&
	       !is_mounted(path);
}

/* "page.html.123.new"; -1: errno has the reason. */
static int open_beside(const char *target, char **temporary)
{
	enum { MOST_TRIES = 100 };
	struct ms_text name = MS_TEXT_INIT;
	int fd = -1;

	errno = EEXIST; /* left by a process that was killed */
	for (int i = 0; i < MOST_TRIES && fd < 0 && errno == EEXIST; i++) {
		ms_text_clear(&name);
		ms_text_addf(&name, "%s.%ld.new", target, (long)getpid() + i);
		fd = ms_private_open(name.at, O_WRONLY | O_EXCL);
	}
	*temporary = fd >= 0 ? ms_strdup(name.at) : NULL;
	int why = errno;
	ms_text_free(&name);
	errno = why;
	return fd;
}

static void drop_temporary(struct ms_private_replacement *r)
{
	if (r->temporary != NULL)
		unlink(r->temporary);
	ms_free(r->temporary);
	ms_free(r->target);
	*r = (struct ms_private_replacement){ .file = NULL };
}

static bool take_attributes(int fd, const struct stat *old)
{
	struct stat own;

	return fstat(fd, &own) == 0 &&
	       (own.st_gid == old->st_gid || fchown(fd, (uid_t)-1, old->st_gid) == 0) &&
	       fchmod(fd, old->st_mode & 07777) == 0;
}

static int open_in_place(struct ms_private_replacement *r, const char *path)
{
	r->file = ms_private_fopen(path);
	return r->file != NULL ? 0 : -1;
}

int ms_private_replace(struct ms_private_replacement *r, const char *path)
{
	struct stat old;
	bool exists = lstat(path, &old) == 0;

	*r = (struct ms_private_replacement){ .file = NULL };
	/* A link to a file that does not exist yet has no other name to write to. */
	if (exists && (stat(path, &old) != 0 || !is_replaceable(path, &old)))
		return open_in_place(r, path);
	char *real = exists ? realpath(path, NULL) : NULL;
	r->target = ms_strdup(real != NULL ? real : path);
	free(real);
	int fd = open_beside(r->target, &r->temporary);
	if (fd >= 0 && (!exists || take_attributes(fd, &old)))
		r->file = fdopen(fd, "w");
	if (r->file != NULL)
		return 0;
	int why = errno;
	if (fd >= 0)
		close(fd);
	drop_temporary(r);
	errno = why;
	/* The directory refuses another name, or the group cannot be kept. */
	if (why == EACCES || why == EPERM || why == EROFS || why == ENAMETOOLONG)
		return open_in_place(r, path);
	return -1;
}

int ms_private_end_replace(struct ms_private_replacement *r, bool keep)
{
	/* Some file systems find out only now that the disk is full. */
	int code = fclose(r->file);

	if (r->temporary != NULL && keep && code == 0) {
		code = rename(r->temporary, r->target);
		if (code == 0) {
			ms_free(r->temporary);
			r->temporary = NULL;
		}
	}
	int why = errno;
	drop_temporary(r);
	errno = why;
	return code == 0 ? 0 : -1;
}
