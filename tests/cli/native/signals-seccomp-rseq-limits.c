/*
 * What a program may do that a front-end inside its process must handle: what it prints, and how
 * it ends, is the same natively and traced.
 *
 *    program blocked   all signals are blocked
 *    program masks     signals are blocked and unblocked; what is read back is what was set
 *    program strict    seccomp: nothing but read, write, exit
 *    program filter    seccomp: a filter that kills whoever makes a call that is not on its list
 *    program small     threads with the smallest stack that there is, most of it used
 *    program aside     handlers run on the smallest stack that there is for them, for long
 *    program apart     coroutines that were made by handlers on small stacks
 *    program code      code is mapped, run, changed and unmapped, again and again
 *    program queue     no signal more may wait for the user: none with a value can be sent
 *    program data      allocates most of what its own limit on data leaves it
 *    program sequence  threads count with restartable sequences (rseq): no count may be lost
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static __attribute__((noinline)) long work(long n)
{
	volatile long *p = malloc(4096 * sizeof(long));
	long sum = 0;

	for (long i = 0; i < n; i++) {
		p[i % 4096] = i;
		sum += p[i * 7 % 4096] & 1;
	}
	free((void *)p);
	return sum & 0;
}

static void say(const char *text)
{
	(void)!write(1, text, strlen(text));
}

/* --- blocked --- */

static void blocked(void)
{
	sigset_t all, pending;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	raise(SIGUSR1);
	work(3000000);
	sigpending(&pending);
	printf("pending %d, work %ld\n", sigismember(&pending, SIGUSR1), work(1000));
}

/* --- masks --- */

/* As its last ones, which a program may have for itself: the real-time signals have no other use.
 */
static const int watched[] = { SIGUSR2, 61, 62 };
enum { WATCHED = sizeof(watched) / sizeof(watched[0]) };

/* How many of the watched signals are not as they were set. */
static long misread(const char *when, bool wanted)
{
	sigset_t now;
	long wrong = 0;

	sigemptyset(&now);
	pthread_sigmask(SIG_BLOCK, NULL, &now);
	for (int i = 0; i < WATCHED; i++)
		if (sigismember(&now, watched[i]) != wanted) {
			printf("%s: signal %d is %sblocked\n", when, watched[i],
			       wanted ? "not " : "");
			wrong++;
		}
	return wrong;
}

/* Its mask is not that of who it interrupts. */
static volatile long in_handler;
static void with_all_blocked(int signal)
{
	(void)signal;
	in_handler += misread("in a handler", true) + work(60000);
}

static void *begun_with_all_blocked(void *arg)
{
	sigset_t all;
	long wrong = misread("a new thread", true);

	(void)arg;
	work(200000);
	wrong += misread("a thread", true);
	sigfillset(&all);
	pthread_sigmask(SIG_UNBLOCK, &all, NULL);
	work(200000);
	return (void *)(wrong + misread("a thread that has unblocked them", false));
}

static void masks(void)
{
	struct sigaction action = { .sa_handler = with_all_blocked };
	sigset_t all, none, old, some;
	long wrong = 0;

	sigfillset(&all);
	sigemptyset(&none);
	sigfillset(&action.sa_mask);
	sigaction(SIGUSR1, &action, NULL);
	for (long i = 0; i < 30; i++) {
		wrong += misread("at first", false);
		sigprocmask(SIG_BLOCK, &all, &old);
		wrong += misread("at once", true);
		work(30000 + i * 7000);
		wrong += misread("later", true);
		sigprocmask(SIG_SETMASK, &old, &some);
		wrong += sigismember(&some, 61) != 1 || sigismember(&some, 62) != 1;
		wrong += misread("given back", false);
		work(30000 + i * 5000);
		wrong += misread("later", false);
		raise(SIGUSR1);
		wrong += misread("after a handler", false);
		sigprocmask(SIG_SETMASK, &all, NULL);
		work(20000);
		sigprocmask(SIG_SETMASK, &none, NULL);
	}
	pthread_t thread;
	void *more = NULL;
	sigprocmask(SIG_BLOCK, &all, NULL);
	pthread_create(&thread, NULL, begun_with_all_blocked, NULL);
	pthread_join(thread, &more);
	wrong += misread("at the end", true);
	printf("%ld wrong\n", wrong + (long)more + in_handler);
}

/* --- seccomp --- */

