/*
 * views/source.h - a source file as it is now, which need not be what the program was built from.
 *
 * Paths come from debug information and from databases that other people made: only plain files of
 * a sane size are read, and nothing that goes wrong here is an error: the report says so.
 */
#ifndef MS_VIEWS_SOURCE_H
#define MS_VIEWS_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vec.h"

enum ms_views_source_age {
	MS_VIEWS_SOURCE_SAME,        /* nothing says that it was changed */
	MS_VIEWS_SOURCE_AFTER_BUILD, /* newer than the program or library, which is older than the
					run */
	MS_VIEWS_SOURCE_AFTER_RUN,   /* newer than the run */
};

struct ms_views_source {
	char *path; /* what was read; NULL: nothing */
	char *text;
	MS_VEC(size_t) starts; /* of its lines in text */
	size_t size;
	const char *trouble; /* why it could not be read; NULL: it was */
	enum ms_views_source_age age;
};

struct ms_views_source_where {
	const char *path;           /* as debug information has it */
	const char *const *folders; /* looked into when there is no such file: with the whole path
				       appended, then with ever fewer of its folders */
	size_t n_folders;
	const char *module;  /* that was built from it; NULL: unknown */
	const char *started; /* of the run: "2026-11-15T10:31:02Z" */
};

void ms_views_source_read(struct ms_views_source *source,
			  const struct ms_views_source_where *where);
void ms_views_source_free(struct ms_views_source *source);

/* How many lines it has. */
size_t ms_views_source_lines(const struct ms_views_source *source);
/* Replaces *out by line `number` (from 1), without its end; false where there is no such line. */
bool ms_views_source_line(const struct ms_views_source *source, uint32_t number,
			  struct ms_text *out);

#endif
