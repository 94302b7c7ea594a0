/*
 * emit.c - a block's code.
 *
 *      movabs r11, pc                  <- block->indirect: rcx is where an indirect branch goes,
 *      cmp    r11, rcx                    the program's rcx and r11 stand at %gs:regs
 *      jne    miss
 *      mov    r11, %gs:..              both are the program's again
 *      mov    rcx, %gs:..
 *      mov    %gs:spill, rB            <- block->entry: a register that the block does not use ...
 *      mov    rB, %gs:cursor              ... holds where the record goes
 *      cmp    rB, %gs:limit
 *      jae    full
 *      lea    rS, [address]            a reference, then the instruction itself;
 *      mov    [rB + 8], rS             rS: one that is dead there, or taken and given back
 *      ...
 *      mov    [rB], head               an exit: the record's head word, the cursor behind it,
 *      lea    rB, [rB + 8 * words]     the register given back
 *      mov    %gs:cursor, rB
 *      mov    rB, %gs:spill
 *      jmp    next                     patched when next is translated
 *
 * The program's stack is not touched, nor its flags where they are alive. At a block's ends every
 * register is the program's, but for dead ones.
 */
#include "asm.h"

/* Of the block being written. */
static struct ms_gather *g;
static struct ms_block *block;
static uint32_t next_exit;
static struct stub {
	uint8_t *rel32;
	uint64_t target;
} stubs[MS_MAX_EXITS + 4];
static uint32_t stub_count;
static uint8_t *full_from; /* where the branch's distance stands; NULL: none */
static bool full_flags;    /* and flags are in rax */
static uint8_t *miss_code; /* shared by all blocks */
static uint32_t turn;

enum { CONDITION_AE = 3, CONDITION_NE = 5 };
enum { LOW = 1 << RAX | 1 << RCX | 1 << RDX | 1 << RBX | 1 << RBP | 1 << RSI | 1 << RDI };

static int32_t reg_at(uint32_t reg)
{
	return MS_AT_REGS + 8 * (int32_t)reg;
}

static int32_t spill_at(uint32_t reg)
{
	return MS_AT_SPILL + 8 * (int32_t)reg;
}

/* --- which registers --- */

static uint32_t touched(void)
{
	uint32_t mask = 1u << RSP;

	for (uint32_t i = 0; i < g->n; i++)
		mask |= g->in[i]->use | g->in[i]->def;
	return mask;
}

static bool needs_lea(const struct ms_where *w)
{
	return w->base != CONSTANT &&
	       (w->fs || w->index != NO_REG || w->disp != 0 || w->base == NO_REG);
}

/* Its RIP-relative operand must become another. */
static bool needs_base(const struct ms_insn *in)
{
	return in->rip_modrm != 0 && in->loads_address == NO_REG && in->kind < MS_JUMP;
}

static bool needs_scratch(const struct ms_insn *in)
{
	if (needs_base(in))
		return true;
	for (uint32_t k = 0; k < in->refs; k++)
		if (needs_lea(&in->ref[k]))
			return true;
	return false;
}

/* Registers that instruction i may destroy. */
static uint32_t free_at(uint32_t i)
{
	uint32_t mask = ~(uint32_t)g->live[i].regs & 0xffff & ~(1u << RSP);

	if (block->b != NO_REG)
		mask &= ~(1u << block->b);
	if (block->s != NO_REG)
		mask |= 1u << block->s;
	return mask;
}

static uint32_t wanted_at(uint32_t i)
{
	return needs_base(g->in[i]) ? LOW : 0xffff;
}

static uint32_t pick(uint32_t mask)
{
	turn++;
	for (uint32_t k = 0; k < 16; k++)
		if (mask >> (turn + k) % 16 & 1)
			return (turn + k) % 16;
	return NO_REG;
}

