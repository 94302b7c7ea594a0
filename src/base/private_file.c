#include "base/private_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

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
