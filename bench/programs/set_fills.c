/*
 * How long a line takes that misses the first level and hits the second, if all loads are
 * independent: by stride, and so by the number of sets that the lines go to. Prints nanoseconds,
 * the least of many rounds.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LOADS = 1 << 20, ROUNDS = 30 };

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double load_lines(const char *memory, size_t lines, size_t stride)
{
	double start = seconds();
	long sum = 0;

	for (size_t n = 0; n < LOADS; n += lines)
		for (size_t i = 0; i < lines; i++) {
			sum += *(const volatile long *)(memory + i * stride);
			__asm__ volatile("" : "+r"(sum));
		}
	return 1e9 * (seconds() - start) / LOADS;
}

int main(void)
{
	/* More lines than the first level has in these sets, fewer than the second one. */
	static const struct {
		size_t stride, lines;
	} walks[] = { { 4160, 1000 }, { 4224, 1000 }, { 4352, 1000 }, { 4608, 1000 },
		      { 5120, 800 },  { 6144, 768 },  { 4096, 400 } };
	const size_t bytes = (size_t)1000 * 8192;
	char *memory = aligned_alloc(4096, bytes);

	if (memory == NULL)
		return 1;
	for (size_t i = 0; i < bytes; i += 64)
		memory[i] = 1;
	for (size_t i = 0; i < sizeof(walks) / sizeof(*walks); i++) {
		double least = 1e9;

		for (int r = 0; r < ROUNDS; r++) {
			double each = load_lines(memory, walks[i].lines, walks[i].stride);

			least = each < least ? each : least;
		}
		printf("%5zu bytes: %.2f ns\n", walks[i].stride, least);
	}
	free(memory);
	return 0;
}
