/* Elements of an array of pointers with constant indices are different data. */
#include <stdlib.h>

static int *key[2];
static struct part {
	double *x, *y;
} parts[2];

static void __attribute__((noinline)) fill(volatile int *array, int n)
{
	for (int i = 0; i < n; i++)
		array[i] = i;
}

int main(int argc, char **argv)
{
	int *rows[8];

	(void)argv;
	key[0] = malloc(4096 * sizeof(int));
	key[1] = malloc(4096 * sizeof(int));
	parts[0].x = malloc(4096);
	parts[1].x = malloc(4096);
	parts[argc].y = malloc(4096);
	for (int i = 0; i < 8; i++)
		rows[i] = malloc(4096);
	for (int i = 0; i < 8; i++)
		fill(rows[i], 1024);
	fill(key[0], 4096);
	fill(key[1], 4096);
	fill((int *)parts[0].x, 1024);
	fill((int *)parts[1].x, 1024);
	fill((int *)parts[1].y, 1024);
	return 0;
}
