/* libc_substitutes.c - the few functions that libc would provide: copying, comparing, pages, a line
 * of log. */
#include "runtime/libc_substitutes.h"

#include <stdarg.h>

#include "raw_syscall.h"

/* The compiler emits calls of these, whatever its options. */
void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
void *memmove(void *to, const void *from, size_t n);
int memcmp(const void *a, const void *b, size_t n);

void *memcpy(void *to, const void *from, size_t n)
{
	uint8_t *t = to;
	const uint8_t *f = from;

	for (; n >= 8; n -= 8, t += 8, f += 8)
		*(uint64_t *)t = *(const uint64_t *)f;
	while (n-- > 0)
		*t++ = *f++;
	return to;
}

void *memset(void *to, int byte, size_t n)
{
	uint64_t word = (uint8_t)byte * UINT64_C(0x0101010101010101);
	uint8_t *t = to;

	for (; n >= 8; n -= 8, t += 8)
		*(uint64_t *)t = word;
	while (n-- > 0)
		*t++ = (uint8_t)byte;
	return to;
}

void *memmove(void *to, const void *from, size_t n)
{
	uint8_t *t = to;
	const uint8_t *f = from;

	if (t <= f)
		return memcpy(to, from, n);
	while (n-- > 0)
		t[n] = f[n];
	return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const uint8_t *x = a, *y = b;

	for (; n > 0 && *x == *y; n--, x++, y++)
		;
	return n == 0 ? 0 : *x - *y;
}

size_t ms_runtime_get_text_length(const char *text)
{
	size_t n = 0;

	while (text[n] != '\0')
		n++;
	return n;
}

bool ms_runtime_are_bytes_equal(const void *a, const void *b, size_t n)
{
	return memcmp(a, b, n) == 0;
}

bool ms_runtime_are_texts_equal(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b)
		a++, b++;
	return *a == *b;
}

bool ms_runtime_has_prefix(const char *text, const char *prefix)
{
	size_t n = ms_runtime_get_text_length(prefix);

	for (size_t i = 0; i < n; i++)
		if (text[i] != prefix[i])
			return false;
	return true;
}

bool ms_runtime_has_file_name_prefix(const char *path, const char *prefix)
{
	const char *name = path;

	for (const char *c = path; *c != '\0'; c++)
		if (*c == '/')
			name = c + 1;
	return ms_runtime_has_prefix(name, prefix);
}

void ms_runtime_copy_bytes(void *to, const void *from, size_t n)
{
	memcpy(to, from, n);
}

/*
 * The kernel puts a mapping below the last one. Mappings of memspy would move the program's, and
 * differently in a whole, a sampled and an idle run. A program may then request memory at other
 * moments (an arena of CPython holds less if it does not begin at a multiple of 16 KiB). So memspy
 * chooses addresses round-robin, after the stream's (lanes.c); where an address is in use, the
 * kernel chooses.
 */
uint64_t ms_runtime_choose_address(uint64_t bytes)
{
	enum { SMALL = 64 << 10, LARGE = 2 << 20 }; /* the largest page, a huge one */
	static const uint64_t from = UINT64_C(1) << 37, room = UINT64_C(1) << 37;
	static uint64_t used;
	uint64_t unit = bytes < LARGE ? SMALL : LARGE;
	uint64_t was =
		__atomic_fetch_add(&used, (bytes + 2 * unit - 1) & ~(unit - 1), __ATOMIC_SEQ_CST);

	return from + ((was + unit - 1) & ~(unit - 1)) % room;
}

void *ms_runtime_map_pages(size_t bytes)
{
	long at = ms_runtime_syscall(SYS_mmap, (long)ms_runtime_choose_address(bytes), (long)bytes,
				     3 /* read, write */, 0x22 /* private, anonymous */, -1, 0);

	return ms_runtime_is_error(at) ? NULL : (void *)at;
}

/* Many small pages with random accesses cause TLB misses, which in a virtual machine cost twice. If
 * the kernel lacks one of these calls, or huge pages, the small pages stay. */
const void *ms_runtime_map_file(const char *path, uint64_t *size)
{
	enum { HERE = -100, CLOEXEC = 02000000, END = 2 };
	long fd = ms_runtime_syscall(__NR_openat, HERE, (long)path, CLOEXEC, 0, 0, 0);

	if (fd < 0)
		return NULL;
	long bytes = ms_runtime_syscall(__NR_lseek, fd, 0, END, 0, 0, 0);
	long at = bytes <= 0 ? -1
			     : ms_runtime_syscall(SYS_mmap,
						  (long)ms_runtime_choose_address((uint64_t)bytes),
						  bytes, 1 /* read */, 2 /* private */, fd, 0);
	ms_runtime_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
	if (ms_runtime_is_error(at))
		return NULL;
	*size = (uint64_t)bytes;
	return (const void *)at;
}

void ms_runtime_use_huge_pages(void *at, size_t bytes)
{
	enum { HUGE_PAGES = 14, COLLAPSE = 25 }; /* as in <sys/mman.h> */

	ms_runtime_syscall(__NR_madvise, (long)at, (long)bytes, HUGE_PAGES, 0, 0, 0);
	ms_runtime_syscall(__NR_madvise, (long)at, (long)bytes, COLLAPSE, 0, 0, 0);
}

void ms_runtime_unmap_pages(void *at, size_t bytes)
{
	if (at != NULL)
		ms_runtime_syscall(SYS_munmap, (long)at, (long)bytes, 0, 0, 0, 0);
}

size_t ms_runtime_format_number(char *to, uint64_t n, uint32_t base)
{
	char digits[24];
	size_t count = 0;

	do
		digits[count++] = "0123456789abcdef"[n % base];
	while ((n /= base) != 0);
	for (size_t i = 0; i < count; i++)
		to[i] = digits[count - 1 - i];
	return count;
}

static char *log_at;
static uint32_t log_bytes, log_used;

/* The log is mapped, so that no descriptor stays open in the program. */
void ms_runtime_open_log(int fd)
{
	enum { LOG_BYTES = 32768 };
	long at = ms_runtime_syscall(SYS_mmap, (long)ms_runtime_choose_address(LOG_BYTES),
				     LOG_BYTES, 3, 1 /* shared */, fd, 0);

	if (ms_runtime_is_error(at))
		return;
	log_at = (char *)at;
	log_bytes = LOG_BYTES - 1;
	log_used = 0;
}

void ms_runtime_close_log(void)
{
	log_bytes = 0;
}

void ms_runtime_log_message(const char *format, ...)
{
	char line[512];
	size_t n = 0;
	va_list args;

	va_start(args, format);
	for (; *format != '\0' && n < sizeof(line) - 32; format++) {
		if (*format != '%') {
			line[n++] = *format;
			continue;
		}
		format++;
		if (*format == 's') {
			for (const char *s = va_arg(args, const char *);
			     *s != '\0' && n < sizeof(line) - 32;)
				line[n++] = *s++;
		} else {
			n += ms_runtime_format_number(line + n, va_arg(args, uint64_t),
						      *format == 'x' ? 16 : 10);
		}
	}
	va_end(args);
	line[n++] = '\n';
	uint32_t to = __atomic_fetch_add(&log_used, (uint32_t)n, __ATOMIC_SEQ_CST);
	if (to + n <= log_bytes)
		ms_runtime_copy_bytes(log_at + to, line, n);
}
