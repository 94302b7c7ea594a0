/*
 * The decoder of A64 instructions against the processor that runs this test: instructions of this
 * program's own code and of the C library's are executed one by one, with registers and memory
 * changed one at a time, and what each really reads, writes and refers to is compared. The operands
 * that are reported of it must have the vector registers and the flags, too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if defined(__aarch64__)
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/compiler.h"

#include "../../../frontends/native/tracer/aarch64/instruction_decoder.c"
#undef BIT
#undef BITS
#include "../../../frontends/native/tracer/aarch64/instruction_operands.c"

enum { REGS = 31, NONE = 31, ROUNDS = 3 };

struct state {
	uint64_t x[REGS], flags;
	uint8_t v[32][16];
};

static struct trial {
	struct state in, out;
	uint64_t sp;
} trial __attribute__((aligned(16)));

/* --- one instruction --- */

/* void run_code(struct trial *): the stack pointer is the trial, so that every register is free. */
__asm__(".text\n .globl run_code, run_word, run_end\n"
	"run_code:\n"
	"	sub	sp, sp, #160\n"
	"	stp	x19, x20, [sp]\n stp x21, x22, [sp, #16]\n stp x23, x24, [sp, #32]\n"
	"	stp	x25, x26, [sp, #48]\n stp x27, x28, [sp, #64]\n stp x29, x30, [sp, #80]\n"
	"	stp	d8, d9, [sp, #96]\n stp d10, d11, [sp, #112]\n"
	"	stp	d12, d13, [sp, #128]\n stp d14, d15, [sp, #144]\n"
	"	mov	x9, sp\n str x9, [x0, #1536]\n mov sp, x0\n"
	"	ldr	x9, [sp, #248]\n msr nzcv, x9\n"
	"	.irp	r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, "
	"20, "
	"21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31\n"
	"	ldr	q\\r, [sp, #(256 + 16 * \\r)]\n .endr\n"
	"	.irp	r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, "
	"20, "
	"21, 22, 23, 24, 25, 26, 27, 28, 29, 30\n"
	"	ldr	x\\r, [sp, #(8 * \\r)]\n .endr\n"
	"run_word:\n"
	"	nop\n"
	"	.irp	r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, "
	"20, "
	"21, 22, 23, 24, 25, 26, 27, 28, 29, 30\n"
	"	str	x\\r, [sp, #(768 + 8 * \\r)]\n .endr\n"
	"	mrs	x9, nzcv\n str x9, [sp, #(768 + 248)]\n"
	"	.irp	r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, "
	"20, "
	"21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31\n"
	"	str	q\\r, [sp, #(768 + 256 + 16 * \\r)]\n .endr\n"
	"	ldr	x9, [sp, #1536]\n mov sp, x9\n"
	"	ldp	x19, x20, [sp]\n ldp x21, x22, [sp, #16]\n ldp x23, x24, [sp, #32]\n"
	"	ldp	x25, x26, [sp, #48]\n ldp x27, x28, [sp, #64]\n ldp x29, x30, [sp, #80]\n"
	"	ldp	d8, d9, [sp, #96]\n ldp d10, d11, [sp, #112]\n"
	"	ldp	d12, d13, [sp, #128]\n ldp d14, d15, [sp, #144]\n"
	"	add	sp, sp, #160\n ret\n"
	"run_end:\n");
extern const uint8_t run_code[], run_word[], run_end[];
_Static_assert(sizeof(struct state) == 768, "the offsets above");

static uint32_t *code;
static sigjmp_buf back;

/* References are made near the middle of all this; what is looked at is `near`. */
enum { AROUND = 1 << 18, NEAR = 4096 };
static uint8_t *around, *near, before[NEAR], after[NEAR];

static void faults(int signal)
{
	(void)signal;
	siglongjmp(back, 1);
}

