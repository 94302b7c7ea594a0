/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memspy.h - what a program may report to memspy. Include it; nothing need be linked.
 *
 *    memspy_name(start, size, name)   names these bytes, in place of the name they have
 *    memspy_unname(start)             removes the name
 *    memspy_alloc_named(size, name)   malloc(size), and names the block
 *    memspy_pool_alloc(block, size)   a private allocator returns this block: it is named after the
 *                                     call path, as one of malloc. Returns block
 *    memspy_pool_free(block)          the block is returned to its allocator
 *    memspy_phase(name)               from here on, counts also go to the phase of this name
 *    memspy_start(), memspy_stop()    count, or do not, from here on
 *    memspy_running()                 1 under memspy, else 0
 *
 * The same in capitals (MEMSPY_NAME ...), but for those that allocate, for pointers to volatile
 * memory and addresses that are numbers. memspy.f90 gives all of it to Fortran.
 *
 * Ranges with equal names are one data; phases with equal names are one phase. Names are texts that
 * end with NUL, of which at most 255 bytes are kept; they are copied at once. A name ends when the
 * memory is freed, resized or unmapped, and reaches to the ends of whole 8 bytes.
 *
 * Outside of memspy each of these is, after the first, a load and a branch that is never taken.
 * With MEMSPY_DISABLE defined, with compilers other than GCC and Clang, and on other processors
 * than x86-64 and aarch64, they are nothing at all.
 */
#ifndef MEMSPY_H
#define MEMSPY_H

#include <stddef.h>
#include <stdlib.h>

#if defined(__GNUC__)
#define MEMSPY_INLINE_ static __inline__
#else
#define MEMSPY_INLINE_ static inline
#endif

/* Requests: 'M', 'S' in the upper half, so that other Valgrind tools know they are not theirs. */
#define MEMSPY_REQUEST_RUNNING 0x4d530000ul
#define MEMSPY_REQUEST_NAME    0x4d530001ul
#define MEMSPY_REQUEST_UNNAME  0x4d530002ul
#define MEMSPY_REQUEST_PHASE   0x4d530003ul
#define MEMSPY_REQUEST_COUNT   0x4d530004ul
#define MEMSPY_REQUEST_ALLOC   0x4d530005ul
#define MEMSPY_REQUEST_FREE    0x4d530006ul

#if !defined(MEMSPY_DISABLE) && defined(__GNUC__) && defined(__linux__) && \
	((defined(__x86_64__) && !defined(__ILP32__)) || defined(__aarch64__))

/*
 * What handles requests: 0, not determined yet; 1, nothing; 2, what executes this code (below);
 * else the address of a function of memspy in this process, which finds this word by a note in the
 * file and stores its address. One word for each program and library.
 */
#if defined(__cplusplus)
extern "C" {
#endif
__attribute__((weak, used, visibility("hidden"))) unsigned long memspy_handler_;
#if defined(__cplusplus)
}
#endif
__asm__(".pushsection .note.memspy, \"a\", %note\n\t"
	".balign 4\n\t"
	".long 7, 8, 1\n\t"
	".asciz \"memspy\"\n\t"
	".balign 4\n\t"
	".long memspy_handler_ - ., 0\n\t"
	".popsection");

/*
 * Sends a request to Valgrind: rotations that add up to nothing, then a move of a register onto
 * itself. A processor executes just that, and `answer` stays 0. Valgrind recognises the sequence as
 * a request, whose number and arguments `request` points to.
 */
__attribute__((noinline, unused)) static unsigned long memspy_ask_(volatile unsigned long *request)
{
#if defined(__x86_64__)
	unsigned long answer = 0;

	__asm__ volatile("rolq $3, %%rdi\n\t"
			 "rolq $13, %%rdi\n\t"
			 "rolq $61, %%rdi\n\t"
			 "rolq $51, %%rdi\n\t"
			 "xchgq %%rbx, %%rbx"
			 : "+d"(answer)
			 : "a"(request)
			 : "cc", "memory");
#else
	unsigned long answer;

	__asm__ volatile("mov x4, %1\n\t"
			 "mov x3, xzr\n\t"
			 "ror x12, x12, #3\n\t"
			 "ror x12, x12, #13\n\t"
			 "ror x12, x12, #51\n\t"
			 "ror x12, x12, #61\n\t"
			 "orr x10, x10, x10\n\t"
			 "mov %0, x3"
			 : "=r"(answer)
			 : "r"(request)
			 : "x3", "x4", "cc", "memory");
#endif
	return answer;
}

