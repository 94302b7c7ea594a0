/* proc_maps.c - reads /proc/self/maps, without the C library. */
#include "maps/proc_maps.h"

#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/libc_substitutes.h"
#include "wire/wire.h"

enum { AT_HERE = -100 }; /* AT_FDCWD */

/* Uses memspy's descriptor if the process has no /proc, as after chroot(): at the start of a stream
 * only. */
static long open_maps(void)
{
	long fd = ms_runtime_syscall(__NR_openat, AT_HERE, (long)"/proc/self/maps",
				     02000000 /* close on exec */, 0, 0, 0);

	return ms_runtime_is_error(fd) && ms_runtime_config.maps_fd >= 0
		       ? ms_runtime_syscall(__NR_dup, ms_runtime_config.maps_fd, 0, 0, 0, 0, 0)
		       : fd;
}

bool ms_maps_read_proc_maps(struct ms_maps_proc_maps *text)
{
	long fd = open_maps(), got = 1;

	*text = (struct ms_maps_proc_maps){ .size = 1 << 20 };
	text->at = ms_runtime_map_pages(text->size);
	while (fd >= 0 && text->at != NULL && got > 0) {
		if (text->n + 65536 > text->size) {
			char *wider = ms_runtime_map_pages(text->size * 2);

			if (wider == NULL)
				break;
			ms_runtime_copy_bytes(wider, text->at, text->n);
			ms_runtime_unmap_pages(text->at, text->size);
			text->at = wider;
			text->size *= 2;
		}
		got = ms_runtime_syscall(SYS_read, fd, (long)(text->at + text->n), 65536 - 1, 0, 0,
					 0);
		text->n += got > 0 ? (size_t)got : 0;
	}
	if (fd >= 0)
		ms_runtime_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
	return text->at != NULL && text->n > 0;
}

void ms_maps_free_proc_maps(struct ms_maps_proc_maps *text)
{
	ms_runtime_unmap_pages(text->at, text->size);
}

static uint64_t parse_hex(const char **at)
{
	uint64_t n = 0;

	for (;; (*at)++) {
		char c = **at;

		if (c >= '0' && c <= '9')
			n = n << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			n = n << 4 | (uint64_t)(c - 'a' + 10);
		else
			return n;
	}
}

/* "start-end rwxp offset dev inode path". */
const char *ms_maps_parse_proc_maps_line(const char *at, const char *end,
					 struct ms_maps_proc_maps_line *line)
{
	if (at >= end)
		return NULL;
	line->start = parse_hex(&at);
	at++;
	line->end = parse_hex(&at);
	line->write = at[2] == 'w';
	line->code = at[3] == 'x';
	line->shared = at[4] == 's';
	at += 6;
	line->offset = parse_hex(&at);
	line->file = 0;
	for (int field = 0; field < 3 && at < end && *at != '\n';) {
		line->file = (line->file ^ (uint8_t)*at) * UINT64_C(0x100000001b3);
		at++;
		field += *at == ' ';
	}
	line->file += line->offset - line->start;
	while (at < end && *at == ' ')
		at++;
	line->path = at;
	while (at < end && *at != '\n')
		at++;
	line->path_bytes = (uint32_t)(at - line->path);
	if (line->path_bytes > MS_WIRE_MAX_TEXT)
		line->path_bytes = MS_WIRE_MAX_TEXT;
	return at + 1;
}

bool ms_maps_has_path_prefix(const struct ms_maps_proc_maps_line *line, const char *name)
{
	size_t n = ms_runtime_get_text_length(name);

	return line->path_bytes >= n && ms_runtime_are_bytes_equal(line->path, name, n);
}

bool ms_maps_is_same_file(const struct ms_maps_proc_maps_line *a,
			  const struct ms_maps_proc_maps_line *b)
{
	return a->path_bytes == b->path_bytes &&
	       ms_runtime_are_bytes_equal(a->path, b->path, a->path_bytes);
}
