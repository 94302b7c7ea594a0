/* build: -O2 -g -fno-inline
   Allocations that go wrong, shrink, come through tail calls, or are made in unusual places. */
#include <malloc.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

static volatile char *volatile sink;

static __attribute__((noipa)) void touch(volatile char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = 1;
}

/* With -O2 these jump to the allocator: no frame of theirs is on the stack. */
static __attribute__((noipa)) void *tail_malloc(size_t n)
{
	return malloc(n);
}

static __attribute__((noipa)) void *tail_tail(size_t n)
{
	return tail_malloc(n + 1);
}

static __attribute__((noipa)) void fail(void)
{
	volatile size_t huge = SIZE_MAX / 2;
	char *never = malloc(huge);
	char *kept = malloc(64);
	char *same = realloc(kept, huge);

	if (never != NULL || same != NULL || calloc(huge, 4) != NULL)
		abort();
	touch(kept, 64);
	free(kept);
}

static __attribute__((noipa)) void shrink(void)
{
	char *shrunk = malloc(3000);

	touch(shrunk, 3000);
	shrunk = realloc(shrunk, 100);
	touch(shrunk, 100);
	shrunk = realloc(shrunk, 0);
	sink = shrunk;
}

static __attribute__((noipa)) void on_stack(void)
{
	char *room = __builtin_alloca(200000);

	touch(room, 200000);
}

static ucontext_t home, away;

static void elsewhere(void)
{
	char local[500];
	char *visited = malloc(700);

	touch(local, 500);
	touch(visited, 700);
	free(visited);
}

/* A stack in heap memory is heap memory. */
static __attribute__((noipa)) void on_own_stack(void)
{
	char *own_stack = malloc(65536);

	getcontext(&away);
	away.uc_stack.ss_sp = own_stack;
	away.uc_stack.ss_size = 65536;
	away.uc_link = &home;
	makecontext(&away, elsewhere, 0);
	swapcontext(&home, &away);
	free(own_stack);
}

static void handler(int number)
{
	char *handled = malloc(900);

	(void)number;
	touch(handled, 900);
	free(handled);
}

static __attribute__((noipa)) void in_handler(void)
{
	char *alternate = malloc(65536);
	stack_t stack = { .ss_sp = alternate, .ss_size = 65536 };
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_ONSTACK };

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
}

static char *early;

static __attribute__((constructor)) void before_main(void)
{
	early = malloc(800);
}

static jmp_buf back;

static __attribute__((noipa)) void jump(void)
{
	longjmp(back, 1);
}

int main(void)
{
	char *tail = tail_malloc(1000);
	char *twice = tail_tail(1099);

	touch(tail, 1000);
	touch(twice, 1100);
	touch(early, 800);
	fail();
	shrink();
	on_stack();
	on_own_stack();
	in_handler();
	if (setjmp(back) == 0)
		jump();
	char *after_jump = malloc(600);
	touch(after_jump, 600);
	free(after_jump);
	return 0;
}
