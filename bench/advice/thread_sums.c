/* advice: false-sharing data: result set: textbook options: --processors 2 */
/* Each thread adds to its element of an array; afterwards elements have lines of their own. */
#include "common.h"
#include "threads.h"

enum { N = 1 << 16, ROUNDS = 200 };

#ifdef AFTER
static struct {
	_Alignas(64) volatile double sum;
} result[THREADS];
#else
static struct {
	volatile double sum;
} result[THREADS];
#endif
static float *value;

static void *add(void *arg)
{
	size_t id = (size_t)arg;

	for (int r = 0; r < ROUNDS; r++)
		for (size_t i = id * N / THREADS; i < (id + 1) * N / THREADS; i++)
			result[id].sum += value[i];
	return NULL;
}

int main(void)
{
	value = malloc(N * sizeof(*value));
	for (int i = 0; i < N; i++)
		value[i] = (float)(i % 3);
	run_threads(add);
	printf("%g\n", result[0].sum + result[1].sum);
	return 0;
}
