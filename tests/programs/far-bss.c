/* Two arrays aligned so far that the linker gives .bss a segment of its own, not in the file. */
enum { N = 4096, ROUNDS = 10 };

static _Alignas(32768) volatile double left[N];
static _Alignas(32768) volatile double right[N];

static __attribute__((noinline)) void walk(void)
{
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < N; i++) {
			double x = left[i];

			right[i] = x;
		}
}

int main(void)
{
	walk();
	return 0;
}
