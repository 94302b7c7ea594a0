/*
 * memspy_files.c - the files that are mapped for memspy only.
 *
 * The loader searches them, too, when it looks up the program's symbols, and calls their
 * constructors. Without memspy, the program would not have these references. They must not be shown
 * as data of its own.
 */
#include "maps/memspy_files.h"

#include "maps/dynamic_loader.h"
#include "runtime/libc_substitutes.h"
#include "wire/wire.h"

enum { MOST_FILES = 4 };

static struct memspy_file {
	char path[MS_WIRE_MAX_TEXT];
	uint32_t bytes;
} files[MOST_FILES];
static uint32_t count;

static void add_file(const struct ms_maps_proc_maps_line *line)
{
	struct memspy_file *file = &files[count];

	if (count == MOST_FILES || line->path[0] != '/' || ms_maps_is_memspy_file(line))
		return;
	ms_runtime_copy_bytes(file->path, line->path, line->path_bytes);
	file->bytes = line->path_bytes;
	count++;
}

void ms_maps_find_memspy_files(const struct ms_maps_proc_maps *text)
{
	struct ms_maps_proc_maps_line line;
	const char *end = text->at + text->n;

	for (const struct ms_maps_loaded_object *link = ms_maps_get_first_object(); link != NULL;
	     link = link->next) {
		if (!ms_maps_is_only_for_memspy(link))
			continue;
		for (const char *at = text->at;
		     (at = ms_maps_parse_proc_maps_line(at, end, &line)) != NULL;)
			if ((uint64_t)link->dynamic - line.start < line.end - line.start)
				add_file(&line);
	}
}

bool ms_maps_is_memspy_file(const struct ms_maps_proc_maps_line *line)
{
	for (uint32_t i = 0; i < count; i++)
		if (files[i].bytes == line->path_bytes &&
		    ms_runtime_are_bytes_equal(files[i].path, line->path, line->path_bytes))
			return true;
	return false;
}
