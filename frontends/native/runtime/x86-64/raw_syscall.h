/* x86-64/raw_syscall.h - raw system calls, and the registers that identify threads. */
#ifndef MS_NATIVE_RUNTIME_X86_64_RAW_SYSCALL_H
#define MS_NATIVE_RUNTIME_X86_64_RAW_SYSCALL_H

#include <asm/unistd.h>
#include <stdint.h>

#define SYS_mmap       __NR_mmap
#define SYS_munmap     __NR_munmap
#define SYS_mremap     __NR_mremap
#define SYS_futex      __NR_futex
#define SYS_write      __NR_write
#define SYS_read       __NR_read
#define SYS_close      __NR_close
#define SYS_getpid     __NR_getpid
#define SYS_gettid     __NR_gettid
#define SYS_getppid    __NR_getppid
#define SYS_kill       __NR_kill
#define SYS_arch_prctl __NR_arch_prctl

static inline long ms_runtime_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	long result;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

/* The counter that memspy compares with perf's clock: see src/perf/clock_conversion.c. */
static inline uint64_t ms_runtime_read_counter(void)
{
	return __builtin_ia32_rdtsc();
}

/* The same, ordered after all previous loads. */
static inline uint64_t ms_runtime_read_counter_ordered(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

/* Called first in a handler: the program may have enabled alignment checks, and C makes unaligned
 * references. Uses the stack below the red zone. */
static inline void ms_runtime_disable_alignment_checks(void)
{
	__asm__ volatile("leaq -128(%%rsp), %%rsp\n\t"
			 "pushfq\n\t"
			 "andl $~0x40000, (%%rsp)\n\t"
			 "popfq\n\t"
			 "leaq 128(%%rsp), %%rsp"
			 :
			 :
			 : "memory", "cc");
}

static inline int ms_runtime_is_error(long result)
{
	return (unsigned long)result > -4096ul;
}

/* The C library keeps the address of the thread's control block there. */
static inline uint64_t ms_runtime_get_thread_pointer(void)
{
	uint64_t at;

	__asm__("movq %%fs:0, %0" : "=r"(at));
	return at;
}

/* The running thread's struct ms_runtime_thread; may be another's: compare `pointer`. */
static inline void *ms_runtime_get_thread(void)
{
	void *at;

	__asm__ volatile("movq %%gs:4112, %0" : "=r"(at)); /* MS_RUNTIME_THREAD_SELF_AT */
	return at;
}

static inline void ms_runtime_set_thread(void *base)
{
	ms_runtime_syscall(SYS_arch_prctl, 0x1001 /* ARCH_SET_GS */, (long)base, 0, 0, 0, 0);
}

/* Cost of counting at the end of a block, in 1024ths of a ns: due to mispredicted calls and
 * returns. */
enum { MS_RUNTIME_COUNTING_EXIT_COST = 1024 };

/* The argument of clone() with the word to be cleared. */
enum { MS_RUNTIME_CLONE_CLEAR_TID_ARG = 3 };

/* The code through which a handler returns. */
extern const uint8_t ms_runtime_signal_restorer[] __attribute__((visibility("hidden")));
static inline uint64_t ms_runtime_get_restorer(void)
{
	return (uint64_t)ms_runtime_signal_restorer;
}

#endif