/* One for the whole block that every instruction leaves alone; a second where it pays. */
static bool choose_registers(void)
{
	uint32_t idle = ~touched() & 0xffff, without = 0;

	block->b = block->s = NO_REG;
	if (g->silent)
		return true;
	if (g->live[0].flags != 0)
		idle &= ~(1u << RAX);
	block->b = (uint8_t)pick(
		idle & ~(uint32_t)g->live[0].regs ? idle & ~(uint32_t)g->live[0].regs : idle);
	if (block->b == NO_REG)
		return false;
	for (uint32_t i = 0; i < g->n; i++)
		if (needs_scratch(g->in[i]) && (free_at(i) & wanted_at(i)) == 0)
			without++;
	idle &= ~(1u << block->b);
	if (without > 1)
		block->s = (uint8_t)pick(idle & LOW ? idle & LOW : idle);
	return true;
}

/* --- scratch registers of one instruction --- */

struct scratch {
	uint8_t reg;
	bool taken; /* spilled for this instruction alone */
};

static struct scratch take_scratch(uint32_t i)
{
	uint32_t mask = free_at(i) & wanted_at(i);
	struct scratch s = { NO_REG, false };

	if (block->s != NO_REG && mask >> block->s & 1)
		s.reg = block->s;
	else
		s.reg = (uint8_t)pick(mask);
	if (s.reg != NO_REG)
		return s;
	mask = 0xffff & ~(uint32_t)(g->in[i]->use | g->in[i]->def) & ~(1u << RSP) & wanted_at(i);
	if (block->b != NO_REG)
		mask &= ~(1u << block->b);
	s.reg = (uint8_t)pick(mask);
	s.taken = true;
	put_gs_store(s.reg, spill_at(s.reg));
	return s;
}

static void give_back(struct scratch s)
{
	if (s.taken)
		put_gs_load(s.reg, spill_at(s.reg));
}

/* --- references --- */

static void put_constant_ref(uint64_t address, int32_t at)
{
	if (fits32((int64_t)address)) {
		put_value64(block->b, at, (int32_t)address);
		return;
	}
	put_value32(block->b, at, (uint32_t)address);
	put_value32(block->b, at + 4, (uint32_t)(address >> 32));
}

static void put_lea(uint32_t to, const struct ms_where *w)
{
	if (!w->fs) {
		put_memory(OP_LEA, to, w->base, w->index, w->scale, w->disp);
		return;
	}
	put8(0x64); /* the thread pointer points to itself */
	put_memory(OP_LOAD, to, NO_REG, NO_REG, 1, 0);
	if (w->base != NO_REG || w->disp != 0)
		put_memory(OP_LEA, to, to, w->base == RSP ? NO_REG : w->base, 1, w->disp);
	if (w->index != NO_REG)
		put_memory(OP_LEA, to, to, w->index, w->scale, 0);
}

/* Reference k of instruction in goes to word `word` of the record. */
static void put_ref(const struct ms_insn *in, uint32_t k, uint32_t word, struct scratch s)
{
	const struct ms_where *w = &in->ref[k];
	int32_t at = 8 * (int32_t)word;

	if (w->base == CONSTANT && needs_base(in)) {
		put_memory(OP_STORE, s.reg, block->b, NO_REG, 1, at); /* it holds the address */
	} else if (w->base == CONSTANT) {
		put_constant_ref(in->target, at);
	} else if (!needs_lea(w)) {
		put_memory(OP_STORE, w->base, block->b, NO_REG, 1, at);
	} else {
		put_lea(s.reg, w);
		put_memory(OP_STORE, s.reg, block->b, NO_REG, 1, at);
	}
}

/* --- the program's instructions --- */

/* A RIP-relative operand becomes [reg], a register below r8: no prefix is needed for that. */
static void put_copy(const struct ms_insn *in, uint32_t reg)
{
	const uint8_t *from = (const uint8_t *)in->pc;
	uint8_t *to = ms_cache_at;

	for (uint32_t i = 0; i < in->length; i++)
		put8(from[i]);
	if (in->rip_modrm == 0)
		return;
	to[in->rip_modrm] = (uint8_t)((from[in->rip_modrm] & 0x38) | 0x80 | reg);
	for (uint32_t i = 1; i <= 4; i++)
		to[in->rip_modrm + i] = 0;
}

