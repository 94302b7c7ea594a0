/*
 * packed.c [KILL] - blocks that live so briefly that they are recorded in a word each, some that
 * are too large for that, and some in handlers; with KILL, it kills itself at its end.
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
