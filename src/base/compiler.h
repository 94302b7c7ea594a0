/* base/compiler.h - all GNU extensions that memspy uses, in one place to audit. */
#ifndef MS_BASE_COMPILER_H
#define MS_BASE_COMPILER_H

#define MS_INLINE             static inline __attribute__((always_inline))
#define MS_NOINLINE           __attribute__((noinline))
#define MS_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#define MS_LIKELY(x)          __builtin_expect(!!(x), 1)
#define MS_UNLIKELY(x)        __builtin_expect(!!(x), 0)
#define MS_UNUSED             __attribute__((unused))
#define MS_NORETURN           __attribute__((noreturn))
#define MS_ALIGNED(n)         __attribute__((aligned(n)))
#define MS_COUNT(array)       (sizeof(array) / sizeof((array)[0]))
/*
 * Unrolls the loop that follows, so that the compiler can keep elements of its arrays in registers.
 */
#define MS_UNROLL(n) _Pragma(MS_TEXT(GCC unroll n))
#define MS_TEXT(x)   #x
/* Forces the value into a register of its own, whatever expression it comes from. */
#define MS_IN_REGISTER(x) __asm__("" : "+r"(x))

#endif
