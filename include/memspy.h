/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memspy.h - what a program may tell memspy about itself. Include it, nothing need be linked.
 *
 *    MEMSPY_NAME(start, size, name)   these bytes are data of this name, whatever they are else
 *    MEMSPY_UNNAME(start)             and now they are not any more
 *    MEMSPY_PHASE(name)               from here on, counts also go to the phase of this name
 *    MEMSPY_START(), MEMSPY_STOP()    count, or do not, from here on
 *    MEMSPY_RUNNING()                 1 under memspy, else 0
 *
 * Ranges with equal names are one data; phases with equal names are one phase. Names are texts that
 * end with NUL, of which at most 255 bytes are kept; they are copied at once. A name ends when the
 * memory is freed, resized or unmapped, and reaches to the ends of whole 8 bytes.
 *
 * Outside of memspy each of these is a few instructions that change nothing. With MEMSPY_DISABLE
 * defined, with compilers other than GCC and Clang, and on other processors than x86-64 and
 * aarch64, they are nothing at all.
 */
#ifndef MEMSPY_H
#define MEMSPY_H

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

#if !defined(MEMSPY_DISABLE) && defined(__GNUC__) && defined(__linux__) && \
	((defined(__x86_64__) && !defined(__ILP32__)) || defined(__aarch64__))

/*
 * Asks whoever runs this code: rotations that add up to nothing, then a move of a register onto
 * itself. A processor does just that and `answer` stays 0; Valgrind takes it for a request, whose
 * number and arguments `request` points to.
 */
MEMSPY_INLINE_ unsigned long memspy_ask_(unsigned long number, unsigned long a, unsigned long b,
					 unsigned long c)
{
	volatile unsigned long request[6] = { 0, 0, 0, 0, 0, 0 };
#if defined(__x86_64__)
	unsigned long answer = 0;

	request[0] = number;
	request[1] = a;
	request[2] = b;
	request[3] = c;
	__asm__ volatile("rolq $3, %%rdi\n\t"
			 "rolq $13, %%rdi\n\t"
			 "rolq $61, %%rdi\n\t"
			 "rolq $51, %%rdi\n\t"
			 "xchgq %%rbx, %%rbx"
			 : "+d"(answer)
			 : "a"(&request[0])
			 : "cc", "memory");
#else
	unsigned long answer;

	request[0] = number;
	request[1] = a;
	request[2] = b;
	request[3] = c;
	__asm__ volatile("mov x4, %1\n\t"
			 "mov x3, xzr\n\t"
			 "ror x12, x12, #3\n\t"
			 "ror x12, x12, #13\n\t"
			 "ror x12, x12, #51\n\t"
			 "ror x12, x12, #61\n\t"
			 "orr x10, x10, x10\n\t"
			 "mov %0, x3"
			 : "=r"(answer)
			 : "r"(&request[0])
			 : "x3", "x4", "cc", "memory");
#endif
	return answer;
}

#else

MEMSPY_INLINE_ unsigned long memspy_ask_(unsigned long number, unsigned long a, unsigned long b,
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

#define MEMSPY_NAME(start, size, name) \
	((void)memspy_ask_(MEMSPY_REQUEST_NAME, (unsigned long)(start), (size), memspy_text_(name)))
#define MEMSPY_UNNAME(start) \
	((void)memspy_ask_(MEMSPY_REQUEST_UNNAME, (unsigned long)(start), 0, 0))
#define MEMSPY_PHASE(name) ((void)memspy_ask_(MEMSPY_REQUEST_PHASE, memspy_text_(name), 0, 0))
#define MEMSPY_START()     ((void)memspy_ask_(MEMSPY_REQUEST_COUNT, 1, 0, 0))
#define MEMSPY_STOP()      ((void)memspy_ask_(MEMSPY_REQUEST_COUNT, 0, 0, 0))
#define MEMSPY_RUNNING()   ((int)memspy_ask_(MEMSPY_REQUEST_RUNNING, 0, 0, 0))

#endif
