# What each thread allocates in a parallel region is one data structure, though the starting thread has other callers than the others.
cat >region.cc <<'CODE'
#include <cstdio>
#include <cstdlib>
#include <vector>
int main()
{
	double sum = 0;
#pragma omp parallel reduction(+ : sum)
	{
		std::vector<double> mine(5000, 1);
		float *raw = (float *)calloc(3000, sizeof(float));
		for (double x : mine)
			sum += x;
		for (int i = 0; i < 3000; i++)
			sum += raw[i];
		free(raw);
	}
	printf("%g\n", sum);
}
CODE
names() { sqlite3 "$1" "select name from data where name like '%.mine%' or name like '%.raw%' order by name"; }
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive
for compiler in g++ clang++; do
	command -v "$compiler" >/dev/null || continue
	for level in -O0 -O2; do
		rm -f run.db region
		"$compiler" -g $level -fopenmp region.cc -o region 2>build.log || { echo "$compiler: no OpenMP"; continue; }
		"$MEMSPY" run -q --db run.db ./region >/dev/null || echo "status $?"
		names run.db >names
		printf 'float.raw\nstd::vector<double>.mine\n' | cmp -s - names || { echo "$compiler $level:"; cat names; }
	done
done
echo ok