static void strict(void)
{
	work(100000);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	for (long i = 0; i < 20; i++)
		if (work(200000) != 0)
			say("wrong\n");
	say("strict\n");
	syscall(SYS_exit, 3);
}

static void filter(void)
{
	static const int allowed[] = { SYS_read, SYS_write, SYS_brk, SYS_exit_group, SYS_fstat };
	enum { N = sizeof(allowed) / sizeof(allowed[0]) };
	struct sock_filter code[N + 3];
	struct sock_fprog program = { N + 3, code };

	code[0] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
					       offsetof(struct seccomp_data, nr));
	for (unsigned i = 0; i < N; i++)
		code[1 + i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
							   (unsigned)allowed[i], N - i, 0);
	code[N + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	code[N + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	work(100000);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
		say("no filter\n");
	for (long i = 0; i < 20; i++)
		if (work(200000) != 0)
			say("wrong\n");
	say("filtered\n");
	_exit(4);
}

/* --- small --- */

static __attribute__((noinline)) long deep(int n)
{
	volatile char used[256];

	used[0] = (char)n;
	return (n > 0 ? deep(n - 1) : work(20000)) + (used[0] == (char)n ? 0 : 1);
}

static void *on_small_stack(void *arg)
{
	return (void *)(deep(20) + (intptr_t)arg);
}

static void small(void)
{
	pthread_attr_t attr;
	long sum = 0;

	pthread_attr_init(&attr);
	if (pthread_attr_setstacksize(&attr, 16384) != 0)
		puts("no stack as small as that");
	for (int round = 0; round < 20; round++) {
		pthread_t threads[4];
		void *result;

		for (intptr_t i = 0; i < 4; i++)
			pthread_create(&threads[i], &attr, on_small_stack, (void *)i);
		for (int i = 0; i < 4; i++) {
			pthread_join(threads[i], &result);
			sum += (intptr_t)result;
		}
	}
	printf("small %ld\n", sum);
}

/* --- code --- */

typedef long function(long);

/* Returns its argument and a constant. */
static void write_code(uint8_t *at, uint8_t constant)
{
#if defined(__x86_64__)
	const uint8_t code[] = { 0x48, 0x8d, 0x47, constant, 0xc3 }; /* lea rax, [rdi + c]; ret */
#else
	const uint32_t code[] = { 0x91000000 | (uint32_t)constant << 10, 0xd65f03c0 };
#endif
	memcpy(at, code, sizeof(code));
	__builtin___clear_cache((char *)at, (char *)at + sizeof(code));
}

static void code(void)
{
	long sum = 0;

	for (int round = 0; round < 50; round++) {
		uint8_t *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		for (uint8_t i = 0; i < 20; i++) {
			write_code(at, i);
			sum += ((function *)(void *)at)(round);
		}
		munmap(at, 4096);

		/* A library comes and goes. */
		void *library = dlopen("libm.so.6", RTLD_NOW);
		double (*root)(double) = (double (*)(double))dlsym(library, "cbrt");

		sum += root != NULL ? (long)root(27.5) : -1;
		dlclose(library);
	}
	printf("code %ld\n", sum);
}

/* --- sequence --- */

enum { COUNTS = 50000, THREADS = 4, PROCESSORS = 1024 };
static struct {
	long n;
	char rest[56];
} counters[PROCESSORS];

#if defined(__x86_64__)
/* Adds 1 to the counter of the processor that runs it. False: it was interrupted. */
static bool count_here(struct rseq *area)
{
	unsigned cpu = *(volatile unsigned *)&area->cpu_id_start;

	__asm__ goto(".pushsection __rseq_cs, \"aw\"\n\t"
		     ".balign 32\n"
		     "3:\n\t"
		     ".long 0, 0\n\t"
		     ".quad 1f, 2f - 1f, 4f\n\t"
		     ".popsection\n\t"
		     "leaq 3b(%%rip), %%rax\n\t"
		     "movq %%rax, %[cs]\n"
		     "1:\n\t"
		     "cmpl %[cpu], %[now]\n\t"
		     "jnz 4f\n\t"
		     "movq %[counter], %%rax\n\t"
		     "movl $5000, %%ecx\n" /* long enough to be interrupted */
		     "5:\n\t"
		     "subl $1, %%ecx\n\t"
		     "jnz 5b\n\t"
		     "addq $1, %%rax\n\t"
		     "movq %%rax, %[counter]\n"
		     "2:\n\t"
		     ".pushsection .text.abort, \"ax\"\n\t"
		     ".byte 0x0f, 0xb9, 0x3d\n\t"
		     ".long 0x53053053\n"
		     "4:\n\t"
		     "jmp %l[aborted]\n\t"
		     ".popsection"
		     :
		     : [cs] "m"(area->rseq_cs), [cpu] "r"(cpu), [now] "m"(area->cpu_id),
		       [counter] "m"(counters[cpu % PROCESSORS].n)
		     : "memory", "cc", "rax", "rcx"
		     : aborted);
	return true;
aborted:
	return false;
}
#else
static bool count_here(struct rseq *area)
{
	unsigned cpu = *(volatile unsigned *)&area->cpu_id_start;

	__asm__ goto(".pushsection __rseq_cs, \"aw\"\n\t"
		     ".balign 32\n"
		     "3:\n\t"
		     ".long 0, 0\n\t"
		     ".quad 1f, 2f - 1f, 4f\n\t"
		     ".popsection\n\t"
		     "adrp x9, 3b\n\t"
		     "add x9, x9, :lo12:3b\n\t"
		     "str x9, %[cs]\n"
		     "1:\n\t"
		     "ldr w9, %[now]\n\t"
		     "cmp w9, %w[cpu]\n\t"
		     "b.ne 4f\n\t"
		     "ldr x9, %[counter]\n\t"
		     "mov w10, #5000\n" /* long enough to be interrupted */
		     "5:\n\t"
		     "subs w10, w10, #1\n\t"
		     "b.ne 5b\n\t"
		     "add x9, x9, #1\n\t"
		     "str x9, %[counter]\n"
		     "2:\n\t"
		     ".pushsection .text.abort, \"ax\"\n\t"
		     ".inst 0xd428bc00\n"
		     "4:\n\t"
		     "b %l[aborted]\n\t"
		     ".popsection"
		     :
		     : [cs] "m"(area->rseq_cs), [cpu] "r"(cpu), [now] "m"(area->cpu_id),
		       [counter] "m"(counters[cpu % PROCESSORS].n)
		     : "memory", "cc", "x9", "x10"
		     : aborted);
	return true;
aborted:
	return false;
}
#endif

static void *count(void *arg)
{
	struct rseq *area = (struct rseq *)((char *)__builtin_thread_pointer() + __rseq_offset);

	for (int i = 0; i < COUNTS; i++)
		while (!count_here(area))
			;
	return arg;
}

static void sequence(void)
{
	pthread_t threads[THREADS];
	long sum = 0;

	if (__rseq_size == 0) {
		puts("no sequences here");
		return;
	}
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, count, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < PROCESSORS; i++)
		sum += counters[i].n;
	printf("sequence %ld\n", sum);
}

