/* aarch64/raw_syscall.h - raw system calls, and the registers that identify threads. */
#ifndef MS_NATIVE_RUNTIME_AARCH64_RAW_SYSCALL_H
#define MS_NATIVE_RUNTIME_AARCH64_RAW_SYSCALL_H

#include <asm/unistd.h>
#include <stdint.h>

#define SYS_mmap    __NR_mmap
#define SYS_munmap  __NR_munmap
#define SYS_mremap  __NR_mremap
#define SYS_futex   __NR_futex
#define SYS_write   __NR_write
#define SYS_read    __NR_read
#define SYS_close   __NR_close
#define SYS_getpid  __NR_getpid
#define SYS_gettid  __NR_gettid
#define SYS_getppid __NR_getppid
#define SYS_kill    __NR_kill

static inline long ms_runtime_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc #0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
}

/* The counter that memspy compares with perf's clock: see src/perf/clock_conversion.c. */
static inline uint64_t ms_runtime_read_counter(void)
{
	uint64_t count;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
	return count;
}

/* The same, ordered after all previous loads. */
static inline uint64_t ms_runtime_read_counter_ordered(void)
{
	uint64_t count;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(count) : : "memory");
	return count;
}

/* A program cannot enable alignment checks. */
static inline void ms_runtime_disable_alignment_checks(void)
{
}

static inline int ms_runtime_is_error(long result)
{
	return (unsigned long)result > -4096ul;
}

/* The C library keeps the thread's control block there. */
static inline uint64_t ms_runtime_get_thread_pointer(void)
{
	uint64_t at;

	__asm__("mrs %0, tpidr_el0" : "=r"(at));
	return at;
}

/*
 * The running thread's struct ms_runtime_thread, from thread-local memory that exists from its
 * first instruction on (context_switch.S). For an unknown thread it is a dummy whose `pointer` is
 * 0. A child that shares the parent's memory gets its parent's.
 */
struct ms_runtime_thread;
extern __thread struct ms_runtime_thread *ms_runtime_tls_thread
	__attribute__((tls_model("initial-exec"), visibility("hidden")));
extern uint8_t ms_runtime_no_thread[] __attribute__((visibility("hidden")));

static inline void *ms_runtime_get_thread(void)
{
	struct ms_runtime_thread *t = ms_runtime_tls_thread;

	return t != (struct ms_runtime_thread *)0 ? (void *)t : (void *)ms_runtime_no_thread;
}

static inline void ms_runtime_set_thread(void *t)
{
	ms_runtime_tls_thread = (struct ms_runtime_thread *)t;
}

/* Cost of counting at the end of a block, in 1024ths of a ns: the cursor goes through memory. */
enum { MS_RUNTIME_COUNTING_EXIT_COST = 2560 };

/* The argument of clone() with the word to be cleared. */
enum { MS_RUNTIME_CLONE_CLEAR_TID_ARG = 4 };

/* The code through which a handler returns: the kernel's own. */
static inline uint64_t ms_runtime_get_restorer(void)
{
	return 0;
}

#endif
