/* stream/import/import.c - the table of formats, and the conversion to a stream. */
#include "stream/import/import.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/utf8.h"
#include "stream/import/import_priv.h"
#include "stream/trace/trace_priv.h"
#include "wire/wire.h"

static const struct format_row {
	const char *name;
	const struct ms_import_format *format;
} formats[] = {
#define ROW(name, description) { #name, &ms_import_##name },
	MS_IMPORT_FORMATS(ROW)
#undef ROW
};

enum {
	/* Memory is named in windows of this size, up to a maximum number of them. */
	WINDOW_BITS = 20,
	MOST_WINDOWS = 4096,
	/* Number of bytes that a probe examines. */
	PROBED = 64,
	SHOWN = 60, /* columns shown of a line with an error */
};

struct ms_import {
	char *path;
	const char *format_name;
	const struct ms_import_format *format;
	struct ms_import_input in;
	struct ms_import_step open; /* of lines: the instruction whose references are being read */
	bool has_open;
	struct ms_map blocks;  /* (pc, key of the references) to the block, which has one exit */
	struct ms_map windows; /* those that are mapped */
	uint64_t last_window;  /* plus 1 */
	/* The chunk being filled. */
	uint64_t *words;
	size_t n;
};

const char *ms_import_name(size_t i)
{
	return i < MS_COUNT(formats) ? formats[i].name : NULL;
}

const char *ms_import_format(const struct ms_import *import)
{
	return import->format_name;
}

bool ms_import_hex(const char **at, const char *end, uint64_t *value)
{
	const char *digit = *at;

	if (end - digit > 2 && digit[0] == '0' && (digit[1] == 'x' || digit[1] == 'X'))
		digit += 2;
	const char *first = digit;
	for (*value = 0; digit < end; digit++) {
		char c = (char)(*digit | 0x20);
		unsigned nibble;

		if (*digit >= '0' && *digit <= '9')
			nibble = (unsigned)(*digit - '0');
		else if (c >= 'a' && c <= 'f')
			nibble = (unsigned)(c - 'a') + 10;
		else
			break;
		if (*value >> 60 != 0)
			return false;
		*value = *value << 4 | nibble;
	}
	*at = digit;
	return digit > first;
}

/* --- which format --- */

static bool looks_like_lines(const struct ms_import_format *f, const char *at, const char *end,
			     bool all)
{
	bool found = false;

	for (unsigned i = 0; i < PROBED && at < end; i++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop = newline != NULL ? newline : end;
		struct ms_import_item item;

		if (newline == NULL && !all)
			break; /* it continues after the buffer */
		size_t n = (size_t)(stop - at);
		if (f->parse_line(at, n > 0 && at[n - 1] == '\r' ? n - 1 : n, &item) != NULL)
			return false;
		found |= item.kind != MS_ITEM_NOTHING;
		at = stop + 1;
	}
	return found;
}

static bool looks_like_records(const struct ms_import_format *f, const uint8_t *at, size_t n)
{
	size_t count = n / f->record_bytes;
	struct ms_import_step step;

	for (size_t i = 0; i < count && i < PROBED; i++)
		if (f->decode(at + i * f->record_bytes, &step) != NULL)
			return false;
	return count > 0;
}

static bool looks_like(const struct ms_import_format *f, const struct ms_import_input *in)
{
	const uint8_t *at = in->buffer + in->at, *end = in->buffer + in->end;

	if (f->parse_line != NULL)
		return looks_like_lines(f, (const char *)at, (const char *)end, in->ended);
	return looks_like_records(f, at, in->end - in->at);
}

static void set_format(struct ms_import *import, const struct format_row *row)
{
	import->format_name = row->name;
	import->format = row->format;
}

static bool find_format(struct ms_import *import, const char *name)
{
	for (size_t i = 0; i < MS_COUNT(formats); i++)
		if (strcmp(formats[i].name, name) == 0) {
			set_format(import, &formats[i]);
			return true;
		}
	return false;
}

