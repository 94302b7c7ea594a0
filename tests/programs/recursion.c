/* build: -O0 -g
   A tree and a list built by functions that call themselves, and each other. */
#include <stdlib.h>

struct tree {
	struct tree *left, *right;
};

struct link {
	struct link *next;
	long value;
};

static struct tree *grow(int depth)
{
	struct tree *tree = malloc(sizeof(*tree));

	tree->left = depth > 0 ? grow(depth - 1) : NULL;
	tree->right = depth > 0 ? grow(depth - 1) : NULL;
	return tree;
}

static struct link *even(int n);

static struct link *odd(int n)
{
	return n > 0 ? even(n - 1) : NULL;
}

static struct link *even(int n)
{
	struct link *link = malloc(sizeof(*link));

	link->next = odd(n - 1);
	link->value = n;
	return link;
}

int main(void)
{
	struct tree *tree = grow(9);
	struct link *list = even(300);

	return tree->left == NULL || list->next == NULL;
}
