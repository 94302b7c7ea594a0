/* Two arrays of a cache's size (32 KiB), walked in step. */
enum { N = 4096, ROUNDS = 10 };

static _Alignas(64) volatile double left[N];
static _Alignas(64) volatile double right[N];

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
