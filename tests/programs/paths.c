/* build: -O1 -g -fno-optimize-sibling-calls -ldl
   Blocks by call paths that are alike but for one call: near the outer end, with all the others
   where they were on the stack; farther out after a jump; past a frame of any size; in recursion;
   on other stacks; from libraries, each loaded where the one before it was. */
#include <alloca.h>
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#define FUNCTION static __attribute__((noinline, noclone))

enum { TURNS = 50, MOST = 20000, STACK = 65536 };

static char *volatile blocks[MOST];
static int count;

FUNCTION void take(void)
{
	blocks[count++] = malloc(32);
}

FUNCTION void middle(void)
{
	take();
}

/* --- one call is another, and none moves --- */

FUNCTION void left(void)
{
	middle();
}

FUNCTION void right(void)
{
	middle();
}

FUNCTION void either(int which)
{
	if (which)
		left();
	else
		right();
}

/* --- frames whose size is known at run time only --- */

FUNCTION void wide(size_t bytes)
{
	*(volatile char *)alloca(bytes) = 1;
	middle();
}

FUNCTION void early(size_t before, size_t bytes)
{
	*(volatile char *)alloca(before) = 1;
	wide(bytes);
}

FUNCTION void late(size_t before, size_t bytes)
{
	*(volatile char *)alloca(before) = 1;
	wide(bytes);
}

/* Called from one place: only that of wide()'s frame is another the next time, and where it was
 * stands what was there. */
FUNCTION void slide(int i)
{
	static void (*const ways[])(size_t, size_t) = { early, late };
	size_t some = 16 + 48 * (size_t)(i / 2), more = 4096;

	ways[i % 2](i % 2 == 0 ? more : some, i % 2 == 0 ? some : more);
}

/* --- recursion --- */

FUNCTION void down(int n)
{
	if (n > 0)
		down(n - 1);
	take();
}

FUNCTION void pong(int n);

FUNCTION void ping(int n)
{
	if (n > 0)
		pong(n - 1);
	else
		take();
}

FUNCTION void pong(int n)
{
	if (n > 0)
		ping(n - 1);
	else
		middle();
}

/* --- left by a jump --- */

static jmp_buf back;

FUNCTION void jump(int n)
{
	take();
	if (n > 0)
		jump(n - 1);
	longjmp(back, 1);
}

FUNCTION void leave(int n)
{
	if (setjmp(back) == 0)
		jump(n);
	middle();
}

/* --- other stacks --- */

static void handle(int number)
{
	(void)number;
	middle();
}

FUNCTION void interrupted(int number)
{
	raise(number);
	middle();
}

static ucontext_t inside, outside;
static char stacks[2][STACK];

static void routine(void)
{
	for (;;) {
		middle();
		swapcontext(&inside, &outside);
	}
}

FUNCTION void resume(void)
{
	swapcontext(&outside, &inside);
	middle();
}

static void prepare(void)
{
	stack_t other = { .ss_sp = stacks[0], .ss_size = STACK };
	struct sigaction action = { .sa_handler = handle, .sa_flags = SA_ONSTACK };

	sigaltstack(&other, NULL);
	sigaction(SIGUSR1, &action, NULL);
	action.sa_flags = 0;
	sigaction(SIGUSR2, &action, NULL);
	getcontext(&inside);
	inside.uc_stack.ss_sp = stacks[1];
	inside.uc_stack.ss_size = STACK;
	makecontext(&inside, routine, 0);
}

/* --- code that goes --- */

FUNCTION void load(const char *library)
{
	void *plugin = dlopen(library, RTLD_NOW);

	if (plugin == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	void (*call)(void (*)(void)) = (void (*)(void (*)(void)))dlsym(plugin, "plugin_call");
	call(middle);
	dlclose(plugin);
}

FUNCTION void turn(int i)
{
	either(0);
	either(1);
	down(i);
	ping(i);
	leave(i % 5);
	interrupted(SIGUSR1);
	interrupted(SIGUSR2);
	resume();
}

FUNCTION void look(void)
{
	for (int i = 0; i < count; i++)
		*blocks[i] = 1;
}

int main(int argc, char **argv)
{
	prepare();
	for (int i = 0; i < TURNS; i++) {
		turn(i);
		if (argc > 1)
			load(argv[1 + i % (argc - 1)]);
	}
	for (int i = 0; i < 2 * TURNS; i++)
		slide(i);
	look();
	return 0;
}