static void note_site(const struct ms_insn *in, uint8_t taken, uint8_t state)
{
	ms_cache_site(block,
		      (struct ms_site){ in->pc,
					(uint16_t)(ms_cache_at - (uint8_t *)(uint64_t)block->entry),
					taken, state });
}

static void push_return(const struct ms_insn *in, struct scratch s)
{
	uint64_t to = in->pc + in->length;

	if (fits32((int64_t)to)) {
		put8(0x68);
		put32((uint32_t)to);
	} else if (s.reg != NO_REG) {
		put_constant(s.reg, to);
		put_rex(0, 0, 0, s.reg);
		put8(0x50 | (s.reg & 7));
	} else {
		put8(0x68);
		put32((uint32_t)to);
		put_value32(RSP, 4, (uint32_t)(to >> 32));
	}
}

static void put_refs(uint32_t i, struct scratch s)
{
	const struct ms_insn *in = g->in[i];

	bool lost = false;

	for (uint32_t k = 0; k < in->refs && !g->silent; k++) {
		put_ref(in, k, 1 + g->refs_before[i] + k, s);
		lost |= needs_lea(&in->ref[k]);
	}
	if (lost && needs_base(in)) /* push [rip + x] */
		put_constant(s.reg, in->target);
}

static struct scratch scratch_for(uint32_t i)
{
	const struct ms_insn *in = g->in[i];
	struct scratch none = { NO_REG, false }, s;

	if (g->silent ? !needs_base(in) : !needs_scratch(in))
		return none;
	s = take_scratch(i);
	if (needs_base(in))
		put_constant(s.reg, in->target);
	return s;
}

/* Instruction i and its references. */
static void put_insn(uint32_t i)
{
	const struct ms_insn *in = g->in[i];
	struct scratch s;

	note_site(in, NO_REG, MS_SITE_BODY);
	if (in->loads_address != NO_REG) {
		put_constant(in->loads_address, in->target);
		return;
	}
	s = scratch_for(i);
	put_refs(i, s);
	if (s.taken && !needs_base(in)) {
		give_back(s);
		s = (struct scratch){ NO_REG, false };
	}
	if (in->kind == MS_CALL) {
		push_return(in, s);
	} else if (in->kind == MS_PLAIN) {
		if (s.taken)
			note_site(in, s.reg, MS_SITE_BODY);
		put_copy(in, s.reg);
	}
	give_back(s);
}

/* --- exits --- */

static void restore(void)
{
	if (block->s != NO_REG)
		put_gs_load(block->s, spill_at(block->s));
	if (block->b != NO_REG)
		put_gs_load(block->b, spill_at(block->b));
}

/* The record is complete, up to `refs` references. */
static void put_exit(uint32_t refs)
{
	if (g->silent)
		return;
	put_value32(block->b, 0, (1 + refs) << 16 | MS_WIRE_EXEC);
	put_value32(block->b, 4, next_exit++);
	put_memory(OP_LEA, block->b, block->b, NO_REG, 1, 8 * (1 + (int32_t)refs));
	put_gs_store(block->b, MS_AT_CURSOR);
	restore();
}

/* A jump whose distance can be patched while others run through it. */
static void put_link(uint64_t target)
{
	struct ms_block *to = ms_cache_find(target);

	while ((((uint64_t)ms_cache_at + 1) & 7) > 4)
		put8(0x90);
	put8(0xe9);
	put32(0);
	if (to != NULL && to->entry != 0)
		ms_emit_patch(ms_cache_at - 4, to->entry);
	else
		stubs[stub_count++] = (struct stub){ ms_cache_at - 4, target };
}

