/*
 * base/utf8.h - texts for display on terminals.
 *
 * Names come from profiled programs and may contain any bytes. Control characters are shown as C
 * escapes (\n, \x1b), broken UTF-8 as a replacement character. So a name can neither garble nor
 * control a terminal, and users can see what it contains.
 */
#ifndef MS_BASE_UTF8_H
#define MS_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define MS_UTF8_BAD UINT32_MAX

/* Shows only ASCII, all else as '?': for terminals without UTF-8. */
extern bool ms_utf8_ascii;

/* The character at *p, which advances to the next; 0 at the end; MS_UTF8_BAD for a broken byte. */
uint32_t ms_utf8_next(const char **p);
/* The width of a text on a terminal, in columns. */
size_t ms_utf8_width(const char *text);

/*
 * Which end of a text is cut if it does not fit; for a command line the directory of the program,
 * then the end.
 */
enum ms_utf8_cut { MS_CUT_END, MS_CUT_START, MS_CUT_FOLDER, MS_CUT_MIDDLE, MS_CUT_HALVES };
/* What marks a cut. */
const char *ms_utf8_ellipsis(void);

/* Adds text to *out with control characters as C escapes ("\\n", "\\x1b"); all else unchanged. */
void ms_utf8_escape(struct ms_text *out, const char *text);
/* Adds text to *out, made safe to show, in at most `width` columns; an ellipsis marks a cut. */
void ms_utf8_fit(struct ms_text *out, const char *text, size_t width, enum ms_utf8_cut cut);

#endif
