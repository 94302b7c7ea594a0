/*
 * stream/import_din.c - Dinero's traditional format, a line each:
 *
 *    2 430d70             label and hexadecimal address: 0 read, 1 write, 2 instruction fetch
 *    0 7fffcca8 anything  what follows is ignored
 *
 * There are no sizes. As in Dinero IV, a reference is one of 4 bytes, at the address rounded down
 * to a multiple of 4; an instruction's references are those up to the next fetch.
 */
#include "stream/import_priv.h"
#include "stream/wire.h"

enum { BYTES = 4 };

#define EXPECTED                                                                         \
	"'LABEL ADDRESS' with label 0 (read), 1 (write) or 2 (instruction fetch) and a " \
	"hexadecimal address"

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

static const char *parse_line(const char *line, size_t n, struct import_item *item)
{
	const char *end = line + n, *at = skip_blanks(line, end), *word;
	uint64_t label, address;

	item->kind = MS_ITEM_NOTHING;
	if (at == end)
		return NULL;
	if (!ms_import_hex(&at, end, &label) || label > 2)
		return EXPECTED;
	word = skip_blanks(at, end);
	if (word == at || !ms_import_hex(&word, end, &address) ||
	    (word < end && *word != ' ' && *word != '\t'))
		return EXPECTED;
	*item = (struct import_item){
		label == 2 ? MS_ITEM_FETCH : MS_ITEM_REF,
		address,
		{ address & ~(uint64_t)(BYTES - 1), BYTES,
		  label == 1 ? MS_WIRE_WRITE : MS_WIRE_READ },
	};
	return NULL;
}

const struct import_format ms_import_din = { .name = "din", .parse_line = parse_line };