/* "lackey, din or champsim" */
static const char *list_formats(struct ms_text *names)
{
	for (size_t i = 0; i < MS_COUNT(formats); i++)
		ms_text_add_choice(names, formats[i].name, i, MS_COUNT(formats));
	return ms_text_get(names);
}

static int fail_unknown_trace(const char *path, struct ms_err *err)
{
	struct ms_text names = MS_TEXT_INIT;

	ms_fail(err, MS_EFORMAT,
		"%s: is not a trace that memspy can read: found neither a trace of memspy nor one "
		"of %s "
		"at its start (--format NAME says which it is)",
		path, list_formats(&names));
	ms_text_free(&names);
	return MS_EFORMAT;
}

static int fail_unknown_format(const char *name, struct ms_err *err)
{
	struct ms_text names = MS_TEXT_INIT;

	ms_fail(err, MS_EUSAGE, "unknown format '%s', expected %s", name, list_formats(&names));
	ms_text_free(&names);
	return MS_EUSAGE;
}

static int probe(struct ms_import *import, bool *own, struct ms_err *err)
{
	const struct ms_import_input *in = &import->in;
	const uint64_t magic = MS_TRACE_MAGIC;

	*own = in->end - in->at >= sizeof(magic) &&
	       memcmp(in->buffer + in->at, &magic, sizeof(magic)) == 0;
	for (size_t i = 0; i < MS_COUNT(formats) && !*own; i++) {
		if (looks_like(formats[i].format, in)) {
			set_format(import, &formats[i]);
			return MS_OK;
		}
	}
	if (*own && strcmp(import->path, "-") != 0 && in->filter_name == NULL)
		return MS_OK;
	if (*own)
		return ms_fail(err, MS_EFORMAT,
			       "%s: holds a trace of memspy, which must be a file and not "
			       "compressed again",
			       in->name);
	return fail_unknown_trace(in->name, err);
}

static int choose_format(struct ms_import *import, const char *format, bool *own,
			 struct ms_err *err)
{
	*own = false;
	MS_TRY(ms_import_input_peek(&import->in, err));
	if (import->in.end == 0)
		return ms_fail(err, MS_EFORMAT, "%s: is empty, expected a trace", import->in.name);
	if (format == NULL)
		return probe(import, own, err);
	if (!find_format(import, format))
		return fail_unknown_format(format, err);
	return MS_OK;
}

int ms_import_open(struct ms_import **import, const char *path, const char *format,
		   struct ms_err *err)
{
	struct ms_import *m = ms_alloc(sizeof(*m));
	bool own = false;

	*import = NULL;
	m->path = ms_strdup(path);
	int code = ms_import_input_open(&m->in, m->path, err);
	if (code == MS_OK)
		code = choose_format(m, format, &own, err);
	if (code != MS_OK || own)
		ms_import_close(m);
	else
		*import = m;
	return code;
}

void ms_import_close(struct ms_import *import)
{
	if (import == NULL)
		return;
	ms_import_input_close(&import->in);
	ms_map_free(&import->blocks);
	ms_map_free(&import->windows);
	ms_free(import->path);
	ms_free(import);
}

/* --- writing --- */

static void put(struct ms_import *import, const void *at, size_t words)
{
	memcpy(import->words + import->n, at, words * 8);
	import->n += words;
}

static void put_word(struct ms_import *import, uint64_t word)
{
	import->words[import->n++] = word;
}

