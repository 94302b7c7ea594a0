/*
 * instruction_templates.c - see instruction_templates.h. A direct-mapped table, in which a new
 * template replaces the old one. Its index is a hash of the bytes that the instruction seems to
 * have. The guess of their number need not be right, since a template has a mask of its own bytes.
 */
#include "instruction_templates.h"

#include "runtime/libc_substitutes.h"

/* A short program touches few pages of a small table; after WIDENS_AFTER templates all of it is
 * used. */
enum { FIRST_BITS = 10, MOST_BITS = 13, WIDENS_AFTER = 2 << FIRST_BITS };

struct template
{
	uint64_t mask[2], bytes[2]; /* mask: without the relative displacement */
	struct ms_tracer_insn in;   /* target: relative to the pc */
	uint8_t displacement_at;    /* offset of a relative displacement; 0: none */
};
static struct template *templates; /* NULL: out of memory */
static uint32_t template_bits = FIRST_BITS, template_count;

void ms_tracer_start_templates(void)
{
	templates = ms_runtime_map_pages(sizeof(*templates) << MOST_BITS);
}

/* --- guessing which bytes identify an instruction --- */

static bool is_prefix(uint8_t byte)
{
	return byte == 0x66 || byte == 0xf2 || byte == 0xf3 || byte == 0xf0 || byte == 0x64 ||
	       byte == 0x2e || byte == 0x3e || byte == 0x67;
}

static bool is_relative(uint8_t modrm)
{
	return (modrm & 0xc7) == 5;
}

/* Bytes of the constant after an opcode of one byte and its operands. */
static uint32_t constant_bytes(uint8_t opcode, uint8_t modrm)
{
	if (is_relative(modrm)) /* it is after a displacement */
		return 0;
	switch (opcode) {
	case 0x6b:
	case 0x80:
	case 0x83:
	case 0xc0:
	case 0xc1:
	case 0xc6:
		return 1;
	case 0x69:
	case 0x81:
	case 0xc7:
		return 4;
	case 0xf6:
	case 0xf7: /* test; the other instructions of this opcode have no constant */
		return (modrm & 0x38) != 0 ? 0 : opcode == 0xf6 ? 1 : 4;
	default:
		return 0;
	}
}

static bool has_modrm(uint8_t opcode)
{
	return (opcode < 0x40 && (opcode & 4) == 0) || opcode == 0x63 || opcode == 0x69 ||
	       opcode == 0x6b || (opcode & 0xf0) == 0x80 || (opcode & 0xfe) == 0xc0 ||
	       (opcode & 0xfe) == 0xc6 || (opcode & 0xfc) == 0xd0 || (opcode & 0xf8) == 0xd8 ||
	       (opcode & 0xf6) == 0xf6;
}

/* Bytes after an opcode of one byte without operands in memory. Relative displacements are not
 * among them. */
static uint32_t plain_bytes(uint8_t opcode)
{
	if ((opcode & 0xf8) == 0xb8 || (opcode < 0x40 && (opcode & 7) == 5) || opcode == 0x68 ||
	    opcode == 0xa9)
		return 4;
	return (opcode & 0xf0) == 0x70 || (opcode & 0xf8) == 0xb0 || opcode == 0x6a ||
	       opcode == 0xa8 || opcode == 0xeb || (opcode < 0x40 && (opcode & 7) == 4);
}

/* Bytes of operands from the ModRM byte on. */
static uint32_t operand_bytes(const uint8_t *modrm)
{
	uint32_t mod = *modrm >> 6, rm = *modrm & 7, n = 1;

	if (mod == 3 || is_relative(*modrm)) /* without the displacement */
		return n;
	n += rm == 4;
	if (mod == 1)
		return n + 1;
	return n + (mod == 2 || (rm == 4 && (modrm[1] & 7) == 5) ? 4 : 0);
}

