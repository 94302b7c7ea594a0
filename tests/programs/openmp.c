/* build: -O1 -g -fopenmp
   OpenMP: a loop, a reduction, a critical section, barriers, tasks. */
#include <omp.h>
#include <stdio.h>

enum { N = 20000 };

static volatile double a[N], b[N];

static long fibonacci(long n)
{
	long x, y;

	if (n < 8)
		return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
#pragma omp task shared(x)
	x = fibonacci(n - 1);
	y = fibonacci(n - 2);
#pragma omp taskwait
	return x + y;
}

int main(void)
{
	double sum = 0;
	long entered = 0, fib = 0;

	omp_set_num_threads(4);
#pragma omp parallel for
	for (int i = 0; i < N; i++)
		a[i] = i;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 500)
	for (int i = 1; i < N - 1; i++) {
		b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
		sum += b[i];
	}
#pragma omp parallel
	for (int round = 0; round < 10; round++) {
#pragma omp critical
		entered++;
#pragma omp barrier
	}
#pragma omp parallel
#pragma omp single
	fib = fibonacci(14);
	printf("%.0f %ld %ld\n", sum, entered, fib);
	return 0;
}