/* A mapping is named after its window. Beyond the maximum number, memory has no name. */
static void map_window(struct ms_import *import, uint64_t address)
{
	const uint64_t size = UINT64_C(1) << WINDOW_BITS;
	uint64_t window = address >> WINDOW_BITS;

	if (window + 1 == import->last_window)
		return;
	import->last_window = window + 1;
	if (import->windows.n >= MOST_WINDOWS &&
	    ms_map_get(&import->windows, window, 0) == MS_MAP_NONE)
		return;
	uint32_t *known = ms_map_at(&import->windows, window, 0);
	if (*known != MS_MAP_NONE)
		return;
	*known = 1;

	char name[32] = "";
	struct ms_wire_map map = { .address = window << WINDOW_BITS,
				   .size = (window + 1) << WINDOW_BITS == 0 ? size - 1 : size,
				   .kind = MS_WIRE_MAP_FILE };
	map.path_bytes = (uint32_t)snprintf(name, sizeof(name), "0x%" PRIx64 "+1M", map.address);
	uint32_t path_words = (map.path_bytes + 7) / 8;
	put_word(import,
		 ms_wire_head(MS_WIRE_MAP, 1 + sizeof(map) / 8 + path_words, MS_WIRE_NO_PATH));
	put(import, &map, sizeof(map) / 8);
	put(import, name, path_words);
}

/* Combines sizes and kinds of the references in one number: exact for few references, and the
 * count for all. */
static uint64_t key_of(const struct ms_import_step *step)
{
	uint64_t key = 0;

	for (unsigned i = 0; i < step->n; i++) {
		uint64_t ref = (uint64_t)step->ref[i].kind << 16 | step->ref[i].size;

		key = i < 3 ? key << 18 | ref : ms_hash(key, ref) >> 10;
	}
	return (uint64_t)step->n << 56 | (uint64_t)step->instruction << 55 | key;
}

static void describe(struct ms_import *import, const struct ms_import_step *step, uint32_t number)
{
	struct ms_wire_block block = { .instructions = 1,
				       .refs = (uint16_t)step->n,
				       .exits = 1,
				       .operands = step->has_operands };
	struct ms_wire_exit exit = { .refs = (uint16_t)step->n, .instructions = step->instruction };

	put_word(import,
		 ms_wire_head(MS_WIRE_BLOCK, 1 + ms_wire_count_block_words(&block), number));
	put(import, &block, 1);
	put_word(import, step->pc);
	for (unsigned i = 0; i < step->n; i++) {
		struct ms_wire_ref ref = { 0, step->ref[i].size, step->ref[i].kind, 0 };

		put(import, &ref, 1);
	}
	put(import, &exit, 1);
	if (step->has_operands)
		put_word(import, step->operands);
}

/*
 * In the stream, address 0 means that a reference was not executed. Here it was, so it is moved to
 * one of its other bytes, on the same line.
 */
static void avoid_zero(struct ms_import_step *step)
{
	for (unsigned i = 0; i < step->n; i++) {
		if (step->ref[i].address != 0)
			continue;
		step->ref[i].address = 1;
		if (step->ref[i].size > 1)
			step->ref[i].size--;
	}
}

MS_WIRE_ASSERT(MS_IMPORT_REFS *(1 + sizeof(struct ms_wire_map) / 8 + 4) + 5 + MS_IMPORT_REFS + 1 +
		       MS_IMPORT_REFS <=
	       MS_WIRE_RESERVE_WORDS);

static void write_step(struct ms_import *import, struct ms_import_step *step)
{
	avoid_zero(step);
	for (unsigned i = 0; i < step->n; i++)
		map_window(import, step->ref[i].address);

	uint32_t next = (uint32_t)import->blocks.n;
	uint32_t *block = ms_map_at(&import->blocks, step->pc, key_of(step));
	if (*block == MS_MAP_NONE) {
		*block = next;
		describe(import, step, next);
	}
	put_word(import, ms_wire_head(MS_WIRE_EXEC, 1 + step->n, *block));
	for (unsigned i = 0; i < step->n; i++)
		put_word(import, step->ref[i].address);
}

/* --- reading --- */

#define NO_FLUSH                                                                           \
	"no cache flush, which memspy does not simulate (take these lines out, or replay " \
	"what is before and after them separately: each run begins with empty caches)"

static int refuse(const struct ms_import *import, const char *line, size_t n, const char *expected,
		  struct ms_err *err)
{
	struct ms_text found = MS_TEXT_INIT;
	char *copy = ms_strndup(line, n < 4 * SHOWN ? n : 4 * SHOWN);

