/*
 * base/utf8.h - texts as terminals show them.
 *
 * Names come from other people's programs and may hold anything: control characters are shown as C
 * writes them (\n, \x1b), broken UTF-8 as a replacement character, so that a name can neither
 * garble nor steer a terminal, and one can see what it holds.
 */
#ifndef MS_BASE_UTF8_H
#define MS_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define MS_UTF8_BAD UINT32_MAX

/* Only ASCII is shown, all else as '?': for terminals that know no UTF-8. */
extern bool ms_utf8_ascii;

/* The character at *p, which moves behind it; 0 at the end; MS_UTF8_BAD for a broken byte. */
uint32_t ms_utf8_next(const char **p);
/* Columns that a text takes on a terminal. */
size_t ms_utf8_width(const char *text);

/*
 * Which end of a text is given up when it does not fit; of a command line the folder of the
 * program, then the end.
 */
enum ms_cut { MS_CUT_END, MS_CUT_START, MS_CUT_FOLDER };

/* Adds text to *out with control characters as C writes them ("\\n", "\\x1b"); all else as it is.
 */
void ms_utf8_escape(struct ms_text *out, const char *text);
/* Adds text to *out, made safe to show, in at most `width` columns; an ellipsis marks a cut. */
void ms_utf8_fit(struct ms_text *out, const char *text, size_t width, enum ms_cut cut);

#endif
