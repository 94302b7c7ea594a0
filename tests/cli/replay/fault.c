/*
 * Preloaded into memspy: from the write number FAULT_AT on, counted from 0, the disk is full
 * (FAULT=full), or the process is killed there (FAULT=kill). SQLite writes with pwrite64.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static long written;

static ssize_t write_at(const char *name, int fd, const void *bytes, size_t n, off_t at)
{
	ssize_t (*really)(int, const void *, size_t, off_t);
	const char *from = getenv("FAULT_AT");

	if (from != NULL && written++ >= atol(from)) {
		if (strcmp(getenv("FAULT"), "kill") == 0)
			raise(SIGKILL);
		errno = ENOSPC;
		return -1;
	}
	*(void **)&really = dlsym(RTLD_NEXT, name);
	return really(fd, bytes, n, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at)
{
	return write_at("pwrite", fd, bytes, n, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t n, off_t at)
{
	return write_at("pwrite64", fd, bytes, n, at);
}