static void put_stubs(void)
{
	for (uint32_t i = 0; i < stub_count; i++) {
		aim_here(stubs[i].rel32);
		put_gs_value(MS_AT_ARG, ms_cache_link(stubs[i].target, stubs[i].rel32));
		put_gs_jump(MS_AT_GLUE + 8 * MS_GLUE_LINK);
	}
}

static void put_to_c(uint64_t pc, enum ms_glue glue)
{
	put_gs_value(MS_AT_PC, (uint32_t)pc);
	put_gs_value(MS_AT_PC + 4, (uint32_t)(pc >> 32));
	put_gs_jump(MS_AT_GLUE + 8 * glue);
}

/* rcx: where to. */
static void put_lookup(void)
{
	put_gs_store(RCX, MS_AT_TARGET);
	if (ms_cache_table_mask == 0xffff) { /* movzx r11d, cx */
		put8(0x44), put8(0x0f), put8(0xb7), put8(0xd9);
	} else { /* pext r11, rcx, [mask]: the only one that leaves flags alone */
		put8(0xc4), put8(0x62), put8(0xf2), put8(0xf5);
		put_address(R11, NO_REG, NO_REG, 1, (int32_t)(uint64_t)&ms_cache_table[-1]);
	}
	put_memory(OP_LOAD, R11, NO_REG, R11, 8, (int32_t)(uint64_t)ms_cache_table);
	put8(0x41), put8(0xff), put8(0xe3); /* jmp r11 */
}

static void put_load_target(const struct ms_insn *in)
{
	const struct ms_where *w = &in->ref[0];

	if (in->kind == MS_RETURN) {
		put_memory(OP_LOAD, RCX, RSP, NO_REG, 1, 0);
		put_memory(OP_LEA, RSP, RSP, NO_REG, 1, 8 + in->pops);
	} else if (in->indirect != NO_REG) {
		put_move(RCX, in->indirect);
	} else if (in->rip_modrm != 0) {
		put_constant(RCX, in->target);
		put_memory(OP_LOAD, RCX, RCX, NO_REG, 1, 0);
	} else {
		if (w->fs)
			put8(0x64);
		put_memory(OP_LOAD, RCX, w->base, w->index, w->scale, w->disp);
	}
}

static void put_indirect(const struct ms_insn *in)
{
	put_exit(g->refs);
	put_gs_store(RCX, reg_at(RCX));
	put_gs_store(R11, reg_at(R11));
	note_site(in, NO_REG, MS_SITE_JUMP);
	put_load_target(in);
	if (in->kind == MS_INDIRECT_CALL) {
		struct scratch s = { R11, false };

		push_return(in, s);
	}
	put_lookup();
}

static uint32_t condition_of(const struct ms_insn *in)
{
	const uint8_t *at = (const uint8_t *)in->pc;

	while (*at == 0x2e || *at == 0x3e || *at == 0x66 || *at == 0xf2 || (*at & 0xf0) == 0x40)
		at++;
	return *at == 0x0f ? at[1] & 15 : at[0] & 15;
}

/* The likely way stands in line: back to a loop's start. */
static void put_conditional(const struct ms_insn *in)
{
	uint64_t behind = in->pc + in->length;
	bool back = in->target <= in->pc;
	uint8_t *away = put_branch(condition_of(in) ^ (back ? 1 : 0));

	put_exit(g->refs);
	put_link(back ? in->target : behind);
	aim_here(away);
	put_exit(g->refs);
	put_link(back ? behind : in->target);
}

static void put_loop(const struct ms_insn *in)
{
	uint8_t *away;

	put8(((const uint8_t *)in->pc)[in->length - 2]);
	put8(5);
	put8(0xe9);
	put32(0);
	away = ms_cache_at - 4;
	put_exit(g->refs);
	put_link(in->target);
	aim_here(away);
	put_exit(g->refs);
	put_link(in->pc + in->length);
}

