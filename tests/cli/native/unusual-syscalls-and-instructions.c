/*
 * MODE: what programs seldom do, and compilers never, but the processor and the kernel
 * allow. clone       a child with a stack of its own, and memory of its own (containers do so)
 *    descriptor  all descriptors are closed, and others take their numbers; then it forks
 *    file        executes a file that is open
 *    dispatch    system calls come back as signals
 *    thread      another thread's data are in use for a while
 *    back        returns as the kernel does
 *    prefixes    branches and addresses with prefixes that mean nothing
 *    grows       a stack that grows by a handler, at a call with every register in use
 *    bits        of a long string of them, with and without a lock
 *    refused     an instruction that is refused, after others that must not be executed twice
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { STACK = 1 << 20, PAGE = 4096, WORDS = 4096, NOT_HERE = 77 };

static volatile uint64_t table[WORDS];

static __attribute__((noinline)) uint64_t work(long rounds)
{
	uint64_t sum = 0;

	for (long r = 0; r < rounds; r++)
		for (long i = 0; i < WORDS; i++)
			table[i] = sum += table[i] + (uint64_t)i;
	return sum;
}

static void handle(int signal, void (*handler)(int, siginfo_t *, void *), int flags)
{
	const struct sigaction wanted = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags };

	sigaction(signal, &wanted, NULL);
}

/* --- processes --- */

static int child(void *argument)
{
	printf("child has %s, %lu\n", (const char *)argument, (unsigned long)work(20));
	fflush(stdout);
	return 7;
}

static int clone_apart(void)
{
	char *stack = malloc(STACK);
	int status = 0;

	for (int i = 0; i < 5; i++) {
		work(20);
		waitpid(clone(child, stack + STACK, SIGCHLD, "an argument"), &status, 0);
		printf("status %x\n", status);
		fflush(stdout);
	}
	return 0;
}

static int descriptor(void)
{
	enum { FIRST = 690, LAST = 720 };

	close_range(3, ~0u, 0);
	for (int fd = FIRST; fd < LAST; fd++)
		dup2(1, fd);
	for (int i = 0; i < 5; i++) {
		work(20);
		if (fork() == 0) {
			for (int fd = FIRST; fd < LAST; fd++)
				if (write(fd, "", 0) < 0)
					dprintf(1, "descriptor %d: %s\n", fd, strerror(errno));
			_exit(0);
		}
		wait(NULL);
	}
	return 0;
}

static int file(void)
{
	char *const arguments[] = { "odd", "ends", NULL };

	work(300);
	fexecve(open("/proc/self/exe", O_RDONLY | O_CLOEXEC), arguments, environ);
	return 1;
}

static int ends(void)
{
	puts("executed");
	return 0;
}

#if defined(__x86_64__)
/* --- of x86-64 --- */

static volatile char selector;
static volatile int dispatched;

static void answer(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	selector = 0;
	dispatched++;
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RAX] = 4242;
}

static int dispatch(void)
{
	enum { SET_DISPATCH = 59, ON = 1 };
	long result = 0;

	handle(SIGSYS, answer, 0);
	if (prctl(SET_DISPATCH, ON, 0, 0, &selector) != 0)
		return NOT_HERE;
	for (int i = 0; i < 3; i++) {
		selector = 1;
		work(20);
		__asm__ volatile("syscall" : "=a"(result) : "a"(9999) : "rcx", "r11", "memory");
	}
	printf("%ld, %d times\n", result, dispatched);
	return 0;
}

static void use_thread(int way, uint64_t at)
{
	enum { SET_FS = 0x1002 };
	long result;

	if (way == 0)
		__asm__ volatile("wrfsbase %0" ::"r"(at) : "memory");
	else
		__asm__ volatile("syscall"
				 : "=a"(result)
				 : "a"(SYS_arch_prctl), "D"(SET_FS), "S"(at)
				 : "rcx", "r11", "memory");
}

