/* stream/import_priv.h - what the importers share. */
#ifndef MS_STREAM_IMPORT_PRIV_H
#define MS_STREAM_IMPORT_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "stream/import_formats.h"

/* --- import_input.c: a file, standard input, or what a decompressor makes of a file --- */

struct import_input {
	const char *name; /* for messages */
	int fd;
	pid_t filter; /* the decompressor; 0: none */
	const char *filter_name;
	uint8_t *buffer;
	size_t at, end;  /* what of the buffer is still to be read */
	bool ended;      /* nothing comes behind the buffer */
	uint64_t number; /* of the line or record read last, from 1 */
};

int ms_input_open(struct import_input *in, const char *path, struct ms_err *err);
void ms_input_close(struct import_input *in);
/* Fills the buffer, to look at in->buffer[in->at .. in->end). */
int ms_input_peek(struct import_input *in, struct ms_err *err);
/* The next line, without its end; *line NULL: there is none. Valid until the next call. */
int ms_input_line(struct import_input *in, const char **line, size_t *n, struct ms_err *err);
/* The next `size` bytes; *record NULL: there are none. */
int ms_input_record(struct import_input *in, size_t size, const uint8_t **record,
		    struct ms_err *err);

/* --- formats --- */

enum { MS_IMPORT_REFS = 64 };

struct import_ref {
	uint64_t address;
	uint16_t size;
	uint16_t kind; /* enum ms_wire_ref_kind */
};

/* An instruction that was executed, and what it referred to. */
struct import_step {
	uint64_t pc;      /* 0: not known */
	bool instruction; /* false: only further references of the one before, or of none */
	unsigned n;
	struct import_ref ref[MS_IMPORT_REFS];
};

enum import_item_kind {
	MS_ITEM_NOTHING,
	MS_ITEM_FETCH,
	MS_ITEM_REF,
	MS_ITEM_FLUSH, /* of all caches: understood, and refused */
};

/* What a line says. */
struct import_item {
	enum import_item_kind kind;
	uint64_t pc;
	struct import_ref ref;
};

/*
 * A format of lines has parse_line, one of records the other two. Both functions return NULL, or
 * what they would have expected to find.
 */
struct import_format {
	const char *name;
	const char *(*parse_line)(const char *line, size_t n, struct import_item *item);
	size_t record_bytes;
	const char *(*decode)(const uint8_t *record, struct import_step *step);
};

#define DECLARE(name, description) extern const struct import_format ms_import_##name;
MS_IMPORT_FORMATS(DECLARE)
#undef DECLARE

/* A hexadecimal number at *at, which moves behind it; false: there is none, or it is too large. */
bool ms_import_hex(const char **at, const char *end, uint64_t *value);

#endif
