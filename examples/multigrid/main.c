/*
 * multigrid - section 5.4 of the 2004 dissertation: a multigrid solver whose arrays push themselves
 * out of the cache, tiled, then padded. docs/tutorial-multigrid.md walks through it. Try:
 *
 *    memspy run --machine buck-2004 -- ./multigrid plain
 *    memspy evictions --of U
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "multigrid.h"

static const struct version {
	const char *name;
	const char *text;
	bool tiled, padded;
} versions[] = {
	{ "plain", "function by function, each over the whole grid", false, false },
	{ "tiled", "all functions on a part of each plane, then on the next part", true, false },
	{ "padded", "tiled, and rows fill an odd number of cache lines", true, true },
};
enum { VERSIONS = sizeof(versions) / sizeof(versions[0]) };
enum { SIZE = 128, CYCLES = 2, MOST_CYCLES = 1000, ROWS = 4, COLUMNS = 48, LINE = 64 };

static void Usage(void)
{
	fprintf(stderr,
		"usage: multigrid VERSION [SIZE [CYCLES [ROWS [COLUMNS]]]]\n"
		"SIZE: intervals along a side of the cube, 2 to %d (%d); a multiple of a high "
		"power of 2\n"
		"CYCLES: 1 to %d (%d)\n"
		"ROWS, COLUMNS: of a tile, 1 to %d (%d, %d)\n"
		"VERSION:\n",
		MOST_POINTS - 1, SIZE, MOST_CYCLES, CYCLES, MOST_POINTS, ROWS, COLUMNS);
	for (int v = 0; v < VERSIONS; v++)
		fprintf(stderr, "  %-12s%s\n", versions[v].name, versions[v].text);
	exit(2);
}

static const struct version *FindVersion(const char *name)
{
	for (int v = 0; v < VERSIONS; v++)
		if (strcmp(versions[v].name, name) == 0)
			return &versions[v];
	fprintf(stderr, "multigrid: there is no version '%s'\n", name);
	Usage();
	return NULL;
}

static int Number(const char *text, const char *what, int least, int most)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (*text == '\0' || *end != '\0' || n < least || n > most) {
		fprintf(stderr, "multigrid: found '%s', expected %s (%d to %d)\n", text, what,
			least, most);
		Usage();
	}
	return (int)n;
}

/* All 0, and touched: what it costs to get the pages is not the solver's time. */
static double *NewArray(size_t n)
{
	size_t size = (n * sizeof(double) + LINE - 1) / LINE * LINE;
	double *array = aligned_alloc(LINE, size);

	if (array == NULL) {
		fprintf(stderr, "multigrid: no memory for %zu doubles\n", n);
		exit(1);
	}
	memset(array, 0, size);
	return array;
}

/* Ten sources and ten sinks. */
static void Charge(double *v, struct grid g)
{
	uint64_t state = 88172645463325252u;

	for (int i = 0; i < 20; i++) {
		size_t at[3];

		for (int j = 0; j < 3; j++) {
			state ^= state << 13;
			state ^= state >> 7;
			state ^= state << 17;
			at[j] = 1 + state % (uint64_t)(g.n - 2);
		}
		v[at[0] * g.plane + at[1] * g.row + at[2]] = i % 2 == 0 ? 1 : -1;
	}
}

struct result {
	double norm;  /* of what is left */
	uint64_t sum; /* of all bits of u: equal only if every point is */
};

static struct result Check(const double *u, const double *r, struct grid g)
{
	struct result result = { 0, 0 };

	for (int i3 = 1; i3 < g.n - 1; i3++)
		for (int i2 = 1; i2 < g.n - 1; i2++)
			for (int i1 = 1; i1 < g.n - 1; i1++) {
				size_t at = (size_t)i3 * g.plane + (size_t)i2 * g.row + (size_t)i1;
				uint64_t bits;

				memcpy(&bits, &u[at], sizeof(bits));
				result.sum = (result.sum ^ bits) * 0x9e3779b97f4a7c15u;
				result.norm += r[at] * r[at];
			}
	result.norm = sqrt(result.norm);
	return result;
}

int main(int argc, char **argv)
{
	if (argc < 2 || argc > 6)
		Usage();
	const struct version *version = FindVersion(argv[1]);
	int size = argc > 2 ? Number(argv[2], "a size", 2, MOST_POINTS - 1) : SIZE;
	int cycles = argc > 3 ? Number(argv[3], "a number of cycles", 1, MOST_CYCLES) : CYCLES;
	struct tile tile = { .rows = argc > 4 ? Number(argv[4], "rows", 1, MOST_POINTS) : ROWS,
			     .columns = argc > 5 ? Number(argv[5], "columns", 1, MOST_POINTS)
						 : COLUMNS };
	struct layout l = LayOut(size, version->padded);
	struct grid finest = l.grid[l.grids - 1];

	double *U = NewArray(l.size);
	double *V = NewArray(l.size);
	double *R = NewArray(l.size);

	Charge(V + finest.first, finest);
	if (!version->tiled)
		tile.rows = 0;
	double seconds = Solve(&l, &(struct arrays){ U, V, R }, cycles, tile);
	struct result result = Check(U + finest.first, R + finest.first, finest);

	printf("%s: norm %.3e, checksum %016llx\n", version->name, result.norm,
	       (unsigned long long)result.sum);
	fprintf(stderr, "resid and psinv: %.4f seconds\n", seconds);
	free(U);
	free(V);
	free(R);
	return !(result.norm < 1);
}
