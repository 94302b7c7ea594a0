/*
 * sort.c [ELEMENTS [DEPTH]] - a merge sort whose halves are sorted by two threads, down to DEPTH: 2
 * is four threads. What one thread has sorted another merges.
 */
#include <pthread.h>
#include <string.h>

#include "number.h"

struct part {
	uint32_t *at, *space;
	uint64_t n, depth;
};

static void merge(const struct part *part, uint64_t half)
{
	uint32_t *at = part->at, *space = part->space;
	uint64_t left = 0, right = half;

	for (uint64_t i = 0; i < part->n; i++)
		space[i] = right == part->n || (left < half && at[left] <= at[right]) ? at[left++]
										      : at[right++];
	memcpy(at, space, part->n * sizeof(*at));
}

static void *sort(void *arg)
{
	const struct part *part = arg;
	uint64_t half = part->n / 2, depth = part->depth > 0 ? part->depth - 1 : 0;
	struct part low = { part->at, part->space, half, depth };
	struct part high = { part->at + half, part->space + half, part->n - half, depth };
	pthread_t thread;

	if (part->n < 2)
		return NULL;
	if (part->depth > 0) {
		if (pthread_create(&thread, NULL, sort, &high) != 0) {
			fprintf(stderr, "sort: a thread could not be made\n");
			exit(1);
		}
		sort(&low);
		pthread_join(thread, NULL);
	} else {
		sort(&low);
		sort(&high);
	}
	merge(part, half);
	return NULL;
}

int main(int argc, char **argv)
{
	uint64_t n = number(argc, argv, 1, 1000000), depth = number(argc, argv, 2, 2);
	uint64_t state = 88172645463325252ULL, sum = 0;
	struct part all = { room(n, sizeof(*all.at)), room(n, sizeof(*all.space)), n, depth };

	for (uint64_t i = 0; i < n; i++)
		all.at[i] = (uint32_t)next_random(&state);
	sort(&all);
	for (uint64_t i = 1; i < n; i++) {
		if (all.at[i - 1] > all.at[i]) {
			fprintf(stderr, "sort: out of order at %llu\n", (unsigned long long)i);
			return 1;
		}
		sum += all.at[i] * i;
	}
	printf("sort %llu\n", (unsigned long long)sum);
	free(all.at);
	free(all.space);
	return 0;
}
