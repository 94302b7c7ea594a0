/* base/text.h - a growable string. */
#ifndef MS_BASE_TEXT_H
#define MS_BASE_TEXT_H

#include <stddef.h>

#include "base/compiler.h"

struct ms_text {
	char *at; /* always ends in NUL once something was added; NULL before */
	size_t n;
	size_t cap;
};

#define MS_TEXT_INIT       \
	{                  \
		NULL, 0, 0 \
	}

void ms_text_add(struct ms_text *text, const char *more);
void ms_text_add_n(struct ms_text *text, const char *more, size_t n);
void ms_text_addf(struct ms_text *text, const char *fmt, ...) MS_PRINTF(2, 3);
void ms_text_clear(struct ms_text *text); /* keeps the memory */
void ms_text_free(struct ms_text *text);
/* The text, never NULL. */
const char *ms_text_get(const struct ms_text *text);

/* The part of a path after the last slash. */
const char *ms_base_name(const char *path);

/* Adds word i of n in the form of a list: "lru, fifo or random". */
void ms_text_add_choice(struct ms_text *text, const char *word, size_t i, size_t n);
/* What stands before word i of n there. */
const char *ms_text_choice_separator(size_t i, size_t n);

#endif