/* --- aside --- */

static __thread volatile long handled;
static __thread sigjmp_buf out;
static __thread stack_t aside_is;

static void check_aside(uint32_t flags)
{
	stack_t now;

	if (sigaltstack(NULL, &now) != 0 || now.ss_sp != aside_is.ss_sp ||
	    now.ss_size != aside_is.ss_size || (uint32_t)now.ss_flags != flags)
		say("another stack\n");
}

static void on_aside(int signal)
{
	sigset_t all, was;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &was);
	for (volatile int i = 0; i < 10000; i++)
		;
	pthread_sigmask(SIG_SETMASK, &was, NULL);
	for (volatile int i = 0; i < 10000; i++)
		;
	handled++;
	check_aside(SS_ONSTACK);
	if (sigaltstack(&aside_is, NULL) == 0)
		say("it may be set\n");
	if (signal == SIGUSR2 && handled % 3 == 0)
		siglongjmp(out, 1);
}

/* As small as it may be; what is beside it must not be touched. */
static void *small_stack(size_t size)
{
	enum { PAGE = 65536 };
	char *at = mmap(NULL, 3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t used = (size + 4095) & ~(size_t)4095;

	mprotect(at + PAGE, used, PROT_READ | PROT_WRITE);
	return at + PAGE + ((used - size) & ~(size_t)15);
}

static void *handle_aside(void *arg)
{
	size_t size = getauxval(AT_MINSIGSTKSZ) + 2048;

	aside_is = (stack_t){ .ss_flags = SS_DISABLE };
	check_aside(SS_DISABLE);
	aside_is = (stack_t){ .ss_sp = small_stack(size), .ss_size = size };
	if (sigaltstack(&aside_is, NULL) != 0)
		say("no stack as small as that\n");
	for (int i = 0; i < 100; i++) {
		work(2000);
		raise(SIGUSR1);
		if (sigsetjmp(out, 1) == 0)
			raise(SIGUSR2);
	}
	check_aside(0);
	sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, &aside_is);
	if (aside_is.ss_size != size)
		say("it was another stack\n");
	aside_is = (stack_t){ .ss_flags = SS_DISABLE };
	check_aside(SS_DISABLE);
	return (void *)(handled + deep(20) + work(100000) + (intptr_t)arg);
}

