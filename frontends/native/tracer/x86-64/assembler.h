/* assembler.h - the few instructions that the translator generates itself. None changes the flags
 * unless its comment says so. */
#ifndef MS_NATIVE_TRACER_X86_64_ASSEMBLER_H
#define MS_NATIVE_TRACER_X86_64_ASSEMBLER_H

#include <stdbool.h>
#include <stdint.h>

#include "tracer/code_cache.h"

static inline void put8(uint32_t byte)
{
	*ms_tracer_emit_cursor++ = (uint8_t)byte;
}

static inline void put32(uint32_t word)
{
	__builtin_memcpy(ms_tracer_emit_cursor, &word, 4);
	ms_tracer_emit_cursor += 4;
}

static inline void put64(uint64_t word)
{
	__builtin_memcpy(ms_tracer_emit_cursor, &word, 8);
	ms_tracer_emit_cursor += 8;
}

static inline bool fits8(int64_t v)
{
	return v == (int8_t)v;
}

static inline bool fits32(int64_t v)
{
	return v == (int32_t)v;
}

static inline void put_rex(uint32_t w, uint32_t reg, uint32_t index, uint32_t base)
{
	uint32_t rex =
		0x40 | w << 3 | (reg >> 3 & 1) << 2 | (index >> 3 & 1) << 1 | (base >> 3 & 1);

	if (rex != 0x40)
		put8(rex);
}

static inline uint32_t log2_of(uint32_t scale)
{
	return scale == 8 ? 3 : scale == 4 ? 2 : scale == 2 ? 1 : 0;
}

/* ModRM, SIB and displacement of [base + index * scale + disp]; either register may be NO_REG. */
static inline void put_address(uint32_t reg, uint32_t base, uint32_t index, uint32_t scale,
			       int32_t disp)
{
	uint32_t r = (reg & 7) << 3;
	bool sib = index != NO_REG || base == NO_REG || (base & 7) == RSP;
	uint32_t mod = base == NO_REG || (disp == 0 && (base & 7) != RBP) ? 0 : fits8(disp) ? 1 : 2;

	put8(mod << 6 | r | (sib ? 4 : base & 7));
	if (sib)
		put8(log2_of(scale) << 6 | (index == NO_REG ? 4 : index & 7) << 3 |
		     (base == NO_REG ? 5 : base & 7));
	if (mod == 1)
		put8((uint32_t)disp);
	else if (mod == 2 || base == NO_REG)
		put32((uint32_t)disp);
}

/* opcode reg, [address], 64 bits wide. */
static inline void put_memory(uint32_t opcode, uint32_t reg, uint32_t base, uint32_t index,
			      uint32_t scale, int32_t disp)
{
	put_rex(1, reg, index == NO_REG ? 0 : index, base == NO_REG ? 0 : base);
	put8(opcode);
	put_address(reg, base, index, scale, disp);
}

enum { OP_LOAD = 0x8b, OP_STORE = 0x89, OP_LEA = 0x8d, OP_CMP = 0x3b };

static inline void put_gs(uint32_t opcode, uint32_t reg, int32_t at)
{
	put8(0x65);
	put_memory(opcode, reg, NO_REG, NO_REG, 1, at);
}

static inline void put_gs_load(uint32_t reg, int32_t at)
{
	put_gs(OP_LOAD, reg, at);
}

static inline void put_gs_store(uint32_t reg, int32_t at)
{
	put_gs(OP_STORE, reg, at);
}

/* mov dword %gs:at, value */
static inline void put_gs_value(int32_t at, uint32_t value)
{
	put8(0x65);
	put8(0xc7);
	put_address(0, NO_REG, NO_REG, 1, at);
	put32(value);
}

/* inc qword %gs:at; changes the flags */
static inline void put_gs_increment(int32_t at)
{
	put8(0x65);
	put_rex(1, 0, 0, 0);
	put8(0xff);
	put_address(0, NO_REG, NO_REG, 1, at);
}

static inline void put_gs_jump(int32_t at)
{
	put8(0x65);
	put8(0xff);
	put_address(4, NO_REG, NO_REG, 1, at);
}

static inline void put_constant(uint32_t reg, uint64_t value)
{
	if (value >> 32 == 0) {
		put_rex(0, 0, 0, reg);
		put8(0xb8 | (reg & 7));
		put32((uint32_t)value);
		return;
	}
	put_rex(1, 0, 0, reg);
	put8(0xb8 | (reg & 7));
	put64(value);
}

static inline void put_move(uint32_t to, uint32_t from)
{
	put_rex(1, from, 0, to);
	put8(OP_STORE);
	put8(0xc0 | (from & 7) << 3 | (to & 7));
}

/* mov dword [base + disp], value */
static inline void put_value32(uint32_t base, int32_t disp, uint32_t value)
{
	put_rex(0, 0, 0, base);
	put8(0xc7);
	put_address(0, base, NO_REG, 1, disp);
	put32(value);
}

/* mov qword [base + disp], value, extended by its sign */
static inline void put_value64(uint32_t base, int32_t disp, int32_t value)
{
	put_rex(1, 0, 0, base);
	put8(0xc7);
	put_address(0, base, NO_REG, 1, disp);
	put32((uint32_t)value);
}

/* Returns the address of the displacement. */
static inline uint8_t *put_branch(uint32_t condition)
{
	put8(0x0f);
	put8(0x80 | condition);
	put32(0);
	return ms_tracer_emit_cursor - 4;
}

static inline void aim_at(uint8_t *rel32, const uint8_t *to)
{
	int32_t distance = (int32_t)(to - (rel32 + 4));

	for (int i = 0; i < 4; i++)
		rel32[i] = (uint8_t)((uint32_t)distance >> 8 * i);
}

static inline void aim_here(uint8_t *rel32)
{
	aim_at(rel32, ms_tracer_emit_cursor);
}

static inline void put_jump(const uint8_t *to)
{
	put8(0xe9);
	put32((uint32_t)(to - (ms_tracer_emit_cursor + 4)));
}

#endif
