#include "base/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* "\x1b" is a character by its code; before any other character, a backslash quotes it. */
static char escaped(const char **at)
{
	char number[3] = { 0 };

	if ((*at)[0] != 'x' || !isxdigit((unsigned char)(*at)[1]) ||
	    !isxdigit((unsigned char)(*at)[2]))
		return **at;
	memcpy(number, *at + 1, 2);
	*at += 2;
	return (char)strtoul(number, NULL, 16);
}

/*
 * The position after the closing quote; NULL: there is none, and the word has all remaining text.
 */
static const char *read_quoted(const char *at, char quote, struct ms_text *word)
{
	for (; *at != '\0' && *at != quote; at++) {
		char c = *at;

		if (quote == '"' && c == '\\' && at[1] != '\0') {
			at++;
			c = escaped(&at);
		}
		ms_text_add_n(word, &c, 1);
	}
	return *at == quote ? at + 1 : NULL;
}

static const char *read_word(const char *at, struct ms_text *word)
{
	while (at != NULL && *at != '\0' && !isspace((unsigned char)*at)) {
		if (*at == '\'' || *at == '"') {
			at = read_quoted(at + 1, *at, word);
			continue;
		}
		if (*at == '\\' && at[1] != '\0')
			at++;
		ms_text_add_n(word, at++, 1);
	}
	return at;
}

static const char *skip_space(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return at;
}

bool ms_words_split(struct ms_words *words, const char *line, struct ms_arena *arena)
{
	struct ms_text word = MS_TEXT_INIT;
	const char *at = skip_space(line);

	while (at != NULL && *at != '\0' && *at != '#') {
		ms_text_clear(&word);
		at = read_word(at, &word);
		*ms_vec_add(&words->at) = ms_arena_strdup(arena, ms_text_get(&word));
		if (at != NULL)
			at = skip_space(at);
	}
	ms_text_free(&word);
	return at != NULL;
}

size_t ms_words_last(const char *line, size_t n, struct ms_text *word)
{
	struct ms_text text = MS_TEXT_INIT;
	size_t begin = n;

	ms_text_add_n(&text, line, n);
	for (const char *at = ms_text_get(&text); at != NULL;) {
		at = skip_space(at);
		begin = (size_t)(at - ms_text_get(&text));
		ms_text_clear(word);
		if (*at == '\0')
			break;
		at = read_word(at, word);
		if (at != NULL && *at == '\0')
			break;
	}
	ms_text_free(&text);
	return begin;
}

void ms_words_quote(struct ms_text *out, const char *word)
{
	static const char safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				   "_-./:=@%+,";
	const char *p = word;

	if (word[0] != '\0' && word[strspn(word, safe)] == '\0') {
		ms_text_add(out, word);
		return;
	}
	while (*p != '\0' && !iscntrl((unsigned char)*p) && *p != '\'')
		p++;
	if (*p == '\0') {
		ms_text_addf(out, "'%s'", word);
		return;
	}
	ms_text_add(out, "\"");
	for (p = word; *p != '\0'; p++) {
		if (iscntrl((unsigned char)*p))
			ms_text_addf(out, "\\x%02x", (unsigned char)*p);
		else
			ms_text_addf(out, "%s%c", *p == '"' || *p == '\\' ? "\\" : "", *p);
	}
	ms_text_add(out, "\"");
}
