/*
 * base/table.h - writes a table, as text for users or as CSV (RFC 4180) for programs.
 *
 * The calls are the same in both modes: columns, then cells, row after row, then ms_table_close().
 * A text table is as wide as its cells need. If that is more than `width`, optional columns are
 * dropped, as far as needed; then shrinkable columns shrink, the widest first, and their texts are
 * cut with an ellipsis, so that different texts of a column stay different (distinct_cuts.h). Heads
 * that are then ambiguous get numbers, and are listed in full below the
 * table. CSV has keys as its head and exact values: 12880000 where the text has 12.9M.
 */
#ifndef MS_BASE_TABLE_H
#define MS_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "base/vec.h"

enum ms_table_mode { MS_TABLE_TEXT, MS_TABLE_CSV };

enum ms_style { MS_STYLE_PLAIN, MS_STYLE_BOLD, MS_STYLE_DIM, MS_STYLE_WARM, MS_STYLE_HOT };

struct ms_table_column {
	const char *head; /* in text */
	const char *key;  /* in CSV */
	bool right;       /* aligned to the right, as numbers are */
	size_t least; /* may shrink to this width, further only if necessary; 0: may not shrink */
	enum ms_utf8_cut cut; /* which end of a text that does not fit is cut */
};

struct ms_table_cell {
	const char *text;
	enum ms_style style;
};

struct ms_table {
	FILE *out;
	enum ms_table_mode mode;
	size_t width;  /* of the terminal; 0: unlimited */
	size_t indent; /* spaces before every line of text */
	bool colour;
	struct ms_arena arena;
	MS_VEC(struct ms_table_column) columns;
	MS_VEC(unsigned) drop; /* one per column: 0: never; of the others the largest goes first */
	MS_VEC(struct ms_table_cell) cells;
};

void ms_table_open(struct ms_table *table, FILE *out, enum ms_table_mode mode, size_t width,
		   bool colour);
void ms_table_column(struct ms_table *table, struct ms_table_column column);

/* The column just added may be dropped from text that is too wide, larger ranks first. */
void ms_table_may_drop(struct ms_table *table, unsigned rank);

void ms_table_text(struct ms_table *table, const char *text); /* NULL: empty */
void ms_table_count(struct ms_table *table, uint64_t value);
void ms_table_size(struct ms_table *table, uint64_t bytes);
void ms_table_nanoseconds(struct ms_table *table, uint64_t ns);
void ms_table_real(struct ms_table *table, double value, int decimals);
/* Text shows tenths of a per cent, rounded by the caller so that a column adds up; CSV the exact
 * share. */
void ms_table_share(struct ms_table *table, uint32_t tenths, double exact);
/* A value that does not exist: "-" in text, empty in CSV. */
void ms_table_none(struct ms_table *table);
/* The style of the cell just added; visible only in coloured text. */
void ms_table_style(struct ms_table *table, enum ms_style style);

/* Writes the table and frees its memory. Write errors stay in the FILE. */
void ms_table_close(struct ms_table *table);

/* Escape sequences around styled text; "" when not coloured. */
const char *ms_style_on(enum ms_style style, bool colour);
const char *ms_style_off(enum ms_style style, bool colour);

#endif
