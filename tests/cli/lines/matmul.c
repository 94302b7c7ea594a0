typedef struct { double *at; } Matrix;

Matrix *NewMatrix(int n)
{
	/* rows */
}

static int counter;

void ClearProduct(Matrix *z, int n)
{
	counter++;
	for (int i = 0; i < n * n; i++)
		z->at[i] = 0;
}



/* Z = X * Y */
void BlkMultiply(Matrix *x, Matrix *y, Matrix *z, int n, int b)
{
	for (int kk = 0; kk < n; kk += b) {
		for (int jj = 0; jj < n; jj += b) {
			for (int i = 0; i < n; i++) {
				for (int k = kk; k < kk + b && k < n; k++) {
					double r;

					/* X is read once a row */
					r = x->at[i * n + k];
					for (int j = jj; j < jj + b && j < n; j++)
						z->at[i * n + j] += r * y->at[k * n + j];
				}
			}
		}
	}
}



int main(void)
{
	Matrix *y = NewMatrix(295), *z = NewMatrix(295), *x = NewMatrix(295);
	for (int i = 0; i < 295 * 295; i++)
		x->at[i] = y->at[i] = i;
	return 0;
}