static int thread(void)
{
	enum { CAN = 2, BEFORE = 64, AFTER = 2304 };
	uint64_t own, sum = 0;

	if (!(getauxval(AT_HWCAP2) & CAN))
		return NOT_HERE;
	__asm__ volatile("rdfsbase %0" : "=r"(own));
	char *other = (char *)aligned_alloc(64, 4 * PAGE) + PAGE;
	memcpy(other - BEFORE, (char *)own - BEFORE, BEFORE + AFTER);
	((uint64_t *)other)[0] = ((uint64_t *)other)[2] = (uint64_t)other;
	for (int way = 0; way < 2; way++) {
		use_thread(way, (uint64_t)other);
		sum += work(3000);
		use_thread(way, own);
		sum += work(300);
	}
	printf("%lu\n", (unsigned long)sum);
	return 0;
}

static int back(void)
{
	uint64_t same = 0;

	__asm__ volatile("mov %%rsp, %%rax\n\t"
			 "mov %%ss, %%ecx\n\t"
			 "push %%rcx\n\t"
			 "push %%rax\n\t"
			 "pushfq\n\t"
			 "mov %%cs, %%ecx\n\t"
			 "push %%rcx\n\t"
			 "lea 1f(%%rip), %%rcx\n\t"
			 "push %%rcx\n\t"
			 "iretq\n"
			 "1:\n\t"
			 "cmp %%rsp, %%rax\n\t"
			 "sete %b0"
			 : "+r"(same)::"rax", "rcx", "memory", "cc");
	printf("the stack is the same: %lu\n", (unsigned long)same);
	return 0;
}

#define IS_GREATER(prefix, a)                                                                \
	({                                                                                   \
		long is;                                                                     \
		__asm__ volatile("cmp $5, %1\n\t.byte " prefix "\n\tjg 1f\n\tmov $0, %0\n\t" \
				 "jmp 2f\n1:\tmov $1, %0\n2:"                                \
				 : "=&r"(is)                                                 \
				 : "r"((long)(a))                                            \
				 : "cc");                                                    \
		is;                                                                          \
	})

uint64_t odd_word = 4711;

static int prefixes(void)
{
	uint64_t word, vector;

	printf("%ld %ld %ld %ld %ld\n", IS_GREATER("0x26", 9), IS_GREATER("0x36", 9),
	       IS_GREATER("0x64", 9), IS_GREATER("0x65", 1), IS_GREATER("0x2e", 1));
	/* mov and vmovq, with the bit that would make their base r13 */
	__asm__ volatile(".byte 0x49, 0x8b, 0x05\n\t.long odd_word - . - 4\n\tmov %%rax, %0"
			 : "=r"(word)::"rax");
	__asm__ volatile(".byte 0xc4, 0xc1, 0x7a, 0x7e, 0x05\n\t.long odd_word - . - 4\n\t"
			 "vmovq %%xmm0, %0"
			 : "=r"(vector)::"xmm0");
	printf("%lu %lu\n", (unsigned long)word, (unsigned long)vector);
	return 0;
}

static uint64_t bit_string[WORDS * 64] __attribute__((aligned(PAGE)));

/* Each in a page of its own. */
static __attribute__((noinline)) void set_locked(void)
{
	for (uint64_t i = 1; i <= 64; i++)
		__asm__ volatile("lock btsq %1, %0"
				 : "+m"(bit_string[0])
				 : "r"(i * PAGE * 8)
				 : "cc", "memory");
}

static __attribute__((noinline)) void set_unlocked(void)
{
	for (uint64_t i = 1; i <= 64; i++)
		__asm__ volatile("btsq %1, %0"
				 : "+m"(bit_string[0])
				 : "r"(i * PAGE * 8)
				 : "cc", "memory");
}

static int bits(void)
{
	set_locked();
	set_unlocked();
	return 0;
}

