/* gather.c [ELEMENTS [INDICES [ROUNDS]]] - sums x[index[i]]: a walk in order beside a random one.
 */
#include "number.h"

int main(int argc, char **argv)
{
	uint64_t n = number(argc, argv, 1, 4000000), m = number(argc, argv, 2, 1000000);
	uint64_t rounds = number(argc, argv, 3, 6);
	double *x = room(n, sizeof(*x));
	uint32_t *index = room(m, sizeof(*index));
	uint64_t state = 88172645463325252ULL;
	double sum = 0;

	for (uint64_t i = 0; i < n; i += 8)
		x[i] = (double)i;
	for (uint64_t i = 0; i < m; i++)
		index[i] = (uint32_t)(next_random(&state) % n);
	for (uint64_t round = 0; round < rounds; round++)
		for (uint64_t i = 0; i < m; i++)
			sum += x[index[i]];
	printf("gather %.1f\n", sum);
	free(x);
	free(index);
	return 0;
}
