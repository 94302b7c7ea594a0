/* The source is missing: the code after each call shows which variable, member or element gets its
 * result. */
#include <stdio.h>
#include <stdlib.h>
#line 1 "not-there.c"
#define APART __attribute__((noinline))
struct record {
	int id;
	double *values;
	struct record *next;
};

APART void *plain(size_t n)
{
	return malloc(n);
}

APART void *zeroed(size_t n)
{
	char *p = malloc(n);
	for (size_t i = 0; i < n; i++)
		p[i] = 0;
	return p;
}

APART struct record *create(int n)
{
	struct record *r = plain(sizeof(*r));
	r->values = malloc(n * sizeof(double));
	r->next = NULL;
	return r;
}

APART int fill(int n, float **out)
{
	*out = malloc(n * sizeof(float));
	return *out != NULL;
}

APART void use(void *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((char *)p)[i] += (char)i;
}

int *table, *tables[4];
long **rows;
struct record whole;

int main(int argc, char **argv)
{
	int n = 999 + argc;
	int *declared = plain(n * sizeof(int));
	int *cleared = zeroed(n * sizeof(int));
	int *key[2];
	key[0] = malloc(n * sizeof(int));
	key[1] = malloc(n * sizeof(int));
	struct record local;
	local.values = malloc(n * sizeof(double));
	struct record *list = create(n);
	list->next = create(n);
	table = malloc(n * sizeof(int));
	tables[1] = malloc(n * sizeof(int));
	tables[3] = plain(n * sizeof(int));
	whole.values = zeroed(n * sizeof(double));
	local.next = plain(sizeof(struct record));
	int *late;
	late = plain(n * sizeof(int));
	float *filled;
	fill(n, &filled);
	rows = malloc(8 * sizeof(long *));
	for (int i = 0; i < 8; i++)
		rows[i] = malloc(n * sizeof(long));
	use(declared, 4 * n), use(cleared, 4 * n), use(key[0], 4 * n), use(key[1], 4 * n),
		use(local.values, 8 * n);
	use(list->values, 8 * n), use(list->next->values, 8 * n), use(table, 4 * n),
		use(tables[1], 4 * n);
	use(tables[3], 4 * n), use(whole.values, 8 * n), use(local.next, 4), use(late, 4 * n),
		use(filled, 4 * n);
	for (int i = 0; i < 8; i++)
		use(rows[i], 8 * n);
	printf("%d\n", declared[5] + cleared[6]);
	return 0;
}