/* One round, and back to the start of the block; rcx counts. */
static void put_rep(const struct ms_insn *in)
{
	const uint8_t *from = (const uint8_t *)in->pc;
	uint8_t *on, *out = NULL;

	put8(0xe3), put8(2); /* jrcxz: none left */
	put8(0xeb), put8(5); /* over the jump */
	put8(0xe9), put32(0);
	on = ms_cache_at - 4;
	note_site(in, NO_REG, MS_SITE_BODY);
	put_refs(0, (struct scratch){ NO_REG, false });
	for (uint32_t i = 0; i < in->length; i++)
		if (i != in->rep_prefix_at)
			put8(from[i]);
	put_memory(OP_LEA, RCX, RCX, NO_REG, 1, -1);
	if (in->rep_compares)
		out = put_branch(from[in->rep_prefix_at] == 0xf3 ? 5 : 4);
	put_exit(g->refs);
	put_link(in->pc);
	aim_here(on);
	put_exit(0);
	put_link(in->pc + in->length);
	if (out == NULL)
		return;
	aim_here(out);
	put_exit(g->refs);
	put_link(in->pc + in->length);
}

static void put_last(const struct ms_insn *in)
{
	switch ((enum ms_insn_kind)in->kind) {
	case MS_JUMP:
	case MS_CALL:
		put_exit(g->refs);
		put_link(in->target);
		break;
	case MS_BRANCH:
		put_conditional(in);
		break;
	case MS_LOOP:
		put_loop(in);
		break;
	case MS_INDIRECT_JUMP:
	case MS_INDIRECT_CALL:
	case MS_RETURN:
		put_indirect(in);
		break;
	case MS_REP:
		put_rep(in);
		break;
	case MS_SYSCALL:
	case MS_REQUEST:
	default:
		put_exit(g->refs);
		put_to_c(in->pc, MS_GLUE_CALL);
		break;
	}
}

/* --- the block --- */

static void put_check(void)
{
	full_from = NULL;
	full_flags = g->live[0].flags != 0;
	if (g->silent)
		return;
	put_gs_store(block->b, spill_at(block->b));
	put_gs_load(block->b, MS_AT_CURSOR);
	if (full_flags) {
		put_gs_store(RAX, reg_at(RAX));
		put8(0x9f);                         /* lahf */
		put8(0x0f), put8(0x90), put8(0xc0); /* seto al */
	}
	put_gs(OP_CMP, block->b, MS_AT_LIMIT);
	full_from = put_branch(CONDITION_AE);
	if (full_flags) {
		put8(0x04), put8(0x7f); /* add al, 127 */
		put8(0x9e);             /* sahf */
		put_gs_load(RAX, reg_at(RAX));
	}
	if (block->s != NO_REG)
		put_gs_store(block->s, spill_at(block->s));
}

static void put_full(void)
{
	if (full_from == NULL)
		return;
	aim_here(full_from);
	if (full_flags) {
		put8(0x04), put8(0x7f);
		put8(0x9e);
		put_gs_load(RAX, reg_at(RAX));
	}
	put_gs_load(block->b, spill_at(block->b));
	put_to_c(block->pc, MS_GLUE_FULL);
}

static void put_indirect_entry(void)
{
	block->indirect = (uint32_t)(uint64_t)ms_cache_at;
	if (g->live[0].flags == 0) {
		uint8_t *miss;

		put_constant(R11, block->pc);
		put8(0x49), put8(0x3b), put8(0xcb); /* cmp rcx, r11 */
		miss = put_branch(CONDITION_NE);
		ms_emit_patch(miss, (uint64_t)miss_code);
	} else {
		put_constant(R11, -block->pc);
		put_memory(OP_LEA, RCX, RCX, R11, 1, 0);
		put8(0xe3), put8(5); /* jrcxz */
		put_jump(miss_code);
	}
	put_gs_load(R11, reg_at(R11));
	put_gs_load(RCX, reg_at(RCX));
}

