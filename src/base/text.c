#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

static void reserve(struct ms_text *text, size_t more)
{
	if (text->cap - text->n > more)
		return;
	while (text->cap - text->n <= more)
		text->cap = text->cap ? text->cap * 2 : 64;
	text->at = ms_realloc(text->at, text->cap);
}

void ms_text_add_n(struct ms_text *text, const char *more, size_t n)
{
	reserve(text, n);
	memcpy(text->at + text->n, more, n);
	text->n += n;
	text->at[text->n] = '\0';
}

void ms_text_add(struct ms_text *text, const char *more)
{
	ms_text_add_n(text, more, strlen(more));
}

/* Usually the capacity suffices, and one call of vsnprintf() is enough. */
void ms_text_addf(struct ms_text *text, const char *fmt, ...)
{
	va_list ap;

	reserve(text, 0);
	va_start(ap, fmt);
	int n = vsnprintf(text->at + text->n, text->cap - text->n, fmt, ap);
	va_end(ap);
	if ((size_t)n >= text->cap - text->n) {
		reserve(text, (size_t)n);
		va_start(ap, fmt);
		vsnprintf(text->at + text->n, (size_t)n + 1, fmt, ap);
		va_end(ap);
	}
	text->n += (size_t)n;
}

void ms_text_clear(struct ms_text *text)
{
	text->n = 0;
	if (text->at != NULL)
		text->at[0] = '\0';
}

void ms_text_free(struct ms_text *text)
{
	ms_free(text->at);
	*text = (struct ms_text)MS_TEXT_INIT;
}

const char *ms_text_get(const struct ms_text *text)
{
	return text->at ? text->at : "";
}

const char *ms_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

void ms_text_add_choice(struct ms_text *text, const char *word, size_t i, size_t n)
{
	ms_text_addf(text, "%s%s", ms_text_choice_separator(i, n), word);
}

const char *ms_text_choice_separator(size_t i, size_t n)
{
	return i == 0 ? "" : i + 1 < n ? ", " : " or ";
}