	ms_utf8_fit(&found, copy, SHOWN, MS_CUT_END);
	int code = ms_fail(err, MS_EFORMAT, "%s:%" PRIu64 ": found '%s', expected %s",
			   import->in.name, import->in.number, ms_text_get(&found), expected);
	ms_text_free(&found);
	ms_free(copy);
	return code;
}

static int refuse_record(const struct ms_import *import, const uint8_t *record,
			 const char *expected, struct ms_err *err)
{
	struct ms_text found = MS_TEXT_INIT;

	for (unsigned i = 0; i < 16 && i < import->format->record_bytes; i++)
		ms_text_addf(&found, "%s%02x", i > 0 ? " " : "", record[i]);
	int code = ms_fail(err, MS_EFORMAT,
			   "%s: record %" PRIu64 ": found the bytes %s ..., expected %s",
			   import->in.name, import->in.number, ms_text_get(&found), expected);
	ms_text_free(&found);
	return code;
}

static void add_ref(struct ms_import_step *step, const struct ms_import_ref *ref)
{
	step->ref[step->n++] = *ref;
}

/* Returns whether import->open is complete and *item begins the next instruction. */
static bool completes(const struct ms_import *import, const struct ms_import_item *item)
{
	if (!import->has_open)
		return false;
	return item->kind == MS_ITEM_FETCH || import->open.n == MS_IMPORT_REFS ||
	       import->open.pc == 0; /* without an instruction: each reference alone */
}

static void begin(struct ms_import *import, const struct ms_import_item *item)
{
	if (item->kind == MS_ITEM_FETCH)
		import->open = (struct ms_import_step){ .pc = item->pc, .instruction = true };
	else if (!import->has_open || import->open.n == MS_IMPORT_REFS || import->open.pc == 0) {
		uint64_t pc = import->has_open ? import->open.pc : 0;

		import->open = (struct ms_import_step){ .pc = pc };
	}
	import->has_open = true;
}

/* Reads one line; writes the instruction that it completes. */
static int step_line(struct ms_import *import, bool *more, struct ms_err *err)
{
	struct ms_import_item item = { 0 };
	const char *line;
	size_t n;

	MS_TRY(ms_import_input_line(&import->in, &line, &n, err));
	*more = line != NULL;
	if (!*more) {
		if (import->has_open)
			write_step(import, &import->open);
		import->has_open = false;
		return MS_OK;
	}
	const char *expected = import->format->parse_line(line, n, &item);
	if (expected != NULL)
		return refuse(import, line, n, expected, err);
	if (item.kind == MS_ITEM_NOTHING)
		return MS_OK;
	if (item.kind == MS_ITEM_FLUSH)
		return refuse(import, line, n, NO_FLUSH, err);
	if (completes(import, &item))
		write_step(import, &import->open);
	begin(import, &item);
	if (item.kind == MS_ITEM_REF)
		add_ref(&import->open, &item.ref);
	return MS_OK;
}

static int step_record(struct ms_import *import, bool *more, struct ms_err *err)
{
	const uint8_t *record;
	struct ms_import_step step;

	MS_TRY(ms_import_input_record(&import->in, import->format->record_bytes, &record, err));
	*more = record != NULL;
	if (!*more)
		return MS_OK;
	const char *expected = import->format->decode(record, &step);
	if (expected != NULL)
		return refuse_record(import, record, expected, err);
	write_step(import, &step);
	return MS_OK;
}

int ms_import_read(struct ms_import *import, uint64_t *words, size_t room, size_t *n,
		   struct ms_err *err)
{
	bool more = true;

	import->words = words;
	import->n = 0;
	while (more && import->n + MS_WIRE_RESERVE_WORDS <= room)
		MS_TRY(import->format->parse_line != NULL ? step_line(import, &more, err)
							  : step_record(import, &more, err));
	*n = import->n;
	return MS_OK;
}
