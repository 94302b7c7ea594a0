/*
 * dwarf_cfi.c - reads .eh_frame, as far as compilers use it: the sorted table of
 * .eh_frame_hdr, versions 1 and 3, all instructions of DWARF 4, expressions of the kinds that the
 * linker's PLT and the C library's signal return have.
 */
#include "unwind/dwarf_cfi.h"

#include "callee_saved.h"
#include "maps/maps.h"
#include "runtime/libc_substitutes.h"

/* --- numbers --- */

struct cfi_cursor {
	const uint8_t *at, *end;
};

static uint64_t read_fixed(struct cfi_cursor *c, uint32_t bytes)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < bytes && c->at < c->end; i++)
		n |= (uint64_t)*c->at++ << 8 * i;
	return n;
}

static uint64_t read_uleb(struct cfi_cursor *c)
{
	uint64_t n = 0;
	uint32_t shift = 0;
	uint8_t byte = 0x80;

	while ((byte & 0x80) && c->at < c->end) {
		byte = *c->at++;
		if (shift < 64)
			n |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	}
	return n;
}

static int64_t read_sleb(struct cfi_cursor *c)
{
	const uint8_t *from = c->at;
	uint64_t n = read_uleb(c);
	uint32_t bits = 7 * (uint32_t)(c->at - from);

	if (c->at > from && (c->at[-1] & 0x40) && bits < 64)
		n |= ~UINT64_C(0) << bits;
	return (int64_t)n;
}

/* DW_EH_PE_*: how a pointer is written. */
static uint64_t read_pointer(struct cfi_cursor *c, uint8_t encoding, uint64_t data)
{
	uint64_t here = (uint64_t)c->at, n;

	switch (encoding & 0x0f) {
	case 0x01:
		n = read_uleb(c);
		break;
	case 0x02:
		n = read_fixed(c, 2);
		break;
	case 0x03:
		n = read_fixed(c, 4);
		break;
	case 0x09:
		n = (uint64_t)read_sleb(c);
		break;
	case 0x0a:
		n = (uint64_t)(int64_t)(int16_t)read_fixed(c, 2);
		break;
	case 0x0b:
		n = (uint64_t)(int64_t)(int32_t)read_fixed(c, 4);
		break;
	default:
		n = read_fixed(c, 8);
		break;
	}
	if ((encoding & 0x70) == 0x10)
		n += here;
	else if ((encoding & 0x70) == 0x30)
		n += data;
	return n;
}

/* --- the tables --- */

struct fde {
	uint64_t start, size;
	uint64_t code_factor;
	int64_t data_factor;
	uint64_t return_register;
	bool is_signal;
	struct cfi_cursor first, instructions; /* instructions: the CIE's, then the FDE's */
};

static bool read_augmentation(const char *text, struct cfi_cursor *data, struct fde *fde,
			      uint8_t *encoding)
{
	*encoding = 0;
	for (; *text != '\0'; text++) {
		if (*text == 'R')
			*encoding = (uint8_t)read_fixed(data, 1);
		else if (*text == 'P')
			read_pointer(data, (uint8_t)read_fixed(data, 1), 0);
		else if (*text == 'L')
			read_fixed(data, 1);
		else if (*text == 'S')
			fde->is_signal = true;
		else if (*text != 'B')
			return false;
	}
	return true;
}

static bool read_cie(const uint8_t *at, struct fde *fde, uint8_t *encoding, bool *has_data)
{
	struct cfi_cursor c = { at + 4, at + 4 + *(const uint32_t *)at };
	const char *augmentation;
	uint8_t version;

	read_fixed(&c, 4);
	version = (uint8_t)read_fixed(&c, 1);
	augmentation = (const char *)c.at;
	c.at += ms_runtime_get_text_length(augmentation) + 1;
	fde->code_factor = read_uleb(&c);
	fde->data_factor = read_sleb(&c);
	fde->return_register = version == 1 ? read_fixed(&c, 1) : read_uleb(&c);
	*encoding = 0;
	*has_data = augmentation[0] == 'z';
	if (*has_data) {
		uint64_t n = read_uleb(&c);
		struct cfi_cursor data = { c.at, c.at + n };

		if (!read_augmentation(augmentation + 1, &data, fde, encoding))
			return false;
		c.at += n;
	} else if (augmentation[0] != '\0') {
		return false;
	}
	fde->first = c;
	return version == 1 || version == 3;
}

