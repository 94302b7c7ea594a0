#include "views/html/packed.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio_ext.h>
#include <stdlib.h>

#include "base/json.h"

void ms_html_packed_open(struct ms_html_packed *p, FILE *out)
{
	*p = (struct ms_html_packed){ .out = out };
	__fsetlocking(out, FSETLOCKING_BYCALLER); /* as base/json.c does */
	fputc('{', out);
}

void ms_html_packed_close(struct ms_html_packed *p)
{
	struct ms_json json;

	fprintf(p->out, "%s\"texts\": ", p->tables ? ",\n" : "");
	ms_json_init(&json, p->out);
	ms_json_array(&json, NULL);
	for (size_t i = 0; i < p->texts.n; i++)
		ms_json_text(&json, NULL, p->texts.at[i]);
	ms_json_end(&json);
	fputc('}', p->out);
	ms_vec_free(&p->texts);
	ms_map_free(&p->numbers);
	ms_names_free(&p->names);
	ms_text_free(&p->text_columns);
}

void ms_html_packed_table(struct ms_html_packed *p, const char *name)
{
	fprintf(p->out, "%s\n\"%s\": {\"columns\": [", p->tables ? "," : "", name);
	p->tables = true;
	p->columns = p->rows = false;
	ms_text_clear(&p->text_columns);
}

/* The columns are complete when the first row begins, or the table ends. */
static void end_columns(struct ms_html_packed *p)
{
	fprintf(p->out, "], \"text_columns\": [%s], \"rows\": [", ms_text_get(&p->text_columns));
	p->rows = true;
}

void ms_html_packed_end(struct ms_html_packed *p)
{
	if (p->rows)
		fputs("]", p->out);
	else
		end_columns(p);
	fputs("]}", p->out);
}

void ms_html_packed_column(struct ms_html_packed *p, const char *fmt, ...)
{
	va_list args;

	fputs(p->columns ? ", \"" : "\"", p->out);
	p->columns = true;
	va_start(args, fmt);
	vfprintf(p->out, fmt, args);
	va_end(args);
	fputc('"', p->out);
}

void ms_html_packed_texts(struct ms_html_packed *p, const char *name)
{
	ms_html_packed_column(p, "%s", name);
	ms_text_addf(&p->text_columns, "%s\"%s\"", p->text_columns.n > 0 ? ", " : "", name);
}

void ms_html_packed_row(struct ms_html_packed *p)
{
	if (p->rows)
		fputs("],\n[", p->out);
	else {
		end_columns(p);
		fputs("\n[", p->out);
	}
	p->values = false;
	p->zeros = 0;
}

static void lead(struct ms_html_packed *p)
{
	for (; p->zeros > 0; p->zeros--) {
		fputs(p->values ? ",0" : "0", p->out);
		p->values = true;
	}
	if (p->values)
		fputc(',', p->out);
	p->values = true;
}

/* Most figures are small; a run of a hundred thousand bins has millions of them. */
void ms_html_packed_u64(struct ms_html_packed *p, uint64_t value)
{
	char digits[24], *at = digits + sizeof(digits);

	if (value == 0) {
		p->zeros++;
		return;
	}
	lead(p);
	do {
		*--at = (char)('0' + value % 10);
		value /= 10;
	} while (value > 0);
	fwrite(at, 1, (size_t)(digits + sizeof(digits) - at), p->out);
}

void ms_html_packed_numbers(struct ms_html_packed *p, const uint64_t *values, size_t n)
{
	ms_html_packed_row(p);
	for (size_t i = 0; i < n; i++)
		ms_html_packed_u64(p, values[i]);
}

void ms_html_packed_null(struct ms_html_packed *p)
{
	lead(p);
	fputs("null", p->out);
}

void ms_html_packed_real(struct ms_html_packed *p, double value)
{
	char text[MS_REAL_TEXT];

	if (!isfinite(value)) {
		ms_html_packed_null(p);
		return;
	}
	lead(p);
	fputs(ms_json_real_text(value, text), p->out);
}

void ms_html_packed_rounded(struct ms_html_packed *p, double value)
{
	char text[MS_REAL_TEXT];

	if (value == 0) {
		p->zeros++;
		return;
	}
	snprintf(text, sizeof(text), "%.6g", value);
	ms_html_packed_real(p, isfinite(value) ? strtod(text, NULL) : value);
}

void ms_html_packed_text(struct ms_html_packed *p, const char *text)
{
	if (text == NULL) {
		ms_html_packed_null(p);
		return;
	}
	const char *name = ms_intern(&p->names, text);
	uint32_t *number = ms_map_at(&p->numbers, (uintptr_t)name, 0);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)p->texts.n;
		*ms_vec_add(&p->texts) = name;
	}
	ms_html_packed_u64(p, *number);
}
