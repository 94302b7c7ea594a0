/* proc_maps.h - reads the mappings of the process from /proc/self/maps. */
#ifndef MS_NATIVE_MAPS_PROC_MAPS_H
#define MS_NATIVE_MAPS_PROC_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ms_maps_proc_maps_line {
	uint64_t start, end, offset;
	uint64_t file; /* identifies the file (device, inode) and the distance of its offset from
			  the address */
	bool write, code, shared;
	const char *path; /* "": none */
	uint32_t path_bytes;
};

/* The whole text, or as much as memory permits. */
struct ms_maps_proc_maps {
	char *at;
	size_t n, size;
};

/* False: it cannot be read. Must be freed in either case. */
bool ms_maps_read_proc_maps(struct ms_maps_proc_maps *text);
void ms_maps_free_proc_maps(struct ms_maps_proc_maps *text);
/* Returns the start of the next line; NULL: there was no further line. */
const char *ms_maps_parse_proc_maps_line(const char *at, const char *end,
					 struct ms_maps_proc_maps_line *line);

/* Whether its path begins with name. */
bool ms_maps_has_path_prefix(const struct ms_maps_proc_maps_line *line, const char *name);
bool ms_maps_is_same_file(const struct ms_maps_proc_maps_line *a,
			  const struct ms_maps_proc_maps_line *b);

#endif
