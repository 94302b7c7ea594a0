/* memory_static.c - arrays of three dimensions: where a number lies is computed, not read. */
#include "mesh.h"

double K[MOST_BLOCKS][3][3];
double disp[3][MOST_NODES][3];

/* MOST_SIDE bounds both. */
void mem_init(int nodes, int count)
{
	(void)nodes;
	(void)count;
}
