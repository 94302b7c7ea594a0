/*
 * Signal handlers that are hard for a front-end which stands between them and the kernel: what it
 * prints is the same natively and traced.
 *
 *    handlers between   set while the program runs code of its own making, which is not traced
 *    handlers stack     on another stack, where others interrupt them
 *    handlers both      two signals at the same time
 *    handlers nowhere   system calls of signals and threads that are given no memory
 *    handlers ours      the signal that the tracer has for itself
 *    handlers timer     the one that windows open by
 *    handlers reset     all signals as they are by default, in the midst
 */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { STACK = 64 << 10 };

extern const char __executable_start[], etext[];

static volatile long alarms, elsewhere, damaged, ran;
static size_t shown_size; /* of the other stack */
static sigjmp_buf back;

static void handle(int signal, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction a = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags };

	sigemptyset(&a.sa_mask);
	sigaction(signal, &a, NULL);
}

static void tick(int us)
{
	struct itimerval timer = { { 0, us }, { 0, us } };

	setitimer(ITIMER_REAL, &timer, NULL);
}

static __attribute__((noinline)) long burn(long n)
{
	volatile long x = 0;

	for (long i = 0; i < n; i++)
		x += i;
	return x;
}

/* --- between --- */

static uintptr_t pc_of(void *context)
{
#if defined(__x86_64__)
	return (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#else
	return (uintptr_t)((ucontext_t *)context)->uc_mcontext.pc;
#endif
}

static void look(int signal, siginfo_t *info, void *context)
{
	uintptr_t pc = pc_of(context);

	(void)signal, (void)info;
	alarms++;
	/* Low memory holds this program alone: it is built for a fixed place there. */
	elsewhere +=
		pc < 1ul << 31 && (pc < (uintptr_t)__executable_start || pc >= (uintptr_t)etext);
	if (alarms == 100)
		siglongjmp(back, 1);
}

/* Code that no file contains: what follows runs untraced for a while. */
static void run_made_code(void)
{
#if defined(__x86_64__)
	static const unsigned char returns[] = { 0xc3 };
#else
	static const unsigned char returns[] = { 0xc0, 0x03, 0x5f, 0xd6 };
#endif
	char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(code, returns, sizeof(returns));
	__builtin___clear_cache(code, code + sizeof(returns));
	((void (*)(void))code)();
}

static void between(void)
{
	run_made_code();
	handle(SIGALRM, look, 0);
	burn(30000000); /* traced again */
	if (sigsetjmp(back, 1) == 0) {
		tick(1000);
		for (;;)
			burn(1000);
	}
	tick(0);
	printf("alarms come, %ld elsewhere\n", elsewhere);
}

/* --- stack --- */

/* Also on the other stack, where it interrupts another one: the frame names that stack, too.
 * (memspy has a flag there that sigreturn refuses.) */
static void count(int signal, siginfo_t *info, void *context)
{
	const stack_t *shown = &((ucontext_t *)context)->uc_stack;

	(void)signal, (void)info;
	alarms++;
	damaged += shown->ss_size != shown_size ||
		   (shown_size != 0 && (shown->ss_flags & (SS_ONSTACK | SS_DISABLE)) != 0);
}

/* What it keeps on its stack stays there, whoever interrupts it. */
static void keeps(int signal, siginfo_t *info, void *context)
{
	volatile unsigned char kept[4096];

	(void)signal, (void)context;
	memset((void *)kept, 0x5a, sizeof(kept));
	for (int i = 0; i < 300; i++) {
		free(malloc((size_t)i + 1));
		getppid();
	}
	for (size_t i = 0; i < sizeof(kept); i++)
		damaged += kept[i] != 0x5a;
	damaged += info->si_signo != SIGUSR1;
	ran++;
}

static void leaves(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)info, (void)context;
	siglongjmp(back, 1);
}

static void where(int signal, siginfo_t *info, void *context)
{
	stack_t now;

	(void)signal, (void)info;
	sigaltstack(NULL, &now);
	printf("on it %d, %zu, in the frame %d\n", now.ss_flags, now.ss_size,
	       ((ucontext_t *)context)->uc_stack.ss_sp == now.ss_sp);
}

