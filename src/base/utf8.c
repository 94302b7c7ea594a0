#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"

#define ELLIPSIS    "\xe2\x80\xa6"
#define REPLACEMENT "\xef\xbf\xbd"

bool ms_utf8_ascii;

static const struct {
	unsigned char mask, lead;
	unsigned more;  /* bytes that follow */
	uint32_t least; /* smaller ones are overlong */
} shapes[] = {
	{ 0x80, 0x00, 0, 0 },
	{ 0xe0, 0xc0, 1, 0x80 },
	{ 0xf0, 0xe0, 2, 0x800 },
	{ 0xf8, 0xf0, 3, 0x10000 },
};

uint32_t ms_utf8_next(const char **p)
{
	const unsigned char *at = (const unsigned char *)*p;

	if (*at == '\0')
		return 0;
	++*p;
	for (size_t i = 0; i < MS_COUNT(shapes); i++) {
		if ((*at & shapes[i].mask) != shapes[i].lead)
			continue;
		uint32_t c = *at & (unsigned char)~shapes[i].mask;
		for (unsigned k = 1; k <= shapes[i].more; k++) {
			if ((at[k] & 0xc0) != 0x80)
				return MS_UTF8_BAD;
			c = c << 6 | (at[k] & 0x3f);
		}
		if (c < shapes[i].least || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
			return MS_UTF8_BAD;
		*p += shapes[i].more;
		return c;
	}
	return MS_UTF8_BAD;
}

/* Characters that do not take one column, sorted. wcwidth() would depend on the locale. */
static const struct {
	uint32_t first, last;
	unsigned width;
} odd_widths[] = {
	{ 0x0300, 0x036f, 0 },   { 0x0483, 0x0489, 0 },   { 0x0591, 0x05bd, 0 },
	{ 0x0610, 0x061a, 0 },   { 0x064b, 0x065f, 0 },   { 0x1100, 0x115f, 2 },
	{ 0x1ab0, 0x1aff, 0 },   { 0x1dc0, 0x1dff, 0 },   { 0x200b, 0x200f, 0 },
	{ 0x2028, 0x202e, 0 },   { 0x2060, 0x206f, 0 },   { 0x20d0, 0x20ff, 0 },
	{ 0x2e80, 0x303e, 2 },   { 0x3041, 0xa4cf, 2 },   { 0xa960, 0xa97f, 2 },
	{ 0xac00, 0xd7a3, 2 },   { 0xf900, 0xfaff, 2 },   { 0xfe00, 0xfe0f, 0 },
	{ 0xfe20, 0xfe2f, 0 },   { 0xfe30, 0xfe6f, 2 },   { 0xfeff, 0xfeff, 0 },
	{ 0xff00, 0xff60, 2 },   { 0xffe0, 0xffe6, 2 },   { 0x1f300, 0x1f64f, 2 },
	{ 0x1f900, 0x1f9ff, 2 }, { 0x20000, 0x3fffd, 2 },
};

static unsigned char_width(uint32_t c)
{
	for (size_t i = 0; i < MS_COUNT(odd_widths) && odd_widths[i].first <= c; i++)
		if (c <= odd_widths[i].last)
			return odd_widths[i].width;
	return 1;
}

/* Control characters, and those that reverse the direction of writing. */
static int unsafe(uint32_t c)
{
	return c == MS_UTF8_BAD || c < 0x20 || (c >= 0x7f && c < 0xa0) ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

enum { ESCAPED = 12 };

/*
 * The C escape of an unsafe character: \n, \x1b, \u202e. For a broken byte, the number is lost by
 * now.
 */
static const char *escaped(uint32_t c, char room[ESCAPED])
{
	static const struct {
		uint32_t c;
		const char *name;
	} named[] = { { '\n', "\\n" }, { '\t', "\\t" }, { '\r', "\\r" } };

	if (c == MS_UTF8_BAD)
		return ms_utf8_ascii ? "?" : REPLACEMENT;
	for (size_t i = 0; i < MS_COUNT(named); i++)
		if (named[i].c == c)
			return named[i].name;
	snprintf(room, ESCAPED, c < 0x80 ? "\\x%02x" : "\\u%04x", (unsigned)c);
	return room;
}

static unsigned shown_width(uint32_t c)
{
	char room[ESCAPED];

	if (c == MS_UTF8_BAD)
		return 1;
	if (unsafe(c))
		return (unsigned)strlen(escaped(c, room));
	return ms_utf8_ascii && c >= 0x7f ? 1 : char_width(c);
}

size_t ms_utf8_width(const char *text)
{
	size_t width = 0;
	uint32_t c;

	while ((c = ms_utf8_next(&text)) != 0)
		width += shown_width(c);
	return width;
}

/* Adds characters until the next would exceed `width` columns. */
static void add_shown(struct ms_text *out, const char *text, size_t width)
{
	char room[ESCAPED];
	size_t used = 0;

	for (;;) {
		const char *from = text;
		uint32_t c = ms_utf8_next(&text);

		if (c == 0 || used + shown_width(c) > width)
			return;
		used += shown_width(c);
		if (unsafe(c))
			ms_text_add(out, escaped(c, room));
		else if (ms_utf8_ascii && c >= 0x7f)
			ms_text_add(out, "?");
		else
			ms_text_add_n(out, from, (size_t)(text - from));
	}
}

void ms_utf8_escape(struct ms_text *out, const char *text)
{
	char room[ESCAPED];

	for (;;) {
		const char *from = text;
		uint32_t c = ms_utf8_next(&text);

		if (c == 0)
			return;
		if (c != MS_UTF8_BAD && unsafe(c))
			ms_text_add(out, escaped(c, room));
		else
			ms_text_add_n(out, from, (size_t)(text - from));
	}
}

const char *ms_utf8_ellipsis(void)
{
	return ms_utf8_ascii ? "~" : ELLIPSIS;
}

/* The program's name in a command line: the text after the last slash of the first word. */
static const char *behind_folder(const char *text)
{
	const char *name = text;

	for (const char *p = text; *p != '\0' && *p != ' '; p++)
		if (*p == '/' && p[1] != '\0' && p[1] != ' ')
			name = p + 1;
	return name;
}

void ms_utf8_fit(struct ms_text *out, const char *text, size_t width, enum ms_utf8_cut cut)
{
	size_t whole = ms_utf8_width(text);

	if (whole <= width) {
		add_shown(out, text, width);
	} else if (width == 0) {
		return;
	} else if (cut == MS_CUT_FOLDER && behind_folder(text) != text && width > 1) {
		ms_text_add(out, ms_utf8_ellipsis());
		ms_utf8_fit(out, behind_folder(text), width - 1, MS_CUT_END);
	} else if ((cut == MS_CUT_MIDDLE || cut == MS_CUT_HALVES) && width > 2) {
		size_t start = (width - 1) / (cut == MS_CUT_HALVES ? 2 : 3);

		add_shown(out, text, start);
		ms_utf8_fit(out, text, width - start, MS_CUT_START);
	} else if (cut != MS_CUT_START) {
		add_shown(out, text, width - 1);
		ms_text_add(out, ms_utf8_ellipsis());
	} else {
		while (whole > width - 1)
			whole -= shown_width(ms_utf8_next(&text));
		ms_text_add(out, ms_utf8_ellipsis());
		add_shown(out, text, width - 1);
	}
}
