/* smvp.c - the product of the sparse, symmetric matrix with a vector: here the time goes. */
#include "mesh.h"

void smvp(const struct mesh *m, blocks A, vectors v, vectors w)
{
	const int *Aindex = m->Aindex, *Acol = m->Acol;

	for (int i = 0; i < m->nodes; i++) {
		int k = Aindex[i];
		double sum0 = A[k][0][0] * v[i][0] + A[k][0][1] * v[i][1] + A[k][0][2] * v[i][2];
		double sum1 = A[k][1][0] * v[i][0] + A[k][1][1] * v[i][1] + A[k][1][2] * v[i][2];
		double sum2 = A[k][2][0] * v[i][0] + A[k][2][1] * v[i][1] + A[k][2][2] * v[i][2];

		for (k++; k < Aindex[i + 1]; k++) {
			int col = Acol[k];

			sum0 += A[k][0][0] * v[col][0] + A[k][0][1] * v[col][1] +
				A[k][0][2] * v[col][2];
			sum1 += A[k][1][0] * v[col][0] + A[k][1][1] * v[col][1] +
				A[k][1][2] * v[col][2];
			sum2 += A[k][2][0] * v[col][0] + A[k][2][1] * v[col][1] +
				A[k][2][2] * v[col][2];
			w[col][0] +=
				A[k][0][0] * v[i][0] + A[k][1][0] * v[i][1] + A[k][2][0] * v[i][2];
			w[col][1] +=
				A[k][0][1] * v[i][0] + A[k][1][1] * v[i][1] + A[k][2][1] * v[i][2];
			w[col][2] +=
				A[k][0][2] * v[i][0] + A[k][1][2] * v[i][1] + A[k][2][2] * v[i][2];
		}
		w[i][0] += sum0;
		w[i][1] += sum1;
		w[i][2] += sum2;
	}
}