static void aside(void)
{
	struct sigaction action = { .sa_handler = on_aside, .sa_flags = SA_ONSTACK };
	pthread_attr_t attr;
	pthread_t threads[4];
	long sum = 0;
	void *result;

	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 32768);
	for (intptr_t i = 0; i < 4; i++)
		pthread_create(&threads[i], i % 2 ? &attr : NULL, handle_aside, (void *)i);
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], &result);
		sum += (intptr_t)result;
	}
	printf("aside %ld\n", sum);
}

/* --- apart --- */

enum { APART = 3 };
static sigjmp_buf at_home, at[APART];
static volatile int which;
static volatile long steps[APART];

/* Its frame stays where it is, on the stack that it was called on. */
static void on_apart(int signal)
{
	volatile long n = which;
	int self = which;

	(void)signal;
	if (sigsetjmp(at[self], 1) == 0)
		return;
	for (;;) {
		n += work(200) + 1;
		steps[self] = n;
		if (sigsetjmp(at[self], 1) == 0)
			siglongjmp(at_home, 1);
	}
}

static void apart(void)
{
	struct sigaction action = { .sa_handler = on_apart, .sa_flags = SA_ONSTACK };
	const size_t size = 20 << 10;

	sigaction(SIGUSR1, &action, NULL);
	for (which = 0; which < APART; which++) {
		sigaltstack(&(stack_t){ .ss_sp = small_stack(size), .ss_size = size }, NULL);
		raise(SIGUSR1);
	}
	sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, NULL);
	for (volatile int i = 0; i < 3000; i++) {
		which = i % APART;
		if (sigsetjmp(at_home, 1) == 0)
			siglongjmp(at[which], 1);
	}
	printf("apart %ld %ld %ld\n", steps[0], steps[1], steps[2]);
}

/* --- queue --- */

static void queue(void)
{
	const struct rlimit none = { 0, 0 };
	struct sigaction action;
	int status = -1;

	work(100000);
	setrlimit(RLIMIT_SIGPENDING, &none);
	work(3000000);
	sigaction(SIGIO, NULL, &action);
	printf("SIGIO %d\n", action.sa_handler == SIG_DFL && action.sa_flags == 0);
	signal(SIGIO, SIG_IGN);
	printf("SIGIO %d", signal(SIGIO, SIG_DFL) == SIG_IGN);
	printf(" %d\n", signal(SIGIO, SIG_DFL) == SIG_DFL);
	work(3000000);
	for (int i = 0; i < 3; i++) {
		fflush(stdout);
		pid_t child = fork();
		if (child == 0)
			_exit(4 + (int)work(1000));
		waitpid(child, &status, 0);
		printf("child %d, work %ld\n", WEXITSTATUS(status), work(100000));
	}
	fflush(stdout);
	raise(SIGIO); /* it ends of it */
}

/* --- data --- */

static void data(void)
{
	const struct rlimit wanted = { 100 << 20, 100 << 20 };
	struct rlimit got;
	int blocks = 0;

	setrlimit(RLIMIT_DATA, &wanted);
	while (blocks < 70 && malloc(1 << 20) != NULL)
		blocks++;
	getrlimit(RLIMIT_DATA, &got);
	printf("limit %lu, blocks %d\n", (unsigned long)got.rlim_cur, blocks);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} modes[] = { { "blocked", blocked }, { "masks", masks }, { "strict", strict },
		      { "filter", filter },   { "small", small }, { "aside", aside },
		      { "apart", apart },     { "code", code },   { "sequence", sequence },
		      { "queue", queue },     { "data", data } };

	for (size_t i = 0; argc > 1 && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strcmp(modes[i].name, argv[1]) == 0) {
			modes[i].run();
			return 0;
		}
	return 2;
}
