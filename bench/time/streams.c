/*
 * streams.c - arrays of three times the last-level cache, read and written in order, by vector
 * instructions: these loops wait for bandwidth.
 */
#include "phase.h"

typedef double pair __attribute__((vector_size(16)));

PHASE_FUNCTION double read_stream(const pair *a, size_t n, size_t rounds)
{
	pair first = { 0 }, second = { 0 }, third = { 0 }, fourth = { 0 };

	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i += 4) {
			first += a[i];
			second += a[i + 1];
			third += a[i + 2];
			fourth += a[i + 3];
		}
	return (first + second + third + fourth)[0];
}

PHASE_FUNCTION double write_stream(pair *a, size_t n, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i += 2) {
			a[i] = (pair){ (double)round, 1 };
			a[i + 1] = (pair){ 1, (double)round };
		}
	return a[n / 2][0];
}

PHASE_FUNCTION double scale_stream(pair *a, const pair *b, size_t n, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i += 2) {
			a[i] = 3.0 * b[i];
			a[i + 1] = 3.0 * b[i + 1];
		}
	return a[n / 2][0];
}

PHASE_FUNCTION double triad_stream(pair *a, const pair *b, const pair *c, size_t n, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i += 2) {
			a[i] = b[i] + 3.0 * c[i];
			a[i + 1] = b[i + 1] + 3.0 * c[i + 1];
		}
	return a[n / 2][0];
}

int main(void)
{
	size_t n = phase_size(MIB(96) / sizeof(pair), 512);
	size_t total = MIB(96) / sizeof(pair) * 4;
	pair *a = (pair *)phase_alloc(n, sizeof(*a)), *b = (pair *)phase_alloc(n, sizeof(*b));
	pair *c = (pair *)phase_alloc(n, sizeof(*c));

	PHASE(read_stream(a, n, phase_rounds(2 * total, n)));
	PHASE(write_stream(a, n, phase_rounds(3 * total, n)));
	PHASE(scale_stream(a, b, n, phase_rounds(2 * total, n)));
	PHASE(triad_stream(a, b, c, n, phase_rounds(total, n)));
	return phase_end_program();
}
