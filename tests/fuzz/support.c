#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/fuzz.h"

void fuzz_fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	abort();
}

void fuzz_file_make(struct fuzz_file *file, const void *bytes, size_t n)
{
	file->fd = memfd_create("memspy-fuzz", MFD_CLOEXEC);
	if (file->fd < 0 || (n > 0 && write(file->fd, bytes, n) != (ssize_t)n))
		fuzz_fail("cannot make a file of %zu bytes", n);
	snprintf(file->path, sizeof(file->path), "/proc/self/fd/%d", file->fd);
}

void fuzz_file_close(struct fuzz_file *file)
{
	close(file->fd);
}

uint64_t fuzz_take(struct fuzz_input *in, unsigned bytes)
{
	uint64_t value = 0;
	size_t n = bytes < in->n ? bytes : in->n;

	memcpy(&value, in->at, n);
	in->at += n;
	in->n -= n;
	return value;
}

static void patch_one(uint8_t *bytes, size_t n, struct fuzz_input *in)
{
	unsigned what = (unsigned)fuzz_take(in, 1);
	uint8_t spare = (uint8_t)fuzz_take(in, 1);
	uint64_t offset = fuzz_take(in, 2);
	int64_t value = (int32_t)fuzz_take(in, 4);
	size_t at = n > 65536 ? (size_t)(offset * (n >> 16) + spare % (n >> 16)) : offset % n;
	size_t width = what == 1 || what == 2 || what == 4 || what == 8 ? what : 0;

	if (width == 0)
		bytes[at] ^= (uint8_t)(1u << (what & 7));
	else
		memcpy(bytes + at, &value, width < n - at ? width : n - at);
}

void fuzz_patch(uint8_t *bytes, size_t n, struct fuzz_input *in)
{
	while (n > 0 && in->n > 0)
		patch_one(bytes, n, in);
}

const struct ms_machine *fuzz_machine(void)
{
	static struct ms_machine_level levels[] = {
		{ .name = "L1", .size = 512, .ways = 2, .line = 64, .processors = 1 },
		{ .name = "L2", .size = 6144, .ways = 3, .line = 128, .latency = 10 },
	};
	static struct ms_machine machine = { .name = "fuzz",
					     .text = "fuzz",
					     .origin = "made up",
					     .processors = 1,
					     .memory_latency = 100,
					     .memory_latency_origin = "made up",
					     .levels = { levels, MS_COUNT(levels),
							 MS_COUNT(levels) } };

	return &machine;
}
