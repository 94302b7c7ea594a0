/*
 * generated-code.c - code that is generated at run time, changed, taken away, and traps in
 * handlers: for the native front-end. Prints sums that are known, and which must come out whoever
 * watches.
 *
 * generated-code MODE: the code adds 100 words, in 1000 calls; around() writes as many for each.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { WORDS = 100, CALLS = 1000, PAGE = 4096 };

typedef uint64_t sum_of(const uint64_t *words, uint64_t n);

/* plus + words[0] + ... + words[n - 1] */
#if defined(__aarch64__)
static uint32_t code[] = { 0xd2800002,   /* mov x2, #plus */
			   0xf8408403,   /* ldr x3, [x0], #8 */
			   0x8b030042,   /* add x2, x2, x3 */
			   0xf1000421,   /* subs x1, x1, #1 */
			   0x54ffffa1,   /* b.ne .-12 */
			   0xaa0203e0,   /* mov x0, x2 */
			   0xd65f03c0 }; /* ret */

static void set_plus(void *at, uint32_t plus)
{
	*(uint32_t *)at = 0xd2800002 | plus << 5;
}
enum { TRAP_BYTES = 4 };
#define TRAP    "brk #7"
#define UNKNOWN "udf #7"
#define SEEN    "isb"
#define PC      uc_mcontext.pc
#elif defined(__x86_64__)
static uint8_t code[] = { 0xb8, 0,    0,    0,    0, /* mov eax, plus */
			  0x48, 0x03, 0x07,          /* add rax, [rdi] */
			  0x48, 0x83, 0xc7, 0x08,    /* add rdi, 8 */
			  0x48, 0xff, 0xce,          /* dec rsi */
			  0x75, 0xf4,                /* jne .-10 */
			  0xc3 };                    /* ret */

static void set_plus(void *at, uint32_t plus)
{
	memcpy((char *)at + 1, &plus, 4);
}
enum { TRAP_BYTES = 2 };
#define TRAP    "ud2"
#define UNKNOWN "ud2"
#define SEEN    "cpuid" :: : "rax", "rbx", "rcx", "rdx"
#define PC      uc_mcontext.gregs[REG_RIP]
#endif

static uint64_t words[WORDS];
static volatile uint64_t written[WORDS];

static void put_code(void *at, uint32_t plus)
{
	memcpy(at, code, sizeof(code));
	set_plus(at, plus);
	__builtin___clear_cache(at, (char *)at + sizeof(code));
}

static __attribute__((noinline)) uint64_t around(sum_of *f)
{
	for (int i = 0; i < WORDS; i++)
		written[i] = 1;
	return f(words, WORDS);
}

