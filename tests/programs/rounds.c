/*
 * A round for each byte that comes in: forward over one block, backward over another. Ends with the
 * input, or with a 'q'; while it waits it makes no references.
 */
#include <stdlib.h>
#include <unistd.h>

enum { N = 1 << 18 };

static __attribute__((noinline)) void walk(volatile char *forward, volatile char *backward)
{
	for (int i = 0; i < N; i++)
		backward[N - 1 - i] = forward[i];
}

int main(void)
{
	char *forward = malloc(N), *backward = malloc(N);
	char c;

	if (forward == NULL || backward == NULL)
		return 1;
	while (read(0, &c, 1) == 1 && c != 'q')
		walk(forward, backward);
	return 0;
}
