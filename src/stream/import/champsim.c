/*
 * stream/import/champsim.c - instruction records of ChampSim, 64 bytes each, little-endian:
 *
 *     0  ip                    8  is_branch     9  branch_taken
 *    10  registers written (2 bytes), read (4 bytes)
 *    16  addresses written (2 of 8 bytes; 0: none)
 *    32  addresses read (4 of 8 bytes; 0: none)
 *
 * There are no sizes. ChampSim looks at the line of an address only; so a reference is one of 8
 * bytes at the address rounded down to a multiple of 8. An address that is both read and written is
 * one reference that modifies.
 */
#include <string.h>

#include "stream/import/import_priv.h"
#include "wire/wire.h"

enum {
	RECORD = 64,
	IS_BRANCH = 8,
	TAKEN = 9,
	WRITTEN = 16,
	WRITES = 2,
	READ = 32,
	READS = 4,
	BYTES = 8
};

#define EXPECTED                                                                               \
	"an instruction of 64 bytes: its address, two bytes that are 0 or 1 (branch, taken), " \
	"registers, addresses"

static uint64_t word_at(const uint8_t *record, unsigned at)
{
	uint64_t word;

	memcpy(&word, record + at, sizeof(word));
	return word;
}

static struct ms_import_ref *find(struct ms_import_step *step, uint64_t address)
{
	for (unsigned i = 0; i < step->n; i++)
		if (step->ref[i].address == address)
			return &step->ref[i];
	return NULL;
}

static void add(struct ms_import_step *step, uint64_t address, uint16_t kind)
{
	step->ref[step->n++] =
		(struct ms_import_ref){ address & ~(uint64_t)(BYTES - 1), BYTES, kind };
}

static const char *decode(const uint8_t *record, struct ms_import_step *step)
{
	if (record[IS_BRANCH] > 1 || record[TAKEN] > 1 || word_at(record, 0) == 0)
		return EXPECTED;
	*step = (struct ms_import_step){ .pc = word_at(record, 0), .instruction = true };
	for (unsigned i = 0; i < READS; i++)
		if (word_at(record, READ + 8 * i) != 0)
			add(step, word_at(record, READ + 8 * i), MS_WIRE_READ);
	for (unsigned i = 0; i < WRITES; i++) {
		uint64_t address = word_at(record, WRITTEN + 8 * i);
		struct ms_import_ref *same = find(step, address & ~(uint64_t)(BYTES - 1));

		if (address != 0 && same != NULL)
			same->kind = same->kind == MS_WIRE_READ ? MS_WIRE_MODIFY : same->kind;
		else if (address != 0)
			add(step, address, MS_WIRE_WRITE);
	}
	return NULL;
}

const struct ms_import_format ms_import_champsim = { .record_bytes = RECORD, .decode = decode };
