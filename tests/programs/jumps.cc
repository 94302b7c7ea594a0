// build: -O1 -g
// Calls of allocators that never return: left by longjmp, by an exception, for another stack.
#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <ucontext.h>

static jmp_buf out_of_memory;
static bool refuse;
static char pool[1 << 16] __attribute__((aligned(16)));
static size_t used;

// An allocator whose way to say "no" is a jump.
extern "C" __attribute__((noinline)) void *je_malloc(size_t n)
{
	if (refuse) {
		refuse = false;
		longjmp(out_of_memory, 1);
	}
	void *p = pool + used;

	used += (n + 15) / 16 * 16;
	return p;
}

// And one that throws, as the language says.
void *operator new(size_t n)
{
	if (refuse) {
		refuse = false;
		throw std::bad_alloc();
	}
	return je_malloc(n);
}

void operator delete(void *) noexcept
{
}

void operator delete(void *, size_t) noexcept
{
}

static __attribute__((noinline)) void touch(volatile char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = 1;
}

static __attribute__((noinline)) void use_after_jump()
{
	char *jumped = (char *)je_malloc(600);

	touch(jumped, 600);
}

static __attribute__((noinline)) void jump()
{
	static volatile size_t length;

	refuse = true;
	if (setjmp(out_of_memory) == 0)
		touch((char *)je_malloc(100), 100);
	length = strlen("a call that returns as malloc would have");
	use_after_jump();
}

static __attribute__((noinline)) void use_after_throw()
{
	char *thrown = new char[700];

	touch(thrown, 700);
}

struct Thing {
	char bytes[300];
};

static __attribute__((noinline)) Thing *make_thing()
{
	Thing *thing = new Thing;

	touch(thing->bytes, 300);
	return thing;
}

static __attribute__((noinline)) void throw_through()
{
	refuse = true;
	try {
		make_thing();
	} catch (const std::bad_alloc &) {
		use_after_throw();
	}
	make_thing();
}

static ucontext_t home, one, two;

// Two coroutines take turns, each on a stack of its own.
static void coroutine(ucontext_t *self, ucontext_t *other, char fill)
{
	for (int i = 0; i < 3; i++) {
		char local[200];
		char *turn = (char *)malloc(50);

		memset(local, fill, sizeof(local));
		touch(local, sizeof(local));
		touch(turn, 50);
		swapcontext(self, other);
		free(turn);
	}
}

static void first()
{
	coroutine(&one, &two, 1);
}

static void second()
{
	coroutine(&two, &one, 2);
}

static __attribute__((noinline)) void take_turns()
{
	void *mapped_stack = mmap(nullptr, 65536, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *heap_stack = (char *)malloc(65536);

	getcontext(&one);
	one.uc_stack.ss_sp = mapped_stack;
	one.uc_stack.ss_size = 65536;
	one.uc_link = &home;
	makecontext(&one, first, 0);
	getcontext(&two);
	two.uc_stack.ss_sp = heap_stack;
	two.uc_stack.ss_size = 65536;
	two.uc_link = &home;
	makecontext(&two, second, 0);
	swapcontext(&home, &one);
	munmap(mapped_stack, 65536);
	free(heap_stack);
}

static sigjmp_buf from_handler;

static void handler(int)
{
	char *handled = (char *)malloc(400);

	touch(handled, 400);
	siglongjmp(from_handler, 1);
}

static __attribute__((noinline)) void out_of_handler()
{
	static char alternate[65536];
	stack_t stack = {};
	struct sigaction action = {};

	stack.ss_sp = alternate;
	stack.ss_size = sizeof(alternate);
	action.sa_handler = handler;
	action.sa_flags = SA_ONSTACK;
	sigaltstack(&stack, nullptr);
	sigaction(SIGUSR1, &action, nullptr);
	for (int i = 0; i < 2; i++)
		if (sigsetjmp(from_handler, 1) == 0)
			raise(SIGUSR1);
	char *afterwards = (char *)malloc(800);
	touch(afterwards, 800);
	free(afterwards);
}

int main()
{
	jump();
	throw_through();
	take_turns();
	out_of_handler();
	return 0;
}
