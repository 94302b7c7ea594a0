/* build: -O2 -g -pthread
   sandbox errno|trap|threads|allow|strict: a program that forbids itself system calls (seccomp). It
   computes for a while before, between and after its filters, so that a window may be open, or
   closed, or open next. Exit status 77: the kernel does not permit it. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FILTERS = 12, THREADS = 3 };

static __attribute__((noinline)) uint64_t work(uint64_t seed, int n)
{
	static _Thread_local uint64_t table[4096];

	for (int i = 0; i < n; i++) {
		seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
		table[seed % 4096] += seed;
		seed += table[(seed >> 20) % 4096];
	}
	return seed;
}

static void install(struct sock_filter *steps, size_t n, unsigned flags)
{
	struct sock_fprog filter = { (unsigned short)n, steps };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter) != 0) {
		printf("seccomp: %s\n", strerror(errno));
		exit(77);
	}
}

/* One system call has this action, all others are allowed. */
static void forbid(uint32_t number, uint32_t action, unsigned flags)
{
	struct sock_filter steps[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	install(steps, sizeof(steps) / sizeof(*steps), flags);
}

/* The system calls that become impossible one by one are not used in this program. */
static void refuse_with_errno(void)
{
	static const uint32_t numbers[] = { SYS_acct, SYS_swapon, SYS_swapoff, SYS_sethostname };
	uint64_t sum = 1;

	for (uint32_t i = 0; i < FILTERS; i++) {
		uint32_t number = numbers[i % 4];

		sum = work(sum, 200000);
		forbid(number, SECCOMP_RET_ERRNO | (100 + i), 0);
		errno = 0;
		long result = syscall(number, 0, 0);
		printf("filter %u: %ld, errno %d\n", i, result, errno);
		sum = work(sum, 200000);
	}
	printf("sum %016llx\n", (unsigned long long)sum);
}

static volatile sig_atomic_t trapped;

static void emulate(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	trapped += info->si_syscall == SYS_acct;
}

/* A handler stands in for the system call. */
static void trap(void)
{
	struct sigaction action = { .sa_sigaction = emulate, .sa_flags = SA_SIGINFO };
	uint64_t sum = 1;

	sigaction(SIGSYS, &action, NULL);
	forbid(SYS_acct, SECCOMP_RET_TRAP, 0);
	for (int i = 0; i < 50; i++) {
		sum = work(sum, 50000);
		syscall(SYS_acct, 0);
	}
	printf("trapped %d, sum %016llx\n", (int)trapped, (unsigned long long)sum);
}

static pthread_barrier_t installed;

static void *compute(void *arg)
{
	uint64_t *sum = arg;

	for (int i = 0; i < 20; i++)
		*sum = work(*sum, 50000);
	pthread_barrier_wait(&installed);
	errno = 0;
	*sum += syscall(SYS_acct, 0) == -1 && errno == 111;
	return NULL;
}

/* The filter holds for all threads at once, and for those that come. */
static void threads(void)
{
	uint64_t sums[2 * THREADS] = { 1, 2, 3, 4, 5, 6 };
	pthread_t ids[2 * THREADS];

	pthread_barrier_init(&installed, NULL, 2 * THREADS);
	for (int i = 0; i < 2 * THREADS; i++) {
		if (i == THREADS)
			forbid(SYS_acct, SECCOMP_RET_ERRNO | 111, SECCOMP_FILTER_FLAG_TSYNC);
		if (pthread_create(&ids[i], NULL, compute, &sums[i]) != 0)
			exit(3);
		work(1, 20000);
	}
	for (int i = 0; i < 2 * THREADS; i++) {
		pthread_join(ids[i], NULL);
		printf("thread %d: %016llx\n", i, (unsigned long long)sums[i]);
	}
}

/* What the rest of this program needs; whatever else is called ends it. */
static void allow_few(void)
{
	static const uint32_t allowed[] = {
		SYS_read,         SYS_write,         SYS_exit_group, SYS_exit,
		SYS_rt_sigreturn, SYS_brk,           SYS_mmap,       SYS_munmap,
		SYS_futex,        SYS_clock_gettime, SYS_fstat,      SYS_getrandom,
#ifdef SYS_newfstatat
		SYS_newfstatat,
#endif
	};
	enum { N = sizeof(allowed) / sizeof(*allowed) };
	struct sock_filter steps[2 * N + 2] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};

	for (size_t i = 0; i < N; i++) {
		steps[2 * i + 1] =
			(struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[i], 0, 1);
		steps[2 * i + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	}
	steps[2 * N + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	install(steps, 2 * N + 2, 0);
}

static void allow(void)
{
	uint64_t sum = work(1, 1000000);

	allow_few();
	for (int i = 0; i < 20; i++) {
		void *block = malloc((size_t)100000 << (i % 4));

		memset(block, i, 100000);
		sum = work(sum, 200000) + ((unsigned char *)block)[i];
		free(block);
	}
	printf("sum %016llx\n", (unsigned long long)sum);
	fflush(stdout);
}

/* Only read, write, exit and sigreturn are left; a child, since the C library ends a process
 * otherwise. */
static void strict(void)
{
	uint64_t sum = work(1, 1000000);
	int pipes[2], status;

	if (pipe(pipes) != 0)
		exit(3);
	pid_t child = fork();
	if (child == 0) {
		if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
			_exit(77);
		sum = work(sum, 2000000);
		if (write(pipes[1], &sum, sizeof(sum)) != (ssize_t)sizeof(sum))
			syscall(SYS_exit, 4);
		syscall(SYS_exit, 5);
	}
	waitpid(child, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		exit(77);
	printf("status %x, read %d", status, read(pipes[0], &sum, sizeof(sum)) == sizeof(sum));
	printf(", sum %016llx\n", (unsigned long long)work(sum, 1000));
}

int main(int argc, char **argv)
{
	static const struct {
		const char *word;
		void (*run)(void);
	} rows[] = { { "errno", refuse_with_errno },
		     { "trap", trap },
		     { "threads", threads },
		     { "allow", allow },
		     { "strict", strict } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (argc == 2 && strcmp(argv[1], rows[i].word) == 0) {
			rows[i].run();
			return 0;
		}
	fprintf(stderr, "usage: sandbox errno|trap|threads|allow|strict\n");
	return 2;
}