static void stack(void)
{
	stack_t other = { .ss_sp = malloc(STACK), .ss_size = STACK }, was;
	volatile int left = 0;

	sigaltstack(&other, NULL);
	shown_size = STACK;
	sigaltstack(NULL, &was);
	printf("flags %d, the same %d\n", was.ss_flags, was.ss_sp == other.ss_sp);
	handle(SIGUSR2, where, SA_ONSTACK);
	raise(SIGUSR2);
	handle(SIGUSR1, keeps, SA_ONSTACK);
	handle(SIGALRM, count, SA_ONSTACK | SA_RESTART);
	tick(100);
	while (alarms < 500 || ran < 300)
		raise(SIGUSR1);
	tick(0);
	printf("damaged %ld\n", damaged);
	handle(SIGSEGV, leaves, SA_ONSTACK);
	while (left < 50)
		if (sigsetjmp(back, 1) == 0)
			*(volatile int *)16 = 1;
		else
			left++;
	handle(SIGUSR2, where, SA_ONSTACK);
	raise(SIGUSR2);
	other.ss_flags = SS_DISABLE;
	printf("disabled %d", sigaltstack(&other, &was));
	sigaltstack(NULL, &other);
	printf(", %d, before %d\n", other.ss_flags, was.ss_flags);
}

/* --- both --- */

static void also(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)info, (void)context;
	ran++;
}

/* Waits for ever when one is lost. */
static void both(void)
{
	handle(SIGUSR1, also, 0);
	handle(SIGALRM, count, 0);
	for (int i = 0; i < 5000; i++) {
		struct itimerval once = { { 0, 0 }, { 0, 1 + i % 10 } };
		long alarms_were = alarms, ran_was = ran;

		setitimer(ITIMER_REAL, &once, NULL);
		kill(getpid(), SIGUSR1);
		while (alarms == alarms_were || ran == ran_was)
			if (i % 2)
				usleep(10);
	}
	printf("%ld and %ld\n", alarms, ran);
}

/* --- nowhere --- */

static void print_result(const char *what, long result)
{
	printf("%s: %ld, %s\n", what, result, strerror(result < 0 ? errno : 0));
}

static void nowhere(void)
{
	static const struct {
		uint64_t handler, flags, restorer, mask;
	} ignored = { .handler = 1 };
	struct sigaction was = { 0 };

	print_result("a new action", syscall(SYS_rt_sigaction, SIGUSR1, 8L, 0L, 8L));
	print_result("the old action", syscall(SYS_rt_sigaction, SIGUSR1, &ignored, 8L, 8L));
	sigaction(SIGUSR1, NULL, &was);
	printf("ignored nevertheless %d\n", was.sa_handler == SIG_IGN);
	print_result("a new stack", syscall(SYS_sigaltstack, 8L, 0L));
	print_result("the old stack", syscall(SYS_sigaltstack, 0L, 8L));
	print_result("a thread", syscall(SYS_clone3, 8L, 64L));
	print_result("processors", syscall(SYS_sched_setaffinity, 0L, 64L, 8L));
}

/* --- ours --- */

enum { OURS = 62, TIMER = 61 };

static void mine(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)context;
	if (info->si_code == SI_TIMER)
		alarms += info->si_value.sival_int == 1234;
	else
		ran++;
}

static void ours(int kept)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = kept };
	struct itimerspec soon = { { 0, 0 }, { 0, 1000000 } };
	struct sigaction was;
	timer_t timer;
	int status;

	event.sigev_value.sival_int = 1234;
	sigaction(kept, NULL, &was);
	printf("at first %d\n", was.sa_handler == SIG_DFL);
	handle(kept, mine, 0);
	sigaction(kept, NULL, &was);
	printf("then %d\n", was.sa_sigaction == mine);
	for (int i = 0; i < 20; i++) {
		run_made_code();
		burn(3000000);
		raise(kept);
	}
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &soon, NULL);
	while (alarms == 0)
		burn(1000);
	printf("%ld sent, %ld by a timer\n", ran, alarms);
	fflush(stdout);
	if (fork() == 0) {
		signal(kept, SIG_DFL);
		raise(kept);
		_exit(0);
	}
	wait(&status);
	printf("killed by %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

static void reset(void)
{
	burn(10000000);
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	burn(10000000);
	puts("reset");
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (strcmp(mode, "between") == 0)
		between();
	else if (strcmp(mode, "stack") == 0)
		stack();
	else if (strcmp(mode, "both") == 0)
		both();
	else if (strcmp(mode, "ours") == 0)
		ours(OURS);
	else if (strcmp(mode, "timer") == 0)
		ours(TIMER);
	else if (strcmp(mode, "reset") == 0)
		reset();
	else
		nowhere();
	return 7;
}
