/* mapped.h - reads the mappings of the process from /proc/self/maps. */
#ifndef MS_NATIVE_MAPPED_H
#define MS_NATIVE_MAPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ms_mapped_line {
	uint64_t start, end, offset;
	uint64_t file; /* identifies the file (device, inode) and the distance of its offset from
			  the address */
	bool write, code, shared;
	const char *path; /* "": none */
	uint32_t path_bytes;
};

/* The whole text, or as much as memory permits. */
struct ms_mapped {
	char *at;
	size_t n, size;
};

/* False: it cannot be read. Must be freed in either case. */
bool ms_mapped_read(struct ms_mapped *text);
void ms_mapped_free(struct ms_mapped *text);
/* Returns the start of the next line; NULL: there was no further line. */
const char *ms_mapped_next(const char *at, const char *end, struct ms_mapped_line *line);

/* Whether its path begins with name. */
bool ms_mapped_has_name(const struct ms_mapped_line *line, const char *name);
bool ms_mapped_same_file(const struct ms_mapped_line *a, const struct ms_mapped_line *b);

#endif
