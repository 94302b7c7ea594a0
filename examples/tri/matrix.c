/* matrix.c - where the matrix comes from: a Matrix Market file, or made up. */
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tri.h"

void *Take(size_t n, size_t size)
{
	void *at = calloc(n > 0 ? n : 1, size);

	if (at == NULL) {
		fprintf(stderr, "tri: no memory for %zu x %zu bytes\n", n, size);
		exit(1);
	}
	return at;
}

/* --- elements in any order -------------------------------------------------------------------- */

struct element {
	int row, col;
	double value;
};

struct elements {
	int n; /* rows of the matrix */
	int used, room;
	struct element *at;
};

static void Add(struct elements *list, int row, int col, double value)
{
	if (list->used == list->room) {
		list->room = list->room > 0 ? 2 * list->room : 1024;
		list->at = realloc(list->at, (size_t)list->room * sizeof(*list->at));
		if (list->at == NULL) {
			fprintf(stderr, "tri: no memory for %d elements\n", list->room);
			exit(1);
		}
	}
	list->at[list->used++] = (struct element){ row, col, value };
}

/* |x[i]| is then at most twice the largest |b[i]|, whatever the matrix: never infinite, never NaN.
 */
static void ScaleRow(struct matrix *A, int row)
{
	double sum = 0;

	for (int j = A->row[row]; j < A->row[row + 1]; j++)
		sum += fabs(A->nz[j]);
	for (int j = A->row[row]; sum > 0 && j < A->row[row + 1]; j++)
		A->nz[j] /= 2 * sum;
}

/* Row by row; the elements of a row stay in the order in which they came. */
static struct matrix Pack(struct elements *list)
{
	struct matrix A = { .n = list->n };
	int *next = Take((size_t)A.n, sizeof(*next));

	A.nz = Take((size_t)list->used, sizeof(*A.nz));
	A.col = Take((size_t)list->used, sizeof(*A.col));
	A.row = Take((size_t)A.n + 1, sizeof(*A.row));
	for (int k = 0; k < list->used; k++)
		A.row[list->at[k].row + 1]++;
	for (int i = 0; i < A.n; i++) {
		A.row[i + 1] += A.row[i];
		next[i] = A.row[i];
	}
	for (int k = 0; k < list->used; k++) {
		int j = next[list->at[k].row]++;

		A.nz[j] = list->at[k].value;
		A.col[j] = list->at[k].col;
	}
	for (int i = 0; i < A.n; i++)
		ScaleRow(&A, i);
	free(next);
	free(list->at);
	return A;
}

/* --- made up ---------------------------------------------------------------------------------- */

/*
 * Of the size and kind of BCSSTK15 (3948 rows, 56934 elements below the diagonal, 365 levels): a
 * grid of joints with six degrees of freedom each, numbered along its longer side. A joint is
 * coupled to itself and to the four neighbours that have smaller numbers; about half of each block
 * is not zero.
 */
enum { WIDTH = 47, HEIGHT = 14, FREEDOMS = 6, FILL = 579 };

static uint64_t Random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void AddBlock(struct elements *list, int joint, int other, uint64_t *state)
{
	for (int a = 0; a < FREEDOMS; a++)
		for (int c = 0; c < (other == joint ? a : FREEDOMS); c++) {
			bool kept = Random(state) % 1000 < FILL;
			double value = (double)(Random(state) % 2001) / 1000 - 1;

			if (kept)
				Add(list, joint * FREEDOMS + a, other * FREEDOMS + c, value);
		}
}

struct matrix GenerateMatrix(void)
{
	struct elements list = { .n = WIDTH * HEIGHT * FREEDOMS };
	uint64_t state = 88172645463325252u;

	for (int joint = 0; joint < WIDTH * HEIGHT; joint++) {
		int at = joint % WIDTH;
		const int others[] = { at > 0 ? joint - WIDTH - 1 : -1, joint - WIDTH,
				       at < WIDTH - 1 ? joint - WIDTH + 1 : -1,
				       at > 0 ? joint - 1 : -1, joint };

		for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
			if (others[i] >= 0)
				AddBlock(&list, joint, others[i], &state);
	}
	return Pack(&list);
}

/* --- from a file ------------------------------------------------------------------------------ */

struct reader {
	const char *path;
	FILE *file;
	int line;
	char text[1024];
};

static void Refuse(const struct reader *in, const char *format, ...)
{
	va_list ap;

	fprintf(stderr, "tri: %s:%d: ", in->path, in->line);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(2);
}

/* The next line that says something; `what` is what it should say. */
static void NextLine(struct reader *in, const char *what)
{
	do {
		if (fgets(in->text, sizeof(in->text), in->file) == NULL)
			Refuse(in, "found the end, expected %s", what);
		in->line++;
		in->text[strcspn(in->text, "\r\n")] = '\0';
	} while (in->line > 1 && (in->text[0] == '%' || in->text[0] == '\0'));
}

static void ReadHead(struct reader *in, int *n, int *elements)
{
	static const char wanted[] = "%%MatrixMarket matrix coordinate real symmetric";
	int columns;

	NextLine(in, "a Matrix Market file");
	if (strcmp(in->text, wanted) != 0)
		Refuse(in, "found '%s', expected '%s'", in->text, wanted);
	NextLine(in, "rows, columns and elements");
	if (sscanf(in->text, "%d %d %d", n, &columns, elements) != 3 || *n < 1 || columns != *n ||
	    *elements < 0)
		Refuse(in, "found '%s', expected rows, as many columns, and elements", in->text);
}

static void ReadElement(struct reader *in, struct elements *list)
{
	int i, j;
	double value;

	NextLine(in, "another element");
	if (sscanf(in->text, "%d %d %lf", &i, &j, &value) != 3 || i < 1 || i > list->n || j < 1 ||
	    j > list->n || !isfinite(value))
		Refuse(in, "found '%s', expected a row, a column (1 to %d) and a number", in->text,
		       list->n);
	if (i != j) /* the unit diagonal is not stored */
		Add(list, (i > j ? i : j) - 1, (i > j ? j : i) - 1, value);
}

struct matrix ReadMatrix(const char *path)
{
	struct reader in = { .path = path, .file = fopen(path, "r") };
	struct elements list = { 0 };
	int elements = 0;

	if (in.file == NULL) {
		fprintf(stderr, "tri: cannot open ");
		perror(path);
		exit(2);
	}
	ReadHead(&in, &list.n, &elements);
	for (int k = 0; k < elements; k++)
		ReadElement(&in, &list);
	fclose(in.file);
	return Pack(&list);
}