static void put_sides(void)
{
	for (uint32_t k = 0; k < g->sides; k++) {
		struct ms_side *side = &g->side[k];

		aim_here(side->patch);
		put_exit(g->refs_before[side->at + 1]);
		put_link(side->target);
	}
}

static void put_body(void)
{
	uint32_t side = 0;

	for (uint32_t i = 0; i < g->n; i++) {
		const struct ms_insn *in = g->in[i];

		if (side < g->sides && g->side[side].at == i) {
			g->side[side].patch = put_branch(condition_of(in) ^ g->side[side].inverted);
			side++;
		} else if (in->kind != MS_REP) {
			put_insn(i);
		}
	}
}

void ms_emit_patch(uint8_t *rel32, uint64_t to)
{
	__atomic_store_n((int32_t *)rel32, (int32_t)(to - ((uint64_t)rel32 + 4)), __ATOMIC_RELEASE);
}

/* The exits in the order in which the code of each is written. */
static uint32_t list_exits(struct ms_wire_exit *exits)
{
	uint32_t n = 0;
	const struct ms_insn *last = g->n > 0 ? g->in[g->n - 1] : NULL;
	struct ms_wire_exit whole = { (uint16_t)g->refs, (uint16_t)g->n, 0 };
	bool two = g->term == MS_TERM_INSN && (last->kind == MS_BRANCH || last->kind == MS_LOOP);

	exits[n++] = whole;
	if (two)
		exits[n++] = whole;
	if (g->term == MS_TERM_INSN && last->kind == MS_REP) {
		exits[n++] = (struct ms_wire_exit){ 0, 1, 0 };
		exits[n++] = whole;
	}
	for (uint32_t k = 0; k < g->sides; k++)
		exits[n++] = (struct ms_wire_exit){ g->refs_before[g->side[k].at + 1],
						    (uint16_t)(g->side[k].at + 1), 0 };
	return n;
}

static uint32_t describe(struct ms_thread *t)
{
	static uint64_t pcs[MS_MAX_INSNS];
	static struct ms_wire_ref refs[MS_MAX_REFS + 8];
	static struct ms_wire_exit exits[MS_MAX_EXITS + 4];
	uint32_t n = 0;

	for (uint32_t i = 0; i < g->n; i++) {
		pcs[i] = g->in[i]->pc;
		for (uint32_t k = 0; k < g->in[i]->refs; k++)
			refs[n++] = (struct ms_wire_ref){ (uint16_t)i, g->in[i]->ref[k].size,
							  g->in[i]->ref[k].kind, 0 };
	}
	return ms_block_describe(t, pcs, g->n, refs, n, exits, list_exits(exits));
}

void ms_emit(struct ms_thread *t, struct ms_block *b, struct ms_gather *gathered)
{
	g = gathered;
	block = b;
	while (!choose_registers())
		ms_gather_cut(g, g->n / 2);
	if (!g->silent)
		block->first_exit = next_exit = describe(t);
	stub_count = 0;
	put_indirect_entry();
	block->entry = (uint32_t)(uint64_t)ms_cache_at;
	put_check();
	put_body();
	if (g->term == MS_TERM_CUT) {
		put_exit(g->refs);
		put_link(g->next);
	} else {
		put_last(g->in[g->n - 1]);
	}
	put_sides();
	put_full();
	put_stubs();
	block->size = (uint32_t)((uint64_t)ms_cache_at - block->entry);
}

void ms_emit_start(void)
{
	miss_code = ms_cache_at;
	put_gs_load(R11, reg_at(R11));
	put_gs_load(RCX, reg_at(RCX));
	put_gs_jump(MS_AT_GLUE + 8 * MS_GLUE_MISS);
	for (uint64_t i = 0; i <= ms_cache_table_mask; i++)
		ms_cache_table[i] = (uint64_t)miss_code;
}
