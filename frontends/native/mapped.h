/* mapped.h - /proc/self/maps, line by line: what is mapped into the process. */
#ifndef MS_NATIVE_MAPPED_H
#define MS_NATIVE_MAPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ms_mapped_line {
	uint64_t start, end, offset;
	uint64_t file; /* which it is, by device and number, and how far from its address it is */
	bool write, code, shared;
	const char *path; /* "" where there is none */
	uint32_t path_bytes;
};

/* The whole file, or as much as there is memory for. */
struct ms_mapped {
	char *at;
	size_t n, size;
};

/* False: there is nothing to read. To be freed in either case. */
bool ms_mapped_read(struct ms_mapped *text);
void ms_mapped_free(struct ms_mapped *text);
/* Returns where the next line starts, NULL: this was behind the last. */
const char *ms_mapped_next(const char *at, const char *end, struct ms_mapped_line *line);

/* Whether its path begins so. */
bool ms_mapped_has_name(const struct ms_mapped_line *line, const char *name);
bool ms_mapped_same_file(const struct ms_mapped_line *a, const struct ms_mapped_line *b);

#endif
