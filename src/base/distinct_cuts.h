/* base/distinct_cuts.h - cuts texts of a column so that different ones stay different. */
#ifndef MS_BASE_DISTINCT_CUTS_H
#define MS_BASE_DISTINCT_CUTS_H

#include <stddef.h>

#include "base/arena.h"
#include "base/utf8.h"

/*
 * Replaces those of the n texts that would look alike after cutting to a width. Others stay as they
 * are; the caller cuts them. NULL texts are ignored.
 */
void ms_table_cut_distinctly(struct ms_arena *arena, const char **texts, size_t n, size_t width,
			     enum ms_utf8_cut cut);

#endif