static bool read_fde(const uint8_t *at, struct fde *fde)
{
	uint32_t length = *(const uint32_t *)at;
	struct cfi_cursor c = { at + 4, at + 4 + length };
	uint8_t encoding;
	bool has_data;

	if (length == 0 || length == UINT32_MAX)
		return false;
	const uint8_t *back = c.at;
	uint32_t distance = (uint32_t)read_fixed(&c, 4);
	if (distance == 0 || !read_cie(back - distance, fde, &encoding, &has_data))
		return false;
	fde->start = read_pointer(&c, encoding, 0);
	fde->size = read_pointer(&c, encoding & 0x0f, 0);
	if (has_data) {
		uint64_t n = read_uleb(&c);

		c.at += n;
	}
	fde->instructions = c;
	return true;
}

/* The entry for pc, or the last before it. */
static bool find_fde(const uint8_t *table, uint64_t pc, struct fde *fde)
{
	struct cfi_cursor c = { table + 4, table + 64 };
	uint32_t count, low = 0, high;

	if (table[0] != 1 || table[3] != 0x3b) /* sorted, relative to the table */
		return false;
	read_pointer(&c, table[1], (uint64_t)table);
	count = (uint32_t)read_pointer(&c, table[2], (uint64_t)table);
	const int32_t(*rows)[2] = (const int32_t(*)[2])c.at;
	high = count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if ((uint64_t)table + (uint64_t)(int64_t)rows[middle][0] <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	*fde = (struct fde){ 0 };
	return low > 0 && read_fde(table + rows[low - 1][1], fde) && pc - fde->start < fde->size;
}

/* --- instructions --- */

static void set(struct ms_unwind_cfi_state *s, uint64_t reg, uint8_t how, int64_t offset)
{
	if (reg < MS_UNWIND_CFI_REGS)
		s->row.rule[reg] = (struct ms_unwind_cfi_rule){ how, (int32_t)offset, NULL };
}

static void set_expression(struct ms_unwind_cfi_state *s, uint64_t reg, struct cfi_cursor *c)
{
	if (reg < MS_UNWIND_CFI_REGS)
		s->row.rule[reg] =
			(struct ms_unwind_cfi_rule){ MS_UNWIND_CFI_EXPRESSION, 0, c->at };
	uint64_t n = read_uleb(c);

	c->at += n;
}

static void set_base(struct ms_unwind_cfi_state *s, int32_t base, int64_t offset)
{
	s->row.base = base;
	s->row.offset = offset;
	s->row.expression = NULL;
}

static void restore(struct ms_unwind_cfi_state *s, uint64_t reg)
{
	if (reg < MS_UNWIND_CFI_REGS)
		s->row.rule[reg] = s->first.rule[reg];
}

/* Instructions on a register of the caller; false: another instruction. */
static bool step_register(struct ms_unwind_cfi_state *s, const struct fde *f, uint8_t op,
			  struct cfi_cursor *c)
{
	static const uint8_t how[] = {
		[0x05] = MS_UNWIND_CFI_OFFSET, [0x07] = MS_UNWIND_CFI_UNDEFINED,
		[0x08] = MS_UNWIND_CFI_SAME,   [0x09] = MS_UNWIND_CFI_REGISTER,
		[0x11] = MS_UNWIND_CFI_OFFSET, [0x14] = MS_UNWIND_CFI_VALUE,
	};
	uint64_t reg;

	switch (op) {
	case 0x05: /* offset_extended */
	case 0x14: /* val_offset */
		reg = read_uleb(c);
		set(s, reg, how[op], (int64_t)read_uleb(c) * f->data_factor);
		return true;
	case 0x06: /* restore_extended */
		restore(s, read_uleb(c));
		return true;
	case 0x07: /* undefined */
	case 0x08: /* same_value */
		set(s, read_uleb(c), how[op], 0);
		return true;
	case 0x09: /* register */
		reg = read_uleb(c);
		set(s, reg, how[op], (int64_t)read_uleb(c));
		return true;
	case 0x10: /* expression */
		set_expression(s, read_uleb(c), c);
		return true;
	case 0x11: /* offset_extended_sf */
		reg = read_uleb(c);
		set(s, reg, how[op], read_sleb(c) * f->data_factor);
		return true;
	}
	return false;
}

/* Instructions on the CFA; false: another instruction. */
static bool step_base(struct ms_unwind_cfi_state *s, const struct fde *f, uint8_t op,
		      struct cfi_cursor *c)
{
	uint64_t n;

	switch (op) {
	case 0x0c: /* def_cfa */
		n = read_uleb(c);
		set_base(s, (int32_t)n, (int64_t)read_uleb(c));
		return true;
	case 0x0d: /* def_cfa_register */
		set_base(s, (int32_t)read_uleb(c), s->row.offset);
		return true;
	case 0x0e: /* def_cfa_offset */
		set_base(s, s->row.base, (int64_t)read_uleb(c));
		return true;
	case 0x0f: /* def_cfa_expression */
		s->row.base = -1;
		s->row.expression = c->at;
		n = read_uleb(c);
		c->at += n;
		return true;
	case 0x12: /* def_cfa_sf */
		n = read_uleb(c);
		set_base(s, (int32_t)n, read_sleb(c) * f->data_factor);
		return true;
	case 0x13: /* def_cfa_offset_sf */
		set_base(s, s->row.base, read_sleb(c) * f->data_factor);
		return true;
	}
	return false;
}

/* Instructions whose opcode is in the low six bits; false: unknown. */
static bool step_plain(struct ms_unwind_cfi_state *s, const struct fde *f, uint8_t op,
		       struct cfi_cursor *c)
{
	switch (op) {
	case 0x00: /* nop */
	case 0x2d: /* the return address is signed, or not any more: see MS_UNWIND_CODE_ADDRESS_MASK
		    */
		return true;
	case 0x01: /* set_loc */
		s->pc = read_fixed(c, 8);
		return true;
	case 0x02:
	case 0x03:
	case 0x04: /* advance_loc1, 2, 4 */
		s->pc += read_fixed(c, 1u << (op - 2)) * f->code_factor;
		return true;
	case 0x0a: /* remember_state */
		if (s->depth == MS_UNWIND_CFI_MAX_SAVED_ROWS)
			return false;
		s->saved_rows[s->depth++] = s->row;
		return true;
	case 0x0b: /* restore_state */
		if (s->depth == 0)
			return false;
		s->row = s->saved_rows[--s->depth];
		return true;
	case 0x2e: /* GNU_args_size */
		read_uleb(c);
		return true;
	}
	return step_register(s, f, op, c) || step_base(s, f, op, c);
}

static bool run(struct ms_unwind_cfi_state *s, const struct fde *f, struct cfi_cursor c,
		uint64_t pc)
{
	while (c.at < c.end && s->pc <= pc) {
		uint8_t op = *c.at++;
		uint8_t low = op & 0x3f;

		if (op >> 6 == 1) {
			s->pc += low * f->code_factor;
		} else if (op >> 6 == 2) {
			set(s, low, MS_UNWIND_CFI_OFFSET, (int64_t)read_uleb(&c) * f->data_factor);
		} else if (op >> 6 == 3) {
			restore(s, low);
		} else if (!step_plain(s, f, low, &c)) {
			return false;
		}
	}
	return true;
}

const struct ms_unwind_cfi_row *ms_unwind_find_cfi_row(const struct ms_maps_loaded_module *module,
						       uint64_t pc,
						       struct ms_unwind_cfi_state *work)
{
	struct fde fde;

	if (module->frame_table == NULL || !find_fde(module->frame_table, pc, &fde))
		return NULL;
	work->row = (struct ms_unwind_cfi_row){ .base = MS_UNWIND_CFI_SP };
	work->first = work->row;
	work->depth = 0;
	work->pc = 0;
	if (!run(work, &fde, fde.first, UINT64_MAX))
		return NULL;
	work->first = work->row;
	work->pc = fde.start;
	if (!run(work, &fde, fde.instructions, pc) || fde.return_register != MS_UNWIND_CFI_PC)
		return NULL;
	work->row.is_signal = fde.is_signal;
	return &work->row;
}

/* --- expressions --- */

enum { DEEPEST = 16 };

static bool binary(uint8_t op, uint64_t *a, uint64_t b)
{
	switch (op) {
	case 0x1a:
		*a &= b;
		return true;
	case 0x1c:
		*a -= b;
		return true;
	case 0x1e:
		*a *= b;
		return true;
	case 0x21:
		*a |= b;
		return true;
	case 0x22:
		*a += b;
		return true;
	case 0x24:
		*a <<= b & 63;
		return true;
	case 0x25:
		*a >>= b & 63;
		return true;
	case 0x27:
		*a ^= b;
		return true;
	case 0x29:
		*a = *a == b;
		return true;
	case 0x2a:
		*a = (int64_t)*a >= (int64_t)b;
		return true;
	case 0x2b:
		*a = (int64_t)*a > (int64_t)b;
		return true;
	case 0x2c:
		*a = (int64_t)*a <= (int64_t)b;
		return true;
	case 0x2d:
		*a = (int64_t)*a < (int64_t)b;
		return true;
	case 0x2e:
		*a = *a != b;
		return true;
	default:
		return false;
	}
}

/* The value that an operation pushes; false: it pushes nothing. */
static bool literal(uint8_t op, struct cfi_cursor *c, const uint64_t regs[MS_UNWIND_CFI_REGS],
		    uint64_t *value)
{
	if (op >= 0x30 && op <= 0x4f)
		*value = op - 0x30u;
	else if (op >= 0x70 && op <= 0x8f)
		*value = (op - 0x70 < MS_UNWIND_CFI_REGS ? regs[op - 0x70] : 0) +
			 (uint64_t)read_sleb(c);
	else if (op == 0x08 || op == 0x0a || op == 0x0c || op == 0x0e)
		*value = read_fixed(c, 1u << (op - 8) / 2);
	else if (op == 0x09)
		*value = (uint64_t)(int64_t)(int8_t)read_fixed(c, 1);
	else if (op == 0x0b)
		*value = (uint64_t)(int64_t)(int16_t)read_fixed(c, 2);
	else if (op == 0x0d)
		*value = (uint64_t)(int64_t)(int32_t)read_fixed(c, 4);
	else if (op == 0x10)
		*value = read_uleb(c);
	else if (op == 0x11)
		*value = (uint64_t)read_sleb(c);
	else
		return false;
	return true;
}

uint64_t ms_unwind_evaluate_expression(const uint8_t *expression,
				       const uint64_t regs[MS_UNWIND_CFI_REGS], uint64_t first,
				       bool (*read)(uint64_t at, uint64_t *word))
{
	struct cfi_cursor c = { expression, expression + 10 };
	uint64_t n = read_uleb(&c), stack[DEEPEST] = { first }, value;
	uint32_t depth = 1;

	c.end = c.at + n;
	while (c.at < c.end) {
		uint8_t op = *c.at++;

		if (literal(op, &c, regs, &value)) {
			if (depth == DEEPEST)
				return 0;
			stack[depth++] = value;
		} else if (op == 0x06) { /* deref */
			if (!read(stack[depth - 1], &stack[depth - 1]))
				return 0;
		} else if (op == 0x23) { /* plus_uconst */
			stack[depth - 1] += read_uleb(&c);
		} else if (op == 0x12 && depth < DEEPEST) { /* dup */
			stack[depth] = stack[depth - 1];
			depth++;
		} else if (depth < 2 || !binary(op, &stack[depth - 2], stack[depth - 1])) {
			return 0;
		} else {
			depth--;
		}
	}
	return stack[depth - 1];
}
