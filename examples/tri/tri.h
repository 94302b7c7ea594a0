/*
 * tri.h - the triangular solve of section 4 of the 1992 paper: M x = b, where M is sparse, lower
 * triangular, and has a unit diagonal, which is not stored.
 */
#ifndef TRI_H
#define TRI_H

#include <stdbool.h>
#include <stddef.h>

/* The elements of row i are nz[row[i]] to nz[row[i + 1] - 1], in columns col[...], all below i. */
struct matrix {
	int n;
	double *nz;
	int *col;
	int *row;
};

/* Memory for n elements; ends the program when there is none. */
void *Take(size_t n, size_t size);

/* matrix.c: where the matrix comes from. Row sums of |nz| are made 1/2, so that x stays small. */
struct matrix GenerateMatrix(void);
struct matrix ReadMatrix(const char *path);

/*
 * order.c: who computes which row, and when. The rows of processor p are rows[first[p]] to
 * rows[first[p + 1] - 1], in an order in which every row comes after those that it needs.
 */
struct order {
	int processors;
	int *rows;
	int *first;
};

struct order DealRows(const struct matrix *A, int processors);
struct order FollowDependences(const struct matrix *A, int processors);
/* The same rows and columns, numbered by their place in rows[]; NULL: as they are. */
struct matrix Renumber(const struct matrix *A, const int *rows);

/* What is to be solved, in the numbers of M, and what tells that x[i] is there. */
struct problem {
	struct matrix M;
	double *x, *b;
	int *Ready;
};

/* solve.c: the versions. The processors of `order` work at the same time. */
void SolveSequential(const struct problem *problem, const struct order *order);
void SolveParallel(const struct problem *problem, const struct order *order);
void SolveReordered(const struct problem *problem, const struct order *order);
void SolveNaN(const struct problem *problem, const struct order *order);

#endif
