/*
 * views/html/packed.h - lists as tables in JSON: the names of the columns once, then a row of
 * figures for each entry. It is a tenth as long as an object an entry, and read ten times as fast.
 *
 *    ms_html_packed_open(&p, out);             {
 *    ms_html_packed_table(&p, "code");          "code": {"columns": [
 *    ms_html_packed_texts(&p, "name");            "name",
 *    ms_html_packed_column(&p, "line");           "line"], "text_columns": ["name"], "rows": [
 *    ms_html_packed_row(&p);                       [
 *    ms_html_packed_text(&p, "main");               0,
 *    ms_html_packed_u64(&p, 12);                    12
 *    ms_html_packed_end(&p);                       ]]},
 *    ms_html_packed_close(&p);                  "texts": ["main"]}
 *
 * Texts are numbers into the list at the end. Zeros at the end of a row are left out.
 * docs/formats/page-json.md describes the tables.
 */
#ifndef MS_VIEWS_HTML_PACKED_H
#define MS_VIEWS_HTML_PACKED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/compiler.h"
#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"

struct ms_html_packed {
	FILE *out;
	struct ms_names names;
	struct ms_map numbers; /* of names, by their address */
	MS_VEC(const char *) texts;
	struct ms_text text_columns; /* of the table at hand */
	unsigned zeros; /* that are not written yet: at the end of a row they never are */
	bool tables;    /* there is one already; likewise the next three */
	bool columns;
	bool rows;
	bool values;
};

void ms_html_packed_open(struct ms_html_packed *packed, FILE *out);
void ms_html_packed_close(struct ms_html_packed *packed);

void ms_html_packed_table(struct ms_html_packed *packed, const char *name);
void ms_html_packed_end(struct ms_html_packed *packed);
void ms_html_packed_column(struct ms_html_packed *packed, const char *fmt, ...) MS_PRINTF(2, 3);
/* A column of texts. */
void ms_html_packed_texts(struct ms_html_packed *packed, const char *name);

void ms_html_packed_row(struct ms_html_packed *packed);
void ms_html_packed_u64(struct ms_html_packed *packed, uint64_t value);
/* A whole row. */
void ms_html_packed_numbers(struct ms_html_packed *packed, const uint64_t *values, size_t n);
/* NaN and infinity are written as null. */
void ms_html_packed_real(struct ms_html_packed *packed, double value);
/* Likewise, with six digits, more than the page shows. */
void ms_html_packed_rounded(struct ms_html_packed *packed, double value);
/* NULL is null. */
void ms_html_packed_text(struct ms_html_packed *packed, const char *text);
void ms_html_packed_null(struct ms_html_packed *packed);

#endif
