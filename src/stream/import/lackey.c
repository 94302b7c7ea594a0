/*
 * stream/import/lackey.c - what valgrind --tool=lackey --trace-mem=yes writes:
 *
 *    I  04025310,3        an instruction: address, bytes
 *     L 1fff000d48,8      it loads,
 *     S 1fff000d40,8      stores,
 *     M 04222cac,4        or modifies: address, bytes
 *    ==123== ...          what Valgrind itself has to say
 */
#include <string.h>

#include "base/compiler.h"
#include "stream/import/import_priv.h"
#include "wire/wire.h"

#define EXPECTED "'I  ADDRESS,SIZE', ' L ', ' S ' or ' M ADDRESS,SIZE', or '==PID== ...'"

static const struct {
	char start[4];
	enum ms_import_item_kind kind;
	uint16_t ref_kind;
} starts[] = {
	{ "I  ", MS_ITEM_FETCH, 0 },
	{ " L ", MS_ITEM_REF, MS_WIRE_READ },
	{ " S ", MS_ITEM_REF, MS_WIRE_WRITE },
	{ " M ", MS_ITEM_REF, MS_WIRE_MODIFY },
};

static bool address_and_size(const char *at, const char *end, uint64_t *address, uint64_t *size)
{
	if (!ms_import_hex(&at, end, address) || at == end || *at++ != ',' || at == end)
		return false;
	*size = 0;
	for (; at < end; at++) {
		if (*at < '0' || *at > '9')
			return false;
		*size = *size * 10 + (uint64_t)(*at - '0');
		if (*size > UINT16_MAX)
			return false;
	}
	return *size > 0;
}

static bool is_remark(const char *line, size_t n)
{
	return n == 0 ||
	       (n >= 2 && (memcmp(line, "==", 2) == 0 || memcmp(line, "--", 2) == 0 ||
			   memcmp(line, "**", 2) == 0)) ||
	       (n >= 3 && memcmp(line, "SB ", 3) == 0); /* --trace-superblocks=yes */
}

static const char *parse_line(const char *line, size_t n, struct ms_import_item *item)
{
	uint64_t address, size;

	item->kind = MS_ITEM_NOTHING;
	for (size_t i = 0; n >= 3 && i < MS_COUNT(starts); i++) {
		if (memcmp(line, starts[i].start, 3) != 0)
			continue;
		if (!address_and_size(line + 3, line + n, &address, &size))
			return EXPECTED;
		*item = (struct ms_import_item){ starts[i].kind,
						 address,
						 { address, (uint16_t)size, starts[i].ref_kind } };
		return NULL;
	}
	return is_remark(line, n) ? NULL : EXPECTED;
}

const struct ms_import_format ms_import_lackey = { .parse_line = parse_line };
