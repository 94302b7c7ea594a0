/*
 * packed.c [KILL] - blocks that come and go so often that they are told in a word each, some that
 * are too large for that, and some in handlers; at its end, if asked for, it kills itself.
 */
#include <signal.h>
#include <stdlib.h>

enum { KEPT = 1000, TURNS = 30000, RESIZED = 50 };

static void *kept[KEPT];

static void handle(int signal)
{
	void *volatile block = malloc(24);

	(void)signal;
	free(block);
}

int main(int argc, char **argv)
{
	(void)argv;
	signal(SIGUSR1, handle);
	for (int i = 0; i < TURNS; i++) {
		free(kept[i % KEPT]);
		kept[i % KEPT] = malloc((size_t)(i % 300));
	}
	for (int i = 0; i < RESIZED; i++) {
		kept[i] = realloc(kept[i], 400 + 300 * (size_t)i);
		raise(SIGUSR1);
	}
	if (argc > 1)
		raise(SIGKILL);
	return 0;
}
