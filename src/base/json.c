#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

enum { LINE_DEPTH = 2 }; /* one value per line down to this depth */

void ms_json_init(struct ms_json *json, FILE *out)
{
	*json = (struct ms_json){ .out = out };
	/* One thread writes a report; a lock for every comma would cost more than the comma. */
	__fsetlocking(out, FSETLOCKING_BYCALLER);
}

static void new_line(struct ms_json *json, unsigned depth)
{
	fprintf(json->out, "\n%*s", (int)depth, "");
}

static void escape(FILE *out, uint32_t c)
{
	static const char plain[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	const char *special = c < 0x80 ? strchr(plain, (int)c) : NULL;

	if (special != NULL)
		fprintf(out, "\\%c", letters[special - plain]);
	else
		fprintf(out, "\\u%04" PRIx32, c == MS_UTF8_BAD ? 0xfffd : c);
}

static void quoted(FILE *out, const char *text)
{
	const char *from = text; /* the start of the text that is not written yet */

	fputc('"', out);
	for (;;) {
		const char *at = text;
		uint32_t c = ms_utf8_next(&text);

		if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7f && c != MS_UTF8_BAD)
			continue;
		fwrite(from, 1, (size_t)(at - from), out);
		if (c == 0)
			break;
		escape(out, c);
		from = text;
	}
	fputc('"', out);
}

/* Writes what precedes a value: the comma, the line break, the key. */
static void lead(struct ms_json *json, const char *key)
{
	unsigned depth = json->depth;

	if (depth > 0) {
		if (json->filled[depth - 1])
			fputc(',', json->out);
		if (depth <= LINE_DEPTH)
			new_line(json, depth);
		else if (json->filled[depth - 1])
			fputc(' ', json->out);
		json->filled[depth - 1] = true;
	}
	if (key != NULL) {
		quoted(json->out, key);
		fputs(": ", json->out);
	}
}

static void open_with(struct ms_json *json, const char *key, char opener, char closer)
{
	assert(json->depth < MS_JSON_DEPTH);
	lead(json, key);
	fputc(opener, json->out);
	json->closers[json->depth] = closer;
	json->filled[json->depth] = false;
	json->depth++;
}

void ms_json_object(struct ms_json *json, const char *key)
{
	open_with(json, key, '{', '}');
}

void ms_json_array(struct ms_json *json, const char *key)
{
	open_with(json, key, '[', ']');
}

void ms_json_end(struct ms_json *json)
{
	assert(json->depth > 0);
	json->depth--;
	if (json->filled[json->depth] && json->depth < LINE_DEPTH)
		new_line(json, json->depth);
	fputc(json->closers[json->depth], json->out);
	if (json->depth == 0)
		fputc('\n', json->out);
}

void ms_json_text(struct ms_json *json, const char *key, const char *text)
{
	lead(json, key);
	if (text == NULL)
		fputs("null", json->out);
	else
		quoted(json->out, text);
}

void ms_json_u64(struct ms_json *json, const char *key, uint64_t value)
{
	lead(json, key);
	fprintf(json->out, "%" PRIu64, value);
}

void ms_json_i64(struct ms_json *json, const char *key, int64_t value)
{
	lead(json, key);
	fprintf(json->out, "%" PRId64, value);
}

char *ms_json_real_text(double value, char out[MS_REAL_TEXT])
{
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(out, MS_REAL_TEXT, "%.*g", digits, value);
		if (strtod(out, NULL) == value)
			break;
	}
	/* The decimal point of a locale may be any character, or several bytes. */
	char *bad = out + strspn(out, "+-0123456789einfa");
	size_t n = strcspn(bad, "0123456789");
	if (n > 0 && *bad != '\0') {
		memmove(bad + 1, bad + n, strlen(bad + n) + 1);
		*bad = '.';
	}
	return out;
}

void ms_json_real(struct ms_json *json, const char *key, double value)
{
	char text[MS_REAL_TEXT];

	lead(json, key);
	fputs(isfinite(value) ? ms_json_real_text(value, text) : "null", json->out);
}

void ms_json_bool(struct ms_json *json, const char *key, bool value)
{
	lead(json, key);
	fputs(value ? "true" : "false", json->out);
}

void ms_json_null(struct ms_json *json, const char *key)
{
	lead(json, key);
	fputs("null", json->out);
}
