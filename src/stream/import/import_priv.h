/* stream/import/import_priv.h - shared by the importers. */
#ifndef MS_STREAM_IMPORT_IMPORT_PRIV_H
#define MS_STREAM_IMPORT_IMPORT_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "stream/import/formats.h"

/* --- input.c: a file, standard input, or the output of a decompressor --- */

struct ms_import_input {
	const char *name; /* for messages */
	int fd;
	pid_t filter; /* the decompressor; 0: none */
	const char *filter_name;
	uint8_t *buffer;
	size_t at, end;  /* the part of the buffer that was not read yet */
	bool ended;      /* the buffer has the last bytes */
	uint64_t number; /* of the last line or record, from 1 */
};

int ms_import_input_open(struct ms_import_input *in, const char *path, struct ms_err *err);
void ms_import_input_close(struct ms_import_input *in);
/* Fills the buffer, to look at in->buffer[in->at .. in->end). */
int ms_import_input_peek(struct ms_import_input *in, struct ms_err *err);
/* Returns the next line, without its newline; *line NULL: the end. Valid until the next call. */
int ms_import_input_line(struct ms_import_input *in, const char **line, size_t *n,
			 struct ms_err *err);
/* Returns the next `size` bytes; *record NULL: the end. */
int ms_import_input_record(struct ms_import_input *in, size_t size, const uint8_t **record,
			   struct ms_err *err);

/* --- formats --- */

enum { MS_IMPORT_REFS = 64 };

struct ms_import_ref {
	uint64_t address;
	uint16_t size;
	uint16_t kind; /* enum ms_wire_ref_kind */
};

/* An executed instruction with its references. */
struct ms_import_step {
	uint64_t pc;      /* 0: unknown */
	bool instruction; /* false: further references of the one before, or of no instruction */
	bool has_operands;
	uint64_t operands; /* its registers: see wire/operands.h */
	unsigned n;
	struct ms_import_ref ref[MS_IMPORT_REFS];
};

enum ms_import_item_kind {
	MS_ITEM_NOTHING,
	MS_ITEM_FETCH,
	MS_ITEM_REF,
	MS_ITEM_FLUSH, /* of all caches: recognised, and rejected */
};

/* The meaning of a line. */
struct ms_import_item {
	enum ms_import_item_kind kind;
	uint64_t pc;
	struct ms_import_ref ref;
};

/*
 * A format of lines has parse_line, one of records the other two. Both functions return NULL, or a
 * description of what they expected.
 */
struct ms_import_format {
	const char *(*parse_line)(const char *line, size_t n, struct ms_import_item *item);
	size_t record_bytes;
	const char *(*decode)(const uint8_t *record, struct ms_import_step *step);
};

#define DECLARE(name, description) extern const struct ms_import_format ms_import_##name;
MS_IMPORT_FORMATS(DECLARE)
#undef DECLARE

/* Parses a hexadecimal number at *at, and moves *at past it; returns false if there is none, or it
 * is too large. */
bool ms_import_hex(const char **at, const char *end, uint64_t *value);

#endif
