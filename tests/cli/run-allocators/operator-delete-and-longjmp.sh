# In an allocator inside the program, operator delete that jumps to free() is one free, and longjmp() leaves the allocator.
. "$SRC/tests/cli/run/lib.bash"
cat >inside.cc <<'END'
#include <cstddef>
#include <new>
alignas(16) static char pool[1 << 20];
static size_t used;
static void *jump[5];
static char *volatile block, *volatile after;
extern "C" __attribute__((noinline)) void *malloc(size_t n)
{
	if (n == 12345)
		__builtin_longjmp(jump, 1);
	void *p = pool + used;
	used += (n + 15) / 16 * 16;
	return p;
}
extern "C" __attribute__((noinline)) void free(void *p)
{
	__asm__ volatile("" : : "r"(p) : "memory");
}
__attribute__((noinline)) void *operator new(size_t n)
{
	return malloc(n);
}
__attribute__((noinline)) void operator delete(void *p) noexcept
{
	free(p);
}
static __attribute__((noinline)) void deep(int n)
{
	volatile char room[100];
	room[n] = 1;
	if (n > 0)
		deep(n - 1);
	else
		block = (char *)malloc(12345);
	room[n] = 2;
}
static __attribute__((noinline)) void leave(void)
{
	if (__builtin_setjmp(jump) == 0)
		deep(5);
}
int main()
{
	leave();
	for (int i = 0; i < 10; i++) {
		void *p = operator new(100);
		operator delete(p);
	}
	after = (char *)malloc(700);
	for (int i = 0; i < 700; i++)
		after[i] = 1;
	return 0;
}
END
g++ -O2 -g -w -fno-builtin-malloc -fno-builtin-free -foptimize-sibling-calls -o inside inside.cc || fail "g++"
for frontend in native valgrind; do
	profile_quiet $frontend --frontend $frontend --trace $frontend.trace -- ./inside
	expect $frontend <<'END'
data('char.after').objects == 1
data('char.after').bytes == 700
bin('main', 'char.after').writes == 700
END
	"$MEMSPY" check --json $frontend.trace | python3 -c 'import json, sys
found = json.load(sys.stdin)
print(found["records"]["frees"], found["unknown_frees"])' >frees
	[ "$(cat frees)" = '10 0' ] || fail "$frontend: frees, and such of nothing: $(cat frees), expected 10 0"
done
finish
