/*
 * Functions that are left by other means than a return: touch() is called twice by each of thrower()
 * and after_throw() (exceptions), jumper() and after_jump() (longjmp), co_work() and resumer()
 * (coroutines), and once by in_handler(), interrupted() (a signal) and main().
 */
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <ucontext.h>

enum { BYTES = 1 << 22, LINE = 64, STACK = 1 << 16 };

#define NOINLINE static __attribute__((noinline))

static char *block;
static jmp_buf environment;
static ucontext_t resumer_context, coroutine_context;

NOINLINE long touch()
{
	long sum = 0;

	for (size_t i = 0; i < BYTES; i += LINE)
		sum += *(volatile char *)&block[i];
	return sum;
}

NOINLINE long thrower(int n)
{
	if (n % 2 == 0)
		throw std::runtime_error("even");
	return touch() + 1;
}

NOINLINE long after_throw()
{
	return touch() + 2;
}

NOINLINE void with_exceptions()
{
	for (int i = 0; i < 4; i++) {
		try {
			thrower(i);
		} catch (std::exception &) {
			after_throw();
		}
	}
}

NOINLINE long jumper(int n)
{
	if (n % 2 == 0)
		longjmp(environment, 1);
	return touch() + 3;
}

NOINLINE long after_jump()
{
	return touch() + 4;
}

NOINLINE void with_jumps()
{
	for (volatile int i = 0; i < 4; i++) {
		if (setjmp(environment) == 0)
			jumper(i);
		else
			after_jump();
	}
}

NOINLINE long in_handler()
{
	return touch() + 5;
}

static void handle(int)
{
	in_handler();
}

NOINLINE long interrupted()
{
	raise(SIGUSR1);
	return touch() + 6;
}

NOINLINE long co_work()
{
	return touch() + 7;
}

static void coroutine()
{
	for (;;) {
		co_work();
		swapcontext(&coroutine_context, &resumer_context);
	}
}

NOINLINE void resumer()
{
	for (int i = 0; i < 2; i++) {
		swapcontext(&resumer_context, &coroutine_context);
		touch();
	}
}

int main()
{
	block = static_cast<char *>(aligned_alloc(4096, BYTES));
	for (size_t i = 0; i < BYTES; i += LINE)
		block[i] = 1;
	signal(SIGUSR1, handle);
	with_exceptions();
	with_jumps();
	interrupted();
	getcontext(&coroutine_context);
	coroutine_context.uc_stack.ss_sp = malloc(STACK);
	coroutine_context.uc_stack.ss_size = STACK;
	coroutine_context.uc_link = nullptr;
	makecontext(&coroutine_context, coroutine, 0);
	resumer();
	touch();
	puts("left");
	return 0;
}
