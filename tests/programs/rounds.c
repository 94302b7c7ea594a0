/*
 * rounds [BYTES STEP] - a round for each byte that comes in: forward over one block, backward over
 * another. Ends with the input, or with a 'q'; while it waits it makes no references.
 */
#include <stdlib.h>
#include <unistd.h>

static __attribute__((noinline)) void walk(volatile char *forward, volatile char *backward,
					   long bytes, long step)
{
	for (long i = 0; i < bytes; i += step)
		backward[bytes - 1 - i] = forward[i];
}

int main(int argc, char **argv)
{
	long bytes = argc > 2 ? atol(argv[1]) : 1 << 18;
	long step = argc > 2 ? atol(argv[2]) : 1;
	char *forward = malloc((size_t)bytes), *backward = malloc((size_t)bytes);
	char c;

	if (forward == NULL || backward == NULL)
		return 1;
	while (read(0, &c, 1) == 1 && c != 'q')
		walk(forward, backward, bytes, step);
	return 0;
}
