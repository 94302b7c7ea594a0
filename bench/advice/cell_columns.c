/* advice: loop-order data: cell set: textbook */
/* A relaxation over a grid of records, column by column; afterwards row by row. */
#include "common.h"

enum { N = 2000, STEPS = 6 };

struct cell {
	float value, next, source;
	int kind;
};

static struct cell *grid;

static KEEP void relax(void)
{
#ifdef AFTER
	for (int i = 1; i < N - 1; i++)
		for (int j = 1; j < N - 1; j++) {
#else
	for (int j = 1; j < N - 1; j++)
		for (int i = 1; i < N - 1; i++) {
#endif
			struct cell *c = &grid[i * N + j];

			c->next = 0.25f * (c[-1].value + c[1].value + c[-N].value + c[N].value) -
				  c->source;
		}
}

static KEEP void update(void)
{
	for (int i = 0; i < N * N; i++)
		grid[i].value = grid[i].next;
}

int main(void)
{
	grid = calloc((size_t)N * N, sizeof(*grid));
	for (int i = 0; i < N * N; i++)
		grid[i].source = (float)(i % 7);
	for (int s = 0; s < STEPS; s++) {
		relax();
		update();
	}
	printf("%g\n", (double)grid[N * 5 + 7].value);
	return 0;
}
