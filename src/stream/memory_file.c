#include "stream/memory_file.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

int ms_stream_grow_memory_file(int fd, uint64_t bytes)
{
	struct rlimit own;
	bool limited = getrlimit(RLIMIT_FSIZE, &own) == 0 && own.rlim_cur < bytes;

	/* Fails without trying, because the kernel would send SIGXFSZ. */
	if (limited && own.rlim_max < bytes) {
		errno = EFBIG;
		return -1;
	}
	if (limited)
		setrlimit(RLIMIT_FSIZE, &(struct rlimit){ bytes, own.rlim_max });
	int done = ftruncate(fd, (off_t)bytes);
	int why = errno;
	if (limited)
		setrlimit(RLIMIT_FSIZE, &own);
	errno = why;
	return done;
}
