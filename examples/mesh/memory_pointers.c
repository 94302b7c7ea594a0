/* memory_pointers.c - every three numbers, and every three pointers to them, are a block of their
 * own. */
#include "mesh.h"

double ***K;
double ***disp;

void mem_init(int nodes, int count)
{
	disp = Take(3, sizeof(*disp));
	for (int i = 0; i < 3; i++)
		disp[i] = Take((size_t)nodes, sizeof(*disp[i]));
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < nodes; j++)
			disp[i][j] = Take(3, sizeof(*disp[i][j]));

	K = Take((size_t)count, sizeof(*K));
	for (int i = 0; i < count; i++)
		K[i] = Take(3, sizeof(*K[i]));
	for (int i = 0; i < count; i++)
		for (int j = 0; j < 3; j++)
			K[i][j] = Take(3, sizeof(*K[i][j]));
}