static uint32_t guess_bytes(const uint8_t *code)
{
	uint32_t at = 0;
	uint8_t opcode;

	while (at < 3 && is_prefix(code[at]))
		at++;
	at += (code[at] & 0xf0) == 0x40;
	opcode = code[at++];
	if (opcode == 0xc4 || opcode == 0xc5 || opcode == 0x62) {
		at += (opcode == 0xc4 ? 2 : opcode == 0xc5 ? 1 : 3) + 1;
		return at + operand_bytes(&code[at]);
	}
	if (opcode != 0x0f)
		return has_modrm(opcode)
			       ? at + operand_bytes(&code[at]) + constant_bytes(opcode, code[at])
			       : at + plain_bytes(opcode);
	opcode = code[at++];
	if ((opcode & 0xf0) == 0x80) /* a branch */
		return at;
	at += (opcode & 0xfd) == 0x38;
	return at + operand_bytes(&code[at]);
}

/* --- the table --- */

static struct template *template_at(const uint8_t *code)
{
	enum { WORD = 8 };
	uint32_t n = guess_bytes(code);
	uint64_t word;

	__builtin_memcpy(&word, code, WORD);
	if (n < WORD)
		word &= (UINT64_C(1) << 8 * n) - 1;
	return &templates[word * UINT64_C(0x9e3779b97f4a7c15) >> (64 - template_bits)];
}

static uint32_t read_displacement(const uint8_t *code, uint32_t at)
{
	uint32_t displacement;

	__builtin_memcpy(&displacement, code + at, sizeof(displacement));
	return displacement;
}

bool ms_tracer_find_template(struct ms_tracer_insn *in, uint64_t pc, const uint8_t *code)
{
	const struct template *t;
	uint64_t bytes[2];

	if (templates == NULL)
		return false;
	t = template_at(code);
	__builtin_memcpy(bytes, code, sizeof(bytes));
	if (t->in.length == 0 || (((bytes[0] ^ t->bytes[0]) & t->mask[0]) |
				  ((bytes[1] ^ t->bytes[1]) & t->mask[1])) != 0)
		return false;
	*in = t->in;
	in->pc = pc;
	if (t->displacement_at != 0) {
		int32_t displacement = (int32_t)read_displacement(code, t->displacement_at);

		in->target = pc + in->length + (uint64_t)(int64_t)displacement;
		for (uint32_t k = 0; k < in->refs; k++)
			if (in->ref[k].base == CONSTANT)
				in->ref[k].disp = displacement;
	} else if (in->target != 0) {
		in->target += pc;
	}
	return true;
}

/* The offset of a relative displacement of four bytes; 0: it has none. */
static uint8_t find_displacement(const struct ms_tracer_insn *in, const uint8_t *code)
{
	uint8_t at = in->rip_modrm != 0 ? in->rip_modrm + 1 : in->length - 4;

	if (in->rip_modrm == 0 && (in->length < 5 || (in->kind != MS_TRACER_INSN_JUMP &&
						      in->kind != MS_TRACER_INSN_CALL &&
						      in->kind != MS_TRACER_INSN_BRANCH)))
		return 0;
	return in->target == in->pc + in->length + (uint64_t)(int32_t)read_displacement(code, at)
		       ? at
		       : 0;
}

/* An instruction that is not understood may be a longer one that was cut off. What a request is
 * depends on the instructions before it. */
static bool may_keep(const struct ms_tracer_insn *in, const uint8_t *code)
{
	bool is_marker = in->length == 3 && code[0] == 0x48 && code[1] == 0x87 && code[2] == 0xdb;

	return in->kind != MS_TRACER_INSN_UNKNOWN && !is_marker;
}

void ms_tracer_add_template(const struct ms_tracer_insn *in, const uint8_t *code)
{
	uint8_t mask[MS_TRACER_TEMPLATE_BYTES] = { 0 };
	struct template *t;

	if (templates == NULL || !may_keep(in, code))
		return;
	if (template_count < WIDENS_AFTER && ++template_count == WIDENS_AFTER)
		template_bits = MOST_BITS;
	t = template_at(code);
	t->in = *in;
	t->in.target = in->target != 0 ? in->target - in->pc : 0;
	t->displacement_at = find_displacement(in, code);
	for (uint32_t i = 0; i < in->length; i++)
		if (t->displacement_at == 0 || i - t->displacement_at >= 4)
			mask[i] = 0xff;
	__builtin_memcpy(t->mask, mask, sizeof(t->mask));
	__builtin_memcpy(t->bytes, code, sizeof(t->bytes));
}