static void prepare(void)
{
	static uint8_t other_stack[64 << 10];
	stack_t other = { .ss_sp = other_stack, .ss_size = sizeof(other_stack) };
	struct sigaction a = { .sa_handler = faults, .sa_flags = SA_ONSTACK };

	code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
	around = mmap(NULL, AROUND, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(code != MAP_FAILED && around != MAP_FAILED);
	memcpy(code, run_code, (uintptr_t)run_end - (uintptr_t)run_code);
	near = around + AROUND / 2;
	sigaltstack(&other, NULL);
	sigaction(SIGILL, &a, NULL);
	sigaction(SIGSEGV, &a, NULL);
	sigaction(SIGBUS, &a, NULL);
}

static bool run(const struct state *in, struct state *out)
{
	memcpy(near, before, NEAR);
	trial.in = *in;
	if (sigsetjmp(back, 1) != 0)
		return false;
	((void (*)(struct trial *))(uintptr_t)code)(&trial);
	*out = trial.out;
	memcpy(after, near, NEAR);
	return true;
}

/* --- values --- */

static uint64_t random_word(void)
{
	static uint64_t x = 88172645463325252;

	x ^= x << 13;
	x ^= x >> 7;
	return x ^= x << 17;
}

static void fill(void *to, size_t n)
{
	for (size_t i = 0; i < n; i += 8)
		memcpy((char *)to + i, &(uint64_t){ random_word() }, 8);
}

static uint32_t field(const struct ms_tracer_insn *in, uint32_t which)
{
	return in->word >> ms_tracer_field_shifts[which] & 31;
}

static bool is_memory(uint32_t word)
{
	return (word >> 25 & 5) == 4;
}

/* For a register that the instruction may have: what points into `near` if it is an address. */
static uint64_t value_of(const struct ms_tracer_insn *in, uint32_t reg)
{
	uint64_t place = (uint64_t)near + NEAR / 2 + random_word() % 16 * 64;

	if (in->mode == MS_TRACER_MODE_ZERO && in->refs != 0)
		return place;
	if (is_memory(in->word))
		return reg == field(in, MS_TRACER_FIELD_N) ? place - (uint64_t)(int64_t)in->offset
							   : random_word() % 64;
	return random_word() % 4 == 0 ? random_word() % 64 : random_word();
}

/* --- what is seen --- */

struct seen {
	uint32_t reads, writes, kept; /* kept: what it was before is seen in it afterwards */
	uint32_t vector_reads, vector_writes, vector_kept;
	bool flags_read, flags_written;
};

static bool same_but_for(const struct state *a, const struct state *b, uint32_t reg)
{
	for (uint32_t r = 0; r < REGS; r++)
		if (r != reg && a->x[r] != b->x[r])
			return false;
	return a->flags == b->flags && memcmp(a->v, b->v, sizeof(a->v)) == 0;
}

static void look_at_registers(const struct ms_tracer_insn *in, const struct state *first,
			      const struct state *then, struct seen *seen)
{
	uint8_t memory[NEAR];
	struct state other, result;

	memcpy(memory, after, NEAR);
	for (uint32_t r = 0; r < REGS; r++) {
		seen->writes |= (uint32_t)(then->x[r] != first->x[r]) << r;
		other = *first;
		while (other.x[r] == first->x[r])
			other.x[r] = value_of(in, r);
		if (!run(&other, &result))
			continue;
		if (!same_but_for(&result, then, r) || memcmp(memory, after, NEAR) != 0)
			seen->reads |= 1u << r;
		seen->kept |= (uint32_t)(result.x[r] != then->x[r]) << r;
	}
	memcpy(after, memory, NEAR);
}

static bool same_vectors_but_for(const struct state *a, const struct state *b, uint32_t reg)
{
	for (uint32_t r = 0; r < 32; r++)
		if (r != reg && memcmp(a->v[r], b->v[r], sizeof(a->v[r])) != 0)
			return false;
	return a->flags == b->flags && memcmp(a->x, b->x, sizeof(a->x)) == 0;
}

static void look_at_vectors(const struct state *first, const struct state *then, struct seen *seen)
{
	uint8_t memory[NEAR];
	struct state other, result;

	memcpy(memory, after, NEAR);
	for (uint32_t r = 0; r < 32; r++) {
		bool writes = memcmp(then->v[r], first->v[r], sizeof(then->v[r])) != 0;

		seen->vector_writes |= (uint32_t)writes << r;
		other = *first;
		fill(other.v[r], sizeof(other.v[r]));
		if (!run(&other, &result))
			continue;
		if (!same_vectors_but_for(&result, then, r) || memcmp(memory, after, NEAR) != 0)
			seen->vector_reads |= 1u << r;
		if (memcmp(result.v[r], then->v[r], sizeof(then->v[r])) != 0)
			seen->vector_kept |= 1u << r;
	}
	memcpy(after, memory, NEAR);
}

static void look_at_flags(const struct state *first, const struct state *then, struct seen *seen)
{
	struct state other = *first, result;

	seen->flags_written |= then->flags != first->flags;
	other.flags ^= 0xf0000000;
	if (run(&other, &result) && (memcmp(result.x, then->x, sizeof(then->x)) != 0 ||
				     memcmp(result.v, then->v, sizeof(then->v)) != 0))
		seen->flags_read = true;
}

/* --- what is reported --- */

static bool reports_read(uint64_t operands, uint32_t reg)
{
	bool full = true;

	for (uint32_t i = 0; i < MS_WIRE_READS; i++) {
		if (ms_wire_read_register(operands, i) == reg)
			return true;
		full &= ms_wire_read_register(operands, i) != 0;
	}
	return full; /* there was no room for it */
}

static bool reports_written(uint64_t operands, uint32_t reg)
{
	return ms_wire_written_register(operands, 0) == reg ||
	       ms_wire_written_register(operands, 1) == reg ||
	       (ms_wire_written_register(operands, 0) != 0 &&
		ms_wire_written_register(operands, 1) != 0);
}

static void check_operands(const struct ms_tracer_insn *in, const struct seen *seen)
{
	uint64_t operands = ms_tracer_find_operands(in);

	for (uint32_t r = 0; r < 32; r++) {
		uint32_t bit = 1u << r, reg = MS_WIRE_VECTOR_REGISTER + r;
		bool reads = (seen->vector_reads | (seen->vector_kept & seen->vector_writes)) & bit;

		if (reads && !reports_read(operands, reg))
			fail_msg("%08x reads v%u, which is not reported", in->word, r);
		if ((seen->vector_writes & bit) && !reports_written(operands, reg))
			fail_msg("%08x writes v%u, which is not reported", in->word, r);
	}
	for (uint32_t r = 0; r < REGS; r++) {
		if ((seen->reads >> r & 1) && !reports_read(operands, 1 + r))
			fail_msg("%08x reads x%u, which is not reported", in->word, r);
		if ((seen->writes >> r & 1) && !reports_written(operands, 1 + r))
			fail_msg("%08x writes x%u, which is not reported", in->word, r);
	}
	if (seen->flags_read && !reports_read(operands, MS_WIRE_FLAGS))
		fail_msg("%08x reads the flags, which is not reported", in->word);
	if (seen->flags_written && !reports_written(operands, MS_WIRE_FLAGS))
		fail_msg("%08x writes the flags, which is not reported", in->word);
}

/* Where it refers to, by what the decoder says: from *start on, in `near`. */
static size_t referred(const struct ms_tracer_insn *in, const struct state *s, size_t *start)
{
	uint32_t m = field(in, MS_TRACER_FIELD_M), n = field(in, MS_TRACER_FIELD_N);
	uint64_t at, index = m == NONE ? 0 : s->x[m];

	if (in->extend == 2)
		index = (uint32_t)index;
	else if (in->extend == 6)
		index = (uint64_t)(int64_t)(int32_t)index;
	if (in->mode == MS_TRACER_MODE_ZERO)
		at = s->x[field(in, MS_TRACER_FIELD_T)] &
		     ~(uint64_t)(ms_tracer_zero_block_bytes - 1);
	else if (in->mode == MS_TRACER_MODE_INDEX)
		at = s->x[n] + (index << in->shift);
	else
		at = s->x[n] + (uint64_t)(int64_t)in->offset;
	*start = at - (uint64_t)near;
	return in->refs == 0 ? 0 : (size_t)in->step * (in->refs - 1u) + in->size;
}

static bool has_destination(const struct ms_tracer_insn *in)
{
	return in->role[MS_TRACER_FIELD_T2] != MS_TRACER_FIELD_WRITES ||
			       field(in, MS_TRACER_FIELD_T2) != NONE
		       ? field(in, MS_TRACER_FIELD_T) != NONE
		       : false;
}

/* NULL, or what is wrong. */
static const char *look_at_memory(const struct ms_tracer_insn *in, const struct state *first,
				  const struct state *then)
{
	bool writes = in->kind_first != MS_WIRE_READ || in->kind_other != MS_WIRE_READ;
	uint8_t kept[NEAR];
	struct state result;
	size_t start, n = referred(in, first, &start);
	const char *wrong = NULL;

	if (n != 0 && (start >= NEAR || start + n > NEAR))
		return "refers elsewhere";
	for (size_t i = 0; i < NEAR; i++)
		if (after[i] != before[i] && !(n != 0 && writes && i - start < n))
			return "writes elsewhere";
	memcpy(kept, before, NEAR);
	for (size_t i = 0; i < NEAR; i++)
		before[i] ^= i - start < n ? 0 : 0x5a;
	if (run(first, &result) && !same_but_for(&result, then, NONE))
		wrong = "reads elsewhere";
	for (size_t i = 0; i < NEAR; i++)
		before[i] = kept[i] ^ (i - start < n ? 0x5a : 0);
	if (n != 0 && in->kind_first != MS_WIRE_WRITE && has_destination(in) &&
	    run(first, &result) && same_but_for(&result, then, NONE))
		wrong = "does not read there";
	memcpy(before, kept, NEAR);
	return wrong;
}

/* False: it cannot be run here. */
static bool check(const struct ms_tracer_insn *in)
{
	struct seen seen = { 0 };
	const char *wrong = NULL;
	bool ran = false;

	code[((uintptr_t)run_word - (uintptr_t)run_code) / 4] = in->word;
	__builtin___clear_cache((char *)code, (char *)code + 4096);
	for (uint32_t round = 0; round < ROUNDS && wrong == NULL; round++) {
		struct state first = { .flags = random_word() & 0xf0000000 }, then;

		fill(before, NEAR);
		fill(first.v, sizeof(first.v));
		for (uint32_t r = 0; r < REGS; r++)
			first.x[r] = value_of(in, r);
		if (!run(&first, &then))
			continue;
		ran = true;
		look_at_registers(in, &first, &then, &seen);
		look_at_vectors(&first, &then, &seen);
		look_at_flags(&first, &then, &seen);
		memcpy(near, before, NEAR);
		run(&first, &then);
		wrong = look_at_memory(in, &first, &then);
	}
	if (wrong != NULL)
		fail_msg("%08x %s", in->word, wrong);
	if ((seen.writes & ~in->def) != 0 || (seen.reads & ~in->use) != 0 ||
	    (seen.kept & in->def & ~in->use) != 0)
		fail_msg("%08x reads %x, writes %x, keeps of %x; taken for %x, %x", in->word,
			 seen.reads, seen.writes, seen.kept, in->use, in->def);
	check_operands(in, &seen);
	return ran;
}

/* --- all of them --- */

/* Words that differ in their registers alone, and in some bits of a constant, are one. */
enum { KINDS_BITS = 16, EACH = 2 };
static uint8_t had[1 << KINDS_BITS];

static bool is_new(uint32_t word)
{
	uint32_t shape = word & ~((31u << 16 | 31u << 5 | 31u) | (is_memory(word) ? 0 : 31u << 10));
	uint8_t *n = &had[(shape * 0x9e3779b9u) >> (32 - KINDS_BITS)];

	return *n < EACH && ++*n != 0;
}

/* The zero register and the stack pointer are the same number: left out where they may be either;
 * registers of the system, too. */
static bool may_run(const struct ms_tracer_insn *in)
{
	bool system = (in->word >> 26 & 7) == 5 && in->mode != MS_TRACER_MODE_ZERO;

	if (in->kind != MS_TRACER_INSN_PLAIN && in->kind != MS_TRACER_INSN_EXCLUSIVE &&
	    in->kind != MS_TRACER_INSN_EXCLUSIVE_STORE)
		return false;
	return !system &&
	       (in->mode == MS_TRACER_MODE_ZERO || field(in, MS_TRACER_FIELD_N) != NONE) &&
	       (is_memory(in->word) || field(in, MS_TRACER_FIELD_T) != NONE);
}

static uint32_t checked;

/* All of a segment, with what a sanitizer puts between things. */
__attribute__((no_sanitize("address"))) static int look_at_object(struct dl_phdr_info *info,
								  size_t size, void *unused)
{
	(void)size, (void)unused;
	for (uint32_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const uint32_t *at = (const uint32_t *)(info->dlpi_addr + p->p_vaddr);

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X) || !(p->p_flags & PF_R))
			continue;
		for (size_t k = 0; k < p->p_filesz / 4; k++) {
			struct ms_tracer_insn in;

			ms_tracer_decode_word(&in, 0x10000, at[k], true);
			if (may_run(&in) && is_new(at[k]))
				checked += check(&in);
		}
	}
	return 0;
}

static void decodes_as_the_processor_does(void **state)
{
	uint64_t sizes;

	(void)state;
	__asm__("mrs %0, dczid_el0" : "=r"(sizes));
	ms_tracer_zero_block_bytes = 4u << (sizes & 15);
	prepare();
	dl_iterate_phdr(look_at_object, NULL);
	print_message("%u instructions\n", checked);
	assert_true(checked > 2000);
}
#else
static void decodes_as_the_processor_does(void **state)
{
	(void)state;
	skip();
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(decodes_as_the_processor_does) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