uint64_t odd_sum, odd_saved, odd_stack;
void odd_call(void);
__asm__(".text\n"
	"odd_add:\n\t"
	"lea (%rcx, %rax, 2), %rax\n\tlea (%rdx, %rax, 2), %rax\n\tlea (%rbx, %rax, 2), %rax\n\t"
	"lea (%rbp, %rax, 2), %rax\n\tlea (%rsi, %rax, 2), %rax\n\tlea (%rdi, %rax, 2), %rax\n\t"
	"lea (%r8, %rax, 2), %rax\n\tlea (%r9, %rax, 2), %rax\n\tlea (%r10, %rax, 2), %rax\n\t"
	"lea (%r11, %rax, 2), %rax\n\tlea (%r12, %rax, 2), %rax\n\tlea (%r13, %rax, 2), %rax\n\t"
	"lea (%r14, %rax, 2), %rax\n\tlea (%r15, %rax, 2), %rax\n\tmov %rax, odd_sum(%rip)\n\tret\n"
	".globl odd_call\n"
	"odd_call:\n\t"
	"push %rbx\n\tpush %rbp\n\tpush %r12\n\tpush %r13\n\tpush %r14\n\tpush %r15\n\t"
	"mov %rsp, odd_saved(%rip)\n\tmov odd_stack(%rip), %rsp\n\t"
	"mov $1, %eax\n\tmov $2, %ecx\n\tmov $3, %edx\n\tmov $4, %ebx\n\tmov $6, %ebp\n\t"
	"mov $7, %esi\n\tmov $8, %edi\n\tmov $9, %r8d\n\tmov $10, %r9d\n\tmov $11, %r10d\n\t"
	"mov $12, %r11d\n\tmov $13, %r12d\n\tmov $14, %r13d\n\tmov $15, %r14d\n\tmov $16, %r15d\n\t"
	"jmp 1f\n\t.balign 64\n1:\tcall odd_add\n\t"
	"mov odd_saved(%rip), %rsp\n\tpop %r15\n\tpop %r14\n\tpop %r13\n\tpop %r12\n\tpop %rbp\n\t"
	"pop %rbx\n\tret\n");

static char *stack_page;

static void grow(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	(void)context;
	mprotect(stack_page, PAGE, PROT_READ | PROT_WRITE);
}

static int grows(void)
{
	const stack_t aside = { .ss_sp = malloc(STACK), .ss_size = STACK };

	stack_page = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	odd_stack = (uint64_t)(stack_page + PAGE);
	sigaltstack(&aside, NULL);
	handle(SIGSEGV, grow, SA_ONSTACK);
	odd_call();
	printf("%lx\n", (unsigned long)odd_sum);
	return 0;
}

static int refused(void)
{
	return NOT_HERE;
}
#else
/* --- of aarch64 --- */

static int dispatch(void)
{
	return NOT_HERE;
}
#define thread   dispatch
#define back     dispatch
#define prefixes dispatch
#define grows    dispatch
#define bits     dispatch

static void step_over(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	((ucontext_t *)context)->uc_mcontext.pc += 4;
}

static int refused(void)
{
	uint64_t count = 0, cycles = 1, word = 0;

	handle(SIGILL, step_over, 0);
	for (int i = 0; i < 100; i++)
		__asm__ volatile("str %0, [%2]\n\tadd %0, %0, #1\n\tmrs %1, pmccntr_el0"
				 : "+r"(count), "+r"(cycles)
				 : "r"(&word)
				 : "memory");
	printf("%lu\n", (unsigned long)count);
	return 0;
}
#endif

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} modes[] = { { "clone", clone_apart }, { "descriptor", descriptor }, { "file", file },
		      { "ends", ends },         { "dispatch", dispatch },     { "thread", thread },
		      { "back", back },         { "prefixes", prefixes },     { "grows", grows },
		      { "bits", bits },         { "refused", refused } };

	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		if (argc > 1 && strcmp(argv[1], modes[i].name) == 0)
			return modes[i].run();
	return 2;
}
