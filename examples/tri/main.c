/*
 * tri - the case study of section 4 of the 1992 paper: a sparse triangular solve on several
 * processors, before and after each of its three tuning steps. docs/tutorial-tri.md walks through
 * it. Try:
 *
 *    memspy run --machine sgi-4d-340 --processors 4 -- ./tri parallel 4
 *    memspy show --data M.nz --code Parallel
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tri.h"

static const struct version {
	const char *name;
	const char *text;
	struct order (*assign)(const struct matrix *A, int processors);
	bool renumbered;
	void (*solve)(const struct problem *problem, const struct order *order);
} versions[] = {
	{ "sequential", "one processor, row by row", NULL, false, SolveSequential },
	{ "parallel", "rows are dealt out, Ready[] says which are done", DealRows, false,
	  SolveParallel },
	{ "reordered", "step 1: a processor's rows lie side by side", DealRows, true,
	  SolveReordered },
	{ "nan", "step 2: NaN in x instead of Ready[]", DealRows, true, SolveNaN },
	{ "dependence", "step 3: a row goes to who owns most of what it needs", FollowDependences,
	  true, SolveNaN },
};
enum { VERSIONS = sizeof(versions) / sizeof(versions[0]), PROCESSORS = 4, MOST = 1024 };

static void Usage(void)
{
	fprintf(stderr,
		"usage: tri VERSION [PROCESSORS [MATRIX.mtx]]\n"
		"PROCESSORS: 1 to %d (%d)\n"
		"MATRIX.mtx: Matrix Market, real, symmetric; its lower triangle is used\n"
		"VERSION:\n",
		MOST, PROCESSORS);
	for (int v = 0; v < VERSIONS; v++)
		fprintf(stderr, "  %-12s%s\n", versions[v].name, versions[v].text);
	exit(2);
}

static const struct version *FindVersion(const char *name)
{
	for (int v = 0; v < VERSIONS; v++)
		if (strcmp(versions[v].name, name) == 0)
			return &versions[v];
	fprintf(stderr, "tri: there is no version '%s'\n", name);
	Usage();
	return NULL;
}

static int CountProcessors(const char *text)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (*text == '\0' || *end != '\0' || n < 1 || n > MOST) {
		fprintf(stderr, "tri: found '%s', expected a number of processors\n", text);
		Usage();
	}
	return (int)n;
}

static double RightSide(int row)
{
	return 1 + row % 10;
}

/* Which row of A is row i of M. */
static int Original(const struct version *version, const struct order *order, int i)
{
	return version->renumbered ? order->rows[i] : i;
}

/* Solves again, one row after the other, and compares. */
static int CountWrong(const struct matrix *A, const double *x, const struct version *version,
		      const struct order *order)
{
	double *expected = Take((size_t)A->n, sizeof(*expected));
	int wrong = 0;

	for (int i = 0; i < A->n; i++) {
		expected[i] = RightSide(i);
		for (int j = A->row[i]; j < A->row[i + 1]; j++)
			expected[i] -= A->nz[j] * expected[A->col[j]];
	}
	for (int i = 0; i < A->n; i++)
		if (!(fabs(x[i] - expected[Original(version, order, i)]) < 1e-9))
			wrong++;
	free(expected);
	return wrong;
}

static int Run(const struct matrix *A, const struct version *version, const struct order *order)
{
	struct matrix M = Renumber(A, version->renumbered ? order->rows : NULL);
	double *b = malloc((size_t)M.n * sizeof(*b));
	double *x = malloc((size_t)M.n * sizeof(*x));
	int *Ready = calloc((size_t)M.n, sizeof(*Ready));

	if (b == NULL || x == NULL || Ready == NULL) {
		perror("tri");
		exit(1);
	}
	for (int i = 0; i < M.n; i++)
		b[i] = RightSide(Original(version, order, i));
	version->solve(&(struct problem){ M, x, b, Ready }, order);
	return CountWrong(A, x, version, order);
}

int main(int argc, char **argv)
{
	if (argc < 2 || argc > 4)
		Usage();
	const struct version *version = FindVersion(argv[1]);
	int processors = argc > 2 ? CountProcessors(argv[2]) : PROCESSORS;
	struct matrix A = argc > 3 ? ReadMatrix(argv[3]) : GenerateMatrix();
	struct order order = { 0 };

	if (version->assign != NULL)
		order = version->assign(&A, processors);

	int wrong = Run(&A, version, &order);
	printf("%s: %d rows, %d elements, %d wrong\n", version->name, A.n, A.row[A.n], wrong);
	return wrong != 0;
}