__attribute__((noinline, unused)) static unsigned long
memspy_find_(unsigned long number, unsigned long a, unsigned long b, unsigned long c)
{
	volatile unsigned long request[6] = { 0, 0, 0, 0, 0, 0 };

	if (memspy_handler_ == 0) {
		request[0] = MEMSPY_REQUEST_RUNNING;
		memspy_handler_ = memspy_ask_(request) ? 2 : 1;
	}
	/* A pool that had no block to give is asked about here, not where memspy is absent. */
	if (memspy_handler_ == 1 ||
	    (a == 0 && (number == MEMSPY_REQUEST_ALLOC || number == MEMSPY_REQUEST_FREE)))
		return 0;
	request[0] = number;
	request[1] = a;
	request[2] = b;
	request[3] = c;
	if (memspy_handler_ == 2)
		return memspy_ask_(request);
	return ((unsigned long (*)(volatile unsigned long *))memspy_handler_)(request);
}

MEMSPY_INLINE_ unsigned long memspy_tell_(unsigned long number, unsigned long a, unsigned long b,
					  unsigned long c)
{
	if (__builtin_expect(memspy_handler_ == 1, 1))
		return 0;
	return memspy_find_(number, a, b, c);
}

#else

MEMSPY_INLINE_ unsigned long memspy_tell_(unsigned long number, unsigned long a, unsigned long b,
					  unsigned long c)
{
	(void)number;
	(void)a;
	(void)b;
	(void)c;
	return 0;
}

#endif

/* A function's, so that the compiler checks that it is a text. */
MEMSPY_INLINE_ unsigned long memspy_text_(const char *text)
{
	return (unsigned long)text;
}

#define MEMSPY_NAME(start, size, name)                                           \
	((void)memspy_tell_(MEMSPY_REQUEST_NAME, (unsigned long)(start), (size), \
			    memspy_text_(name)))
#define MEMSPY_UNNAME(start) \
	((void)memspy_tell_(MEMSPY_REQUEST_UNNAME, (unsigned long)(start), 0, 0))
#define MEMSPY_PHASE(name) ((void)memspy_tell_(MEMSPY_REQUEST_PHASE, memspy_text_(name), 0, 0))
#define MEMSPY_START()     ((void)memspy_tell_(MEMSPY_REQUEST_COUNT, 1, 0, 0))
#define MEMSPY_STOP()      ((void)memspy_tell_(MEMSPY_REQUEST_COUNT, 0, 0, 0))
#define MEMSPY_RUNNING()   ((int)memspy_tell_(MEMSPY_REQUEST_RUNNING, 0, 0, 0))

MEMSPY_INLINE_ void memspy_name(const void *start, size_t size, const char *name)
{
	MEMSPY_NAME(start, size, name);
}

MEMSPY_INLINE_ void memspy_unname(const void *start)
{
	MEMSPY_UNNAME(start);
}

MEMSPY_INLINE_ void memspy_phase(const char *name)
{
	MEMSPY_PHASE(name);
}

MEMSPY_INLINE_ void memspy_start(void)
{
	MEMSPY_START();
}

MEMSPY_INLINE_ void memspy_stop(void)
{
	MEMSPY_STOP();
}

MEMSPY_INLINE_ int memspy_running(void)
{
	return MEMSPY_RUNNING();
}

MEMSPY_INLINE_ void *memspy_alloc_named(size_t size, const char *name)
{
	void *block = malloc(size);

	if (block != NULL)
		MEMSPY_NAME(block, size, name);
	return block;
}

MEMSPY_INLINE_ void *memspy_pool_alloc(void *block, size_t size)
{
	memspy_tell_(MEMSPY_REQUEST_ALLOC, (unsigned long)block, size, 0);
	return block;
}

MEMSPY_INLINE_ void memspy_pool_free(void *block)
{
	memspy_tell_(MEMSPY_REQUEST_FREE, (unsigned long)block, 0, 0);
}

#endif
