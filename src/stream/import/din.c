/*
 * stream/import/din.c - Dinero's traditional format, a line each:
 *
 *    2 430d70             label and hexadecimal address: 0 read, 1 write, 2 instruction fetch
 *    0 7fffcca8 anything  what follows is ignored
 *    3 1000               escape record: a reference of unknown kind, which counts as a read
 *    4 0                  escape record: the caches are flushed, which memspy does not simulate
 *
 * There are no sizes. As in Dinero IV, a reference is one of 4 bytes, at the address rounded down
 * to a multiple of 4; an instruction's references are those up to the next fetch.
 */
#include "base/compiler.h"
#include "stream/import/import_priv.h"
#include "wire/wire.h"

enum { BYTES = 4 };

#define EXPECTED                                                                               \
	"'LABEL ADDRESS' with label 0 (read), 1 (write), 2 (instruction fetch) or 3 (unknown " \
	"kind, taken as a read) and a hexadecimal address"

/* By label. A flush is Dinero's, too, so the file is known by it. */
static const struct {
	enum ms_import_item_kind kind;
	uint16_t ref;
} labels[] = {
	{ MS_ITEM_REF, MS_WIRE_READ }, { MS_ITEM_REF, MS_WIRE_WRITE }, { MS_ITEM_FETCH, 0 },
	{ MS_ITEM_REF, MS_WIRE_READ }, { MS_ITEM_FLUSH, 0 },
};

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

static const char *parse_line(const char *line, size_t n, struct ms_import_item *item)
{
	const char *end = line + n, *at = skip_blanks(line, end), *word;
	uint64_t label, address;

	item->kind = MS_ITEM_NOTHING;
	if (at == end)
		return NULL;
	if (!ms_import_hex(&at, end, &label) || label >= MS_COUNT(labels))
		return EXPECTED;
	word = skip_blanks(at, end);
	if (word == at || !ms_import_hex(&word, end, &address) ||
	    (word < end && *word != ' ' && *word != '\t'))
		return EXPECTED;
	*item = (struct ms_import_item){
		labels[label].kind,
		address,
		{ address & ~(uint64_t)(BYTES - 1), BYTES, labels[label].ref },
	};
	return NULL;
}

const struct ms_import_format ms_import_din = { .parse_line = parse_line };