static void *map(int prot)
{
	void *at = mmap(NULL, PAGE, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		exit(2);
	return at;
}

enum { ALL = PROT_READ | PROT_WRITE | PROT_EXEC };

static uint64_t calls(void)
{
	void *at = map(ALL);
	uint64_t sum = 0;

	put_code(at, 5);
	for (int i = 0; i < CALLS; i++)
		sum += around((sum_of *)at);
	return sum;
}

/* Written anew between two calls. */
static uint64_t rewritten(void)
{
	void *at = map(ALL);
	uint64_t sum = 0;

	for (int i = 0; i < CALLS; i++) {
		put_code(at, (uint32_t)i);
		sum += around((sum_of *)at);
	}
	return sum;
}

/* Never writable while it can be run. */
static uint64_t toggled(void)
{
	void *at = map(PROT_READ | PROT_WRITE);
	uint64_t sum = 0;

	for (int i = 0; i < CALLS; i++) {
		mprotect(at, PAGE, PROT_READ | PROT_WRITE);
		put_code(at, (uint32_t)i);
		mprotect(at, PAGE, PROT_READ | PROT_EXEC);
		sum += around((sum_of *)at);
	}
	return sum;
}

/* Mapped twice: what can be run is never written there. */
static uint64_t twice(void)
{
	int fd = memfd_create("made", 0);
	uint64_t sum = 0;

	if (ftruncate(fd, PAGE) != 0)
		exit(2);
	char *to = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	char *at = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
	for (int i = 0; i < CALLS; i++) {
		put_code(to, (uint32_t)i);
		__builtin___clear_cache(at, at + sizeof(code));
		sum += around((sum_of *)(void *)at);
	}
	return sum;
}

/* A function of the program's own file. */
__attribute__((noinline, aligned(4096), section(".text.patched"))) static uint64_t
patched(const uint64_t *from, uint64_t n)
{
	__asm__ volatile(".skip 4096");
	return n + (uint64_t)from;
}

static uint64_t own(void)
{
	void *at = (void *)(uintptr_t)&patched;
	uint64_t sum = 0;

	if (mprotect(at, PAGE, ALL) != 0)
		exit(2);
	for (int i = 0; i < CALLS; i++) {
		put_code(at, (uint32_t)i);
		sum += around((sum_of *)at);
	}
	return sum;
}

/* By another thread. */
static void *shared_code;
static atomic_int turn;

static void *writes(void *unused)
{
	(void)unused;
	for (int i = 0; i < CALLS; i++) {
		while (atomic_load(&turn) != 0)
			;
		put_code(shared_code, (uint32_t)i);
		atomic_store(&turn, 1);
	}
	return NULL;
}

static uint64_t thread(void)
{
	pthread_t other;
	uint64_t sum = 0;

	shared_code = map(ALL);
	pthread_create(&other, NULL, writes, NULL);
	for (int i = 0; i < CALLS; i++) {
		while (atomic_load(&turn) != 1)
			;
		__asm__ volatile(SEEN);
		sum += around((sum_of *)shared_code);
		atomic_store(&turn, 0);
	}
	pthread_join(other, NULL);
	return sum;
}

/* Taken away, or made not to be run: calling it is a fault at its address. */
static sigjmp_buf back;
static volatile uint64_t wrong;
static void *expected;

static void on_fault(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	wrong += info->si_addr != expected;
	wrong += ((ucontext_t *)context)->PC != (uint64_t)expected;
	siglongjmp(back, 1);
}

static uint64_t gone(void)
{
	struct sigaction act = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	uint64_t sum = 0;

	sigaction(SIGSEGV, &act, NULL);
	for (volatile int i = 0; i < 100; i++) {
		void *at = map(ALL);

		put_code(at, (uint32_t)i);
		for (int k = 0; k < 10; k++)
			sum += around((sum_of *)at);
		expected = at;
		if (i % 2 != 0)
			munmap(at, PAGE);
		else
			mprotect(at, PAGE, PROT_READ);
		if (sigsetjmp(back, 1) == 0)
			wrong += 1 + around((sum_of *)at);
	}
	return sum + wrong;
}

/* A handler steps over what traps. */
static volatile uint64_t traps;

static void on_trap(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	traps++;
	((ucontext_t *)context)->PC += TRAP_BYTES;
}

static uint64_t trap(void)
{
	struct sigaction act = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };
	void *at = map(ALL);
	uint64_t sum = 0;

	sigaction(SIGTRAP, &act, NULL);
	sigaction(SIGILL, &act, NULL);
	put_code(at, 5);
	for (int i = 0; i < CALLS; i++) {
		if (i % 2 != 0)
			__asm__ volatile(TRAP);
		else
			__asm__ volatile(UNKNOWN);
		sum += around((sum_of *)at);
	}
	return sum + traps;
}

static const struct mode {
	const char *name;
	uint64_t (*run)(void);
} modes[] = { { "calls", calls },     { "rewritten", rewritten },
	      { "toggled", toggled }, { "twice", twice },
	      { "own", own },         { "thread", thread },
	      { "gone", gone },       { "trap", trap } };

int main(int argc, char **argv)
{
	for (uint64_t i = 0; i < WORDS; i++)
		words[i] = i;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (argc == 2 && strcmp(argv[1], modes[i].name) == 0) {
			printf("%llu\n", (unsigned long long)modes[i].run());
			return 0;
		}
	return 2;
}
