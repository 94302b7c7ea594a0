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
 *
 * Registers have the numbers of Pin; 0: none. It is not said which of them are part of an address:
 * an instruction with references uses all that it reads, except those that it also writes
 * (add rax, [rbx]), if any are left.
 */
#include <string.h>

#include "stream/import/import_priv.h"
#include "wire/operands.h"
#include "wire/wire.h"

enum {
	RECORD = 64,
	IS_BRANCH = 8,
	TAKEN = 9,
	WRITTEN_REGISTERS = 10,
	READ_REGISTERS = 12,
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

/* --- registers --- */

enum { STACK_POINTER = 6, FLAGS = 25, INSTRUCTION_POINTER = 26 };

/*
 * A number for the stream, whose integer registers 5, 31 and 32 are the stack pointer or the link
 * register of an architecture. The stack pointer is always ready, like the instruction pointer.
 * There are more numbers than processors have registers in use: few of them coincide.
 */
static uint32_t number_of(uint8_t reg)
{
	enum { BEFORE = 4, INTEGERS = 29, ALL = 61 };
	uint32_t n = (uint32_t)(reg - 1) % ALL;

	if (reg == 0 || reg == STACK_POINTER || reg == INSTRUCTION_POINTER)
		return MS_WIRE_NO_REGISTER;
	if (reg == FLAGS)
		return MS_WIRE_FLAGS;
	if (n < INTEGERS)
		return MS_WIRE_INTEGER_REGISTER + n + (n >= BEFORE);
	return MS_WIRE_VECTOR_REGISTER + n - INTEGERS;
}

static bool is_written(const uint8_t *record, uint32_t number)
{
	for (unsigned i = 0; i < MS_WIRE_WRITTEN; i++)
		if (number_of(record[WRITTEN_REGISTERS + i]) == number)
			return true;
	return false;
}

/* Adds the registers that are read; of these only those that are also written, or only others. */
static uint64_t add_reads(uint64_t operands, const uint8_t *record, bool written, bool is_address)
{
	for (unsigned i = 0; i < MS_WIRE_READS; i++) {
		uint32_t number = number_of(record[READ_REGISTERS + i]);

		if (is_written(record, number) == written)
			operands = ms_wire_add_read(operands, number, is_address);
	}
	return operands;
}

/*
 * The instruction after a branch that reads registers is its outcome; others are always predicted
 * (calls, returns, direct jumps).
 */
static uint32_t operation_of(const uint8_t *record, uint64_t operands)
{
	if (record[IS_BRANCH] == 0)
		return MS_WIRE_OP_INTEGER;
	return ms_wire_read_register(operands, 0) != MS_WIRE_NO_REGISTER
		       ? MS_WIRE_OP_INDIRECT_BRANCH
		       : MS_WIRE_OP_BRANCH;
}

static uint64_t operands_of(const uint8_t *record, bool has_references)
{
	uint64_t others = add_reads(0, record, false, has_references);
	bool is_only_written = others == 0;
	uint64_t operands = add_reads(others, record, true, has_references && is_only_written);

	for (unsigned i = 0; i < MS_WIRE_WRITTEN; i++)
		operands =
			ms_wire_add_written(operands, number_of(record[WRITTEN_REGISTERS + i]), 0);
	return ms_wire_set_operation(operands, operation_of(record, operands));
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
	step->has_operands = true;
	step->operands = operands_of(record, step->n > 0);
	return NULL;
}

const struct ms_import_format ms_import_champsim = { .record_bytes = RECORD, .decode = decode };
