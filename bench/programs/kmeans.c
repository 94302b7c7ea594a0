/*
 * kmeans.c [POINTS [CLUSTERS [ROUNDS]]] - points in eight dimensions, each assigned to the nearest
 * of some centers, which move to the mean of their points.
 */
#include "number.h"

enum { DIMENSIONS = 8 };

struct sums {
	double at[DIMENSIONS];
	uint64_t points;
};

static __attribute__((noinline)) void draw(float (*point)[DIMENSIONS], uint64_t n)
{
	uint64_t state = 88172645463325252ULL;

	for (uint64_t i = 0; i < n; i++)
		for (int d = 0; d < DIMENSIONS; d++)
			point[i][d] = (float)(next_random(&state) >> 40) / (1 << 24);
}

static __attribute__((noinline)) uint32_t
nearest(const float *point, const float (*center)[DIMENSIONS], uint64_t clusters)
{
	float best = 1e30F;
	uint32_t found = 0;

	for (uint32_t c = 0; c < clusters; c++) {
		float square = 0;

		for (int d = 0; d < DIMENSIONS; d++)
			square += (point[d] - center[c][d]) * (point[d] - center[c][d]);
		if (square < best) {
			best = square;
			found = c;
		}
	}
	return found;
}

static __attribute__((noinline)) uint64_t assign(float (*point)[DIMENSIONS], uint32_t *cluster,
						 uint64_t n, const float (*center)[DIMENSIONS],
						 struct sums *sums, uint64_t clusters)
{
	uint64_t moved = 0;

	for (uint64_t i = 0; i < n; i++) {
		uint32_t c = nearest(point[i], center, clusters);

		moved += cluster[i] != c;
		cluster[i] = c;
		sums[c].points++;
		for (int d = 0; d < DIMENSIONS; d++)
			sums[c].at[d] += point[i][d];
	}
	return moved;
}

static __attribute__((noinline)) void move(float (*center)[DIMENSIONS], struct sums *sums,
					   uint64_t clusters)
{
	for (uint64_t c = 0; c < clusters; c++) {
		for (int d = 0; d < DIMENSIONS && sums[c].points > 0; d++)
			center[c][d] = (float)(sums[c].at[d] / (double)sums[c].points);
		sums[c] = (struct sums){ .points = 0 };
	}
}

int main(int argc, char **argv)
{
	uint64_t n = number(argc, argv, 1, 60000), clusters = number(argc, argv, 2, 16);
	uint64_t rounds = number(argc, argv, 3, 12), moved = 0;
	float(*point)[DIMENSIONS] = malloc(n * sizeof(*point));
	float(*center)[DIMENSIONS] = malloc(clusters * sizeof(*center));
	uint32_t *cluster = calloc(n, sizeof(*cluster));
	struct sums *sums = calloc(clusters, sizeof(*sums));

	if (point == NULL || center == NULL || cluster == NULL || sums == NULL)
		return 1;
	draw(point, n);
	for (uint64_t c = 0; c < clusters; c++)
		for (int d = 0; d < DIMENSIONS; d++)
			center[c][d] = point[c * n / clusters][d];
	for (uint64_t i = 0; i < rounds; i++) {
		moved += assign(point, cluster, n, (const float(*)[DIMENSIONS])center, sums,
				clusters);
		move(center, sums, clusters);
	}
	printf("%llu %.6f\n", (unsigned long long)moved, (double)center[0][0]);
	free(point);
	free(center);
	free(cluster);
	free(sums);
	return 0;
}
