/*
 * patched-page.c - makes a page of its code writable, and executable only again, as libraries do
 * that intercept functions by rewriting them (UCX in MPI programs). On x86-64 an instruction begins
 * in the last byte before that page.
 *
 * sum() reads `words` in 1000 calls.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { WORDS = 100, CALLS = 1000, PAGE = 4096 };

uint64_t sum(const uint64_t *words, uint64_t n);
extern char patched[];

#if defined(__x86_64__)
__asm__(".text\n"
	".p2align 12\n"
	".skip 4096 - 3\n"
	".globl sum, patched\n"
	"sum:\n"
	"	xor %eax, %eax\n" /* 2 bytes */
	"1:	add (%rdi), %rax\n"
	"patched = sum + 3\n"
	"	add $8, %rdi\n"
	"	dec %rsi\n"
	"	jnz 1b\n"
	"	ret\n"
	".p2align 12\n");
#else
__asm__(".text\n"
	".p2align 12\n"
	".skip 4096 - 8\n"
	".globl sum, patched\n"
	"sum:\n"
	"	mov x2, #0\n"
	"1:	ldr x3, [x0], #8\n"
	"patched = sum + 8\n"
	"	add x2, x2, x3\n"
	"	subs x1, x1, #1\n"
	"	b.ne 1b\n"
	"	mov x0, x2\n"
	"	ret\n"
	".p2align 12\n");
#endif

static void make_writable_once(void)
{
	if (mprotect(patched, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC) != 0 ||
	    mprotect(patched, PAGE, PROT_READ | PROT_EXEC) != 0) {
		perror("mprotect");
		exit(77);
	}
}

int main(void)
{
	static uint64_t words[WORDS];
	uint64_t total = 0;

	for (int i = 0; i < WORDS; i++)
		words[i] = (uint64_t)i;
	make_writable_once();
	for (int i = 0; i < CALLS; i++)
		total += sum(words, WORDS);
	printf("%llu\n", (unsigned long long)total);
	return 0;
}
