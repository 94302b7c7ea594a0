/* memory_contiguous.c - all numbers in one block, all pointers to them in another. */
#include "mesh.h"

double ***K;
double ***disp;

void mem_init(int nodes, int count)
{
	double *disp_3 = Take((size_t)nodes * 3 * 3, sizeof(*disp_3));
	double **disp_2 = Take((size_t)nodes * 3, sizeof(*disp_2));
	double *K_3 = Take((size_t)count * 3 * 3, sizeof(*K_3));
	double **K_2 = Take((size_t)count * 3, sizeof(*K_2));

	disp = Take(3, sizeof(*disp));
	for (int i = 0; i < 3; i++) {
		disp[i] = &disp_2[i * nodes];
		for (int j = 0; j < nodes; j++)
			disp[i][j] = &disp_3[(i * nodes + j) * 3];
	}
	K = Take((size_t)count, sizeof(*K));
	for (int i = 0; i < count; i++) {
		K[i] = &K_2[i * 3];
		for (int j = 0; j < 3; j++)
			K[i][j] = &K_3[(i * 3 + j) * 3];
	}
}
