/*
 * mesh.h - the program that section 4.5.1 of the 2004 dissertation tunes, in small: waves in an
 * elastic body, on an unstructured mesh. It is built three times, with another memory_*.c each; all
 * that differs is how the matrix K and the displacements disp lie in memory.
 */
#ifndef MESH_H
#define MESH_H

#include <stddef.h>

/*
 * K holds the stiffness between a node and itself or a neighbour with a larger number: a block of 3
 * x 3 for each. disp holds the displacements of all nodes at three points in time.
 */
#ifdef STATIC_MEMORY
enum {
	MOST_SIDE = 64,
	MOST_NODES = MOST_SIDE * MOST_SIDE * MOST_SIDE,
	MOST_BLOCKS = 8 * MOST_NODES
};
typedef double (*blocks)[3][3];
typedef double (*vectors)[3];
extern double K[MOST_BLOCKS][3][3];
extern double disp[3][MOST_NODES][3];
#else
enum { MOST_SIDE = 64 };
typedef double ***blocks;
typedef double **vectors;
extern double ***K;
extern double ***disp;
#endif

/* memory_*.c: makes room for K and disp. */
void mem_init(int nodes, int count);

/* Memory for n elements, all 0; ends the program when there is none. */
void *Take(size_t n, size_t size);

/* mesh.c: the blocks of row i are Aindex[i] to Aindex[i + 1] - 1, the first is i's own; the column
 * of block k is Acol[k]. */
struct mesh {
	int nodes, blocks;
	double (*place)[3];
	int *Aindex, *Acol;
};

struct mesh MakeMesh(int side);
/* Each neighbour is held by a spring along the line to it. */
void Stiffen(const struct mesh *m, blocks k);

/* smvp.c: w += A v */
void smvp(const struct mesh *m, blocks A, vectors v, vectors w);

#endif
