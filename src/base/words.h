/*
 * base/words.h - splits a line of text into words, quoted as in a shell: 'unchanged', "with \" and
 * \\ and \x1b", or a backslash before one character. '#' at the beginning of a word ends the line.
 */
#ifndef MS_BASE_WORDS_H
#define MS_BASE_WORDS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/opt.h"
#include "base/text.h"

/* Adds the words of a line; they live in the arena. False: a quote is not closed. */
bool ms_words_split(struct ms_words *words, const char *line, struct ms_arena *arena);
/* Adds one word, quoted so that it is read back unchanged; control characters by their codes. */
void ms_words_quote(struct ms_text *out, const char *word);
/* Where the last word of an unfinished line begins, and its text without quotes. */
size_t ms_words_last(const char *line, size_t n, struct ms_text *word);

#endif
