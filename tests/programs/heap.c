/* Every way to get memory from the heap in C; touch() writes each byte once. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

struct node {
	struct node *next;
	char *label;
	long value;
};

static void *xmalloc(size_t n)
{
	void *p = malloc(n);

	if (p == NULL)
		abort();
	return p;
}

static void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (p == NULL)
		abort();
	return p;
}

static __attribute__((noinline)) void touch(void *p, size_t n)
{
	for (volatile char *at = p; n > 0; n--)
		*at++ = 1;
}

static struct node *new_node(void)
{
	struct node *node = xmalloc(sizeof(*node));

	node->label = xmalloc(40);
	node->next = NULL;
	return node;
}

static __attribute__((noinline)) void zero_size(void)
{
	char *empty = malloc(0);

	free(empty);
	free(NULL);
}

int main(void)
{
	char *plain = malloc(1000);
	short *wrapped = xmalloc(2000);
	int *cleared = calloc(750, 4);
	long *both = xcalloc(500, 8);
	float *lines = aligned_alloc(64, 5120);
	void *page = NULL;
	double *old_style = memalign(128, 6000);
	char *large = malloc(1000000); /* mapped by the allocator */

	if (posix_memalign(&page, 4096, 8192) != 0)
		return 1;
	touch(plain, 1000);
	touch(wrapped, 2000);
	touch(cleared, 3000);
	touch(both, 4000);
	touch(lines, 5120);
	touch(old_style, 6000);
	touch(page, 8192);
	touch(large, 1000000);

	unsigned *grown = NULL;
	for (int i = 1; i <= 10; i++) {
		grown = realloc(grown, (size_t)i * 400);
		touch((char *)grown + (i - 1) * 400, 400);
	}

	struct node *list = new_node();
	list->next = new_node();
	touch(list->label, 40);
	touch(list->next->label, 30);
	list->value = 1;

	char *copy = strdup("seventeen letters");
	touch(copy, 17);

	for (int i = 0; i < 5; i++) {
		char *temporary = malloc(100);

		touch(temporary, 100);
		free(temporary);
	}
	zero_size();
	free(plain);
	free(wrapped);
	free(cleared);
	free(both);
	free(lines);
	free(page);
	free(old_style);
	free(large);
	free(grown);
	return 0;
}
