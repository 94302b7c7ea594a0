/* The registers and the operation that the native front-end reports of x86-64 instructions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if defined(__x86_64__)
#include "base/compiler.h"
#include "unit/operands_text.h"

#include "../../../frontends/native/tracer/x86-64/instruction_operands.c"

static const char *const names[32] = {
	"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8",  "r9",  "r10",
	"r11", "r12", "r13", "r14", "r15", "k0",  "k1",  "k2",  "k3",  "k4",  "k5",
	"k6",  "k7",  "st0", "st1", "st2", "st3", "st4", "st5", "st6", "st7",
};

/* The bytes of an instruction in hexadecimal digits. */
static const struct {
	const char *code, *text, *expected;
} rows[] = {
	{ "488b03", "mov rax, [rbx]", "rax = [rbx] integer" },
	{ "488b4008", "mov rax, [rax+8]", "rax = [rax] integer" },
	{ "8b048b", "mov eax, [rbx+rcx*4]", "rax = [rbx] [rcx] integer" },
	{ "8a03", "mov al, [rbx]", "rax = [rbx] rax integer" },
	{ "0fb603", "movzx eax, byte ptr [rbx]", "rax = [rbx] integer" },
	{ "4863448b10", "movsxd rax, dword ptr [rbx+rcx*4+16]", "rax = [rbx] [rcx] integer" },
	{ "488b0510000000", "mov rax, [rip+16]", "rax = integer" },
	{ "64488b042528000000", "mov rax, fs:[0x28]", "rax = integer" },
	{ "488903", "mov [rbx], rax", "= [rbx] rax integer" },
	{ "8804cb", "mov [rbx+rcx*8], al", "= [rbx] [rcx] rax integer" },
	{ "48c70305000000", "mov qword ptr [rbx], 5", "= [rbx] integer" },
	{ "4889d8", "mov rax, rbx", "rax = rbx integer" },
	{ "6689d8", "mov ax, bx", "rax = rax rbx integer" },
	{ "88dc", "mov ah, bl", "rax = rax rbx integer" },
	{ "b805000000", "mov eax, 5", "rax = integer" },
	{ "488d44cb10", "lea rax, [rbx+rcx*8+16]", "rax = rbx rcx integer" },
	{ "488d0510000000", "lea rax, [rip+16]", "rax = integer" },
	{ "4801d8", "add rax, rbx", "rax flags = rax rbx integer" },
	{ "480303", "add rax, [rbx]", "rax flags = [rbx] rax integer" },
	{ "480103", "add [rbx], rax", "flags = [rbx] rax integer" },
	{ "00d8", "add al, bl", "rax flags = rax rbx integer" },
	{ "4811d8", "adc rax, rbx", "rax flags = rax rbx flags integer" },
	{ "48ffc0", "inc rax", "rax flags = rax integer" },
	{ "48f7d8", "neg rax", "rax flags = rax integer" },
	{ "4839d8", "cmp rax, rbx", "flags = rax rbx integer" },
	{ "483903", "cmp [rbx], rax", "flags = [rbx] rax integer" },
	{ "85c0", "test eax, eax", "flags = rax integer" },
	{ "31c0", "xor eax, eax", "rax flags = integer" },
	{ "4829c0", "sub rax, rax", "rax flags = integer" },
	{ "31d8", "xor eax, ebx", "rax flags = rax rbx integer" },
	{ "30c0", "xor al, al", "rax flags = rax integer" },
	{ "48c1e003", "shl rax, 3", "rax flags = rax integer" },
	{ "48d3e0", "shl rax, cl", "rax flags = rax rcx integer" },
	{ "c4e2f1f7c3", "shlx rax, rbx, rcx", "rax = rbx rcx integer" },
	{ "d1f8", "sar eax, 1", "rax flags = rax integer" },
	{ "480fbcc3", "bsf rax, rbx", "rax flags = rax rbx integer" },
	{ "f3480fbcc3", "tzcnt rax, rbx", "rax flags = rbx integer" },
	{ "f3480fb8c3", "popcnt rax, rbx", "rax flags = rbx integer" },
	{ "480fc8", "bswap rax", "rax = rax integer" },
	{ "480fafc3", "imul rax, rbx", "rax flags = rax rbx multiply" },
	{ "486bc30a", "imul rax, rbx, 10", "rax flags = rbx multiply" },
	{ "48f7e3", "mul rbx", "rax rdx = rbx rax multiply" },
	{ "c4e2ebf6c3", "mulx rax, rdx, rbx", "rax rdx = rbx rdx multiply" },
	{ "48f7f3", "div rbx", "rax rdx = rbx rax rdx divide" },
	{ "f7f9", "idiv ecx", "rax rdx = rcx rax rdx divide" },
	{ "4899", "cqo", "rdx = rax integer" },
	{ "4898", "cdqe", "rax = rax integer" },
	{ "0f94c0", "sete al", "rax = rax flags integer" },
	{ "480f45c3", "cmovne rax, rbx", "rax = rax rbx flags integer" },
	{ "480f4c03", "cmovl rax, [rbx]", "rax = [rbx] rax flags integer" },
	{ "4893", "xchg rax, rbx", "rbx rax = rbx rax integer" },
	{ "488703", "xchg [rbx], rax", "rax = [rbx] rax atomic" },
	{ "f0480103", "lock add [rbx], rax", "flags = [rbx] rax atomic" },
	{ "f0480fb10b", "lock cmpxchg [rbx], rcx", "rax flags = [rbx] rcx rax atomic" },
	{ "f0480fc10b", "lock xadd [rbx], rcx", "rcx flags = [rbx] rcx atomic" },
	{ "53", "push rbx", "rsp! = [rsp] rbx integer" },
	{ "ff33", "push qword ptr [rbx]", "rsp! = [rbx] [rsp] integer" },
	{ "6a05", "push 5", "rsp! = [rsp] integer" },
	{ "5b", "pop rbx", "rbx rsp! = [rsp] integer" },
	{ "8f03", "pop qword ptr [rbx]", "rsp! = [rbx] [rsp] integer" },
	{ "9c", "pushfq", "rsp! = [rsp] flags integer" },
	{ "c9", "leave", "rbp rsp! = [rbp] rsp integer" },
	{ "e805000000", "call .+10", "rsp! = [rsp] call" },
	{ "ffd0", "call rax", "rsp! = [rsp] rax call" },
	{ "ff5008", "call [rax+8]", "rsp! = [rax] [rsp] call" },
	{ "c3", "ret", "rsp! = [rsp] return" },
	{ "eb08", "jmp .+10", "= branch" },
	{ "ffe0", "jmp rax", "= rax indirect-branch" },
	{ "ff24d8", "jmp [rax+rbx*8]", "= [rax] [rbx] indirect-branch" },
	{ "7508", "jne .+10", "= flags conditional-branch" },
	{ "e308", "jrcxz .+10", "= rcx conditional-branch" },
	{ "90", "nop", "= integer" },
	{ "0f1f00", "nop dword ptr [rax]", "= rax integer" },
	{ "0f184840", "prefetcht0 [rax+64]", "= rax integer" },
	{ "0faef0", "mfence", "= other" },
	{ "0fa2", "cpuid", "rax rbx = rax rcx other" },
	{ "0f31", "rdtsc", "rax rdx = other" },
	{ "0f05", "syscall", "rcx r11 = other" },
	{ "f390", "pause", "= other" },
	{ "f30f1efa", "endbr64", "= integer" },
	{ "a4", "movsb", "rdi! rsi! = [rdi] [rsi] integer" },
	{ "f3a4", "rep movsb", "rcx rdi! = [rdi] [rsi] rcx integer" },
	{ "f348ab", "rep stosq", "rcx rdi! = [rdi] rax rcx integer" },
	{ "48ad", "lodsq", "rax rsi! = [rsi] integer" },
	{ "f2ae", "repne scasb", "rcx flags = [rdi] rax rcx flags integer" },
	{ "a6", "cmpsb", "flags rsi! = [rsi] [rdi] integer" },
	{ "fc", "cld", "= integer" },
	{ "f30f1008", "movss xmm1, [rax]", "v1 = [rax] integer" },
	{ "f30f10ca", "movss xmm1, xmm2", "v1 = v1 v2 vector" },
	{ "f30f1108", "movss [rax], xmm1", "= [rax] v1 integer" },
	{ "f20f100cd8", "movsd xmm1, [rax+rbx*8]", "v1 = [rax] [rbx] integer" },
	{ "0f28ca", "movaps xmm1, xmm2", "v1 = v2 vector" },
	{ "0f1008", "movups xmm1, [rax]", "v1 = [rax] integer" },
	{ "0f1108", "movups [rax], xmm1", "= [rax] v1 integer" },
	{ "66480f6ec8", "movq xmm1, rax", "v1 = rax vector" },
	{ "66480f7ec8", "movq rax, xmm1", "rax = v1 vector" },
	{ "660f6ec8", "movd xmm1, eax", "v1 = rax vector" },
	{ "660f1608", "movhpd xmm1, [rax]", "v1 = [rax] v1 integer" },
	{ "0f16ca", "movlhps xmm1, xmm2", "v1 = v1 v2 vector" },
	{ "f20f58ca", "addsd xmm1, xmm2", "v1 = v1 v2 float-add" },
	{ "f20f5808", "addsd xmm1, [rax]", "v1 = [rax] v1 float-add" },
	{ "f20f59ca", "mulsd xmm1, xmm2", "v1 = v1 v2 float-multiply" },
	{ "f20f5eca", "divsd xmm1, xmm2", "v1 = v1 v2 float-divide" },
	{ "f20f51ca", "sqrtsd xmm1, xmm2", "v1 = v1 v2 float-divide" },
	{ "660f51ca", "sqrtpd xmm1, xmm2", "v1 = v2 float-divide" },
	{ "f20f5fca", "maxsd xmm1, xmm2", "v1 = v1 v2 float-add" },
	{ "660f2eca", "ucomisd xmm1, xmm2", "flags = v1 v2 float-add" },
	{ "f20fc2ca01", "cmpltsd xmm1, xmm2", "v1 = v1 v2 float-add" },
	{ "f2480f2ac8", "cvtsi2sd xmm1, rax", "v1 = v1 rax float-add" },
	{ "f2480f2cc1", "cvttsd2si rax, xmm1", "rax = v1 float-add" },
	{ "f20f5aca", "cvtsd2ss xmm1, xmm2", "v1 = v1 v2 float-add" },
	{ "f30fe6ca", "cvtdq2pd xmm1, xmm2", "v1 = v2 float-add" },
	{ "0f58ca", "addps xmm1, xmm2", "v1 = v1 v2 float-add" },
	{ "0f59ca", "mulps xmm1, xmm2", "v1 = v1 v2 float-multiply" },
	{ "660f7cca", "haddpd xmm1, xmm2", "v1 = v1 v2 float-add" },
	{ "0fc6ca03", "shufps xmm1, xmm2, 3", "v1 = v1 v2 vector" },
	{ "660f14ca", "unpcklpd xmm1, xmm2", "v1 = v1 v2 vector" },
	{ "0f57c9", "xorps xmm1, xmm1", "v1 = vector" },
	{ "0f57ca", "xorps xmm1, xmm2", "v1 = v1 v2 vector" },
	{ "660fefc9", "pxor xmm1, xmm1", "v1 = vector" },
	{ "660f76c9", "pcmpeqd xmm1, xmm1", "v1 = vector" },
	{ "0f54ca", "andps xmm1, xmm2", "v1 = v1 v2 vector" },
	{ "660ffeca", "paddd xmm1, xmm2", "v1 = v1 v2 vector" },
	{ "660f3840ca", "pmulld xmm1, xmm2", "v1 = v1 v2 vector" },
	{ "660f70ca03", "pshufd xmm1, xmm2, 3", "v1 = v2 vector" },
	{ "660fd7c1", "pmovmskb eax, xmm1", "rax = v1 vector" },
	{ "660f3a22c802", "pinsrd xmm1, eax, 2", "v1 = v1 rax vector" },
	{ "66480f3a16c801", "pextrq rax, xmm1, 1", "rax = v1 vector" },
	{ "660f6fca", "movdqa xmm1, xmm2", "v1 = v2 vector" },
	{ "f30f6f08", "movdqu xmm1, [rax]", "v1 = [rax] integer" },
	{ "c5fc1008", "vmovups ymm1, [rax]", "v1 = [rax] integer" },
	{ "c5fc1108", "vmovups [rax], ymm1", "= [rax] v1 integer" },
	{ "c5ed58cb", "vaddpd ymm1, ymm2, ymm3", "v1 = v2 v3 float-add" },
	{ "c5ed5808", "vaddpd ymm1, ymm2, [rax]", "v1 = [rax] v2 float-add" },
	{ "c5ed59cb", "vmulpd ymm1, ymm2, ymm3", "v1 = v2 v3 float-multiply" },
	{ "c5ec5ecb", "vdivps ymm1, ymm2, ymm3", "v1 = v2 v3 float-divide" },
	{ "c5fd51ca", "vsqrtpd ymm1, ymm2", "v1 = v2 float-divide" },
	{ "c4e2edb8cb", "vfmadd231pd ymm1, ymm2, ymm3", "v1 = v1 v2 v3 float-multiply" },
	{ "c4e2e9a908", "vfmadd213sd xmm1, xmm2, [rax]", "v1 = [rax] v1 v2 float-multiply" },
	{ "c4e26d9ecb", "vfnmsub132ps ymm1, ymm2, ymm3", "v1 = v1 v2 v3 float-multiply" },
	{ "c4e1eb2ac8", "vcvtsi2sd xmm1, xmm2, rax", "v1 = v2 rax float-add" },
	{ "c5eb51cb", "vsqrtsd xmm1, xmm2, xmm3", "v1 = v2 v3 float-divide" },
	{ "c5e9efca", "vpxor xmm1, xmm2, xmm2", "v1 = vector" },
	{ "c5edfecb", "vpaddd ymm1, ymm2, ymm3", "v1 = v2 v3 vector" },
	{ "c4e27d1908", "vbroadcastsd ymm1, [rax]", "v1 = [rax] integer" },
	{ "c4e3fd00ca03", "vpermq ymm1, ymm2, 3", "v1 = v2 vector" },
	{ "c4e36d4bcb40", "vblendvpd ymm1, ymm2, ymm3, ymm4", "v1 = v2 v3 v4 vector" },
	{ "c4e37d19d101", "vextractf128 xmm1, ymm2, 1", "v1 = v2 vector" },
	{ "c4e265900c90", "vpgatherdd ymm1, [rax+ymm2*4], ymm3",
	  "v1 v3 = [rax] [v2] v1 v3 integer" },
	{ "c4e2e5930cd0", "vgatherqpd ymm1, [rax+ymm2*8], ymm3",
	  "v1 v3 = [rax] [v2] v1 v3 integer" },
	{ "c4e26d8c08", "vpmaskmovd ymm1, ymm2, [rax]", "v1 = [rax] v2 vector" },
	{ "62f27d49900c90", "vpgatherdd zmm1{k1}, [rax+zmm2*4]",
	  "v1 k1 = [rax] [v2] v1 k1 integer" },
	{ "62f27d49a00c90", "vpscatterdd [rax+zmm2*4]{k1}, zmm1", "k1 = [rax] [v2] k1 v1 integer" },
	{ "62f1fe496f08", "vmovdqu64 zmm1{k1}, [rax]", "v1 = [rax] v1 k1 integer" },
	{ "62f1fec96f08", "vmovdqu64 zmm1{k1}{z}, [rax]", "v1 = [rax] k1 integer" },
	{ "62a1ed4058cb", "vaddpd zmm17, zmm18, zmm19", "v17 = v18 v19 float-add" },
	{ "62f16d4876cb", "vpcmpeqd k1, zmm2, zmm3", "k1 = v2 v3 vector" },
	{ "c5f893c1", "kmovw eax, k1", "rax = k1 integer" },
	{ "c5ec41cb", "kandw k1, k2, k3", "k1 = k2 k3 integer" },
	{ "c5f877", "vzeroupper", "= integer" },
	{ "dd00", "fld qword ptr [rax]", "st0 = [rax] integer" },
	{ "dd18", "fstp qword ptr [rax]", "= [rax] st0 integer" },
	{ "dec1", "faddp st(1), st", "st1 = st1 st0 float-add" },
	{ "d8ca", "fmul st, st(2)", "st0 = st0 st2 float-multiply" },
	{ "def9", "fdivp st(1), st", "st1 = st1 st0 float-divide" },
};

static size_t read_code(const char *code, uint8_t *bytes)
{
	size_t n = strlen(code) / 2;

	for (size_t i = 0; i < n; i++) {
		unsigned byte;

		assert_int_equal(sscanf(code + 2 * i, "%2x", &byte), 1);
		bytes[i] = (uint8_t)byte;
	}
	return n;
}

static uint64_t find(const ZydisDecoder *decoder, const uint8_t *bytes, size_t n)
{
	ZydisDecodedInstruction z;
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];

	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(decoder, bytes, n, &z, op)))
		return UINT64_MAX;
	return ms_tracer_find_operands(&z, op);
}

static void operands_of_instructions(void **state)
{
	ZydisDecoder decoder;

	(void)state;
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	for (size_t i = 0; i < MS_COUNT(rows); i++) {
		uint8_t bytes[16];
		uint64_t operands = find(&decoder, bytes, read_code(rows[i].code, bytes));

		if (!ms_wire_are_operands(operands))
			fail_msg("%s: not described", rows[i].text);
		if (strcmp(operands_text(operands, names), rows[i].expected) != 0)
			fail_msg("%s: found '%s', expected '%s'", rows[i].text,
				 operands_text(operands, names), rows[i].expected);
	}
}

/* Whatever the bytes: what is decoded is well-formed. */
static void any_bytes(void **state)
{
	ZydisDecoder decoder;
	uint64_t random = 1;

	(void)state;
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	for (int i = 0; i < 300000; i++) {
		uint64_t bytes[2];

		for (int k = 0; k < 2; k++) {
			random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
			bytes[k] = random ^ random >> 33;
		}
		uint64_t operands = find(&decoder, (const uint8_t *)bytes, 15);
		if (operands != UINT64_MAX && !ms_wire_are_operands(operands))
			fail_msg("%016llx: malformed operands", (unsigned long long)bytes[0]);
	}
}
#else
static void operands_of_instructions(void **state)
{
	(void)state;
	skip(); /* the library that decodes them is used there only */
}
#define any_bytes operands_of_instructions
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operands_of_instructions),
		cmocka_unit_test(any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
