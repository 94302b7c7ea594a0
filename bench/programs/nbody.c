/*
 * nbody.c [BODIES [STEPS]] - bodies in an octree that attract each other (Barnes and Hut): the tree
 * is built anew in each step from a pool, and walked for each body. build: -fno-math-errno
 */
#include <math.h>

#include "number.h"

struct body {
	double at[3], speed[3], mass;
};

struct node {
	double center[3], side; /* its cube */
	double at[3], mass;     /* of all bodies in it */
	const struct body *only;
	struct node *child[8];
};

struct tree {
	struct node *pool;
	uint64_t used;
};

static struct node *add_node(struct tree *t, const double *center, double side)
{
	struct node *n = &t->pool[t->used++];

	*n = (struct node){ .center = { center[0], center[1], center[2] }, .side = side };
	return n;
}

static struct node **child_of(struct tree *t, struct node *n, const struct body *b)
{
	double center[3], quarter = n->side / 4;
	int which = 0;

	for (int i = 0; i < 3; i++) {
		which |= (b->at[i] >= n->center[i]) << i;
		center[i] = n->center[i] + (b->at[i] >= n->center[i] ? quarter : -quarter);
	}
	if (n->child[which] == NULL)
		n->child[which] = add_node(t, center, n->side / 2);
	return &n->child[which];
}

static void add_mass(struct node *n, const struct body *b)
{
	double mass = n->mass + b->mass;

	for (int i = 0; i < 3; i++)
		n->at[i] = (n->at[i] * n->mass + b->at[i] * b->mass) / mass;
	n->mass = mass;
}

/* Bodies so close to each other share a node. */
static const double smallest = 1e-6;

static __attribute__((noinline)) void insert(struct tree *t, struct node *n, const struct body *b)
{
	while (n->mass > 0 && n->side > smallest) {
		const struct body *moved = n->only;

		if (moved != NULL) {
			n->only = NULL;
			struct node *down = *child_of(t, n, moved);

			down->only = moved;
			add_mass(down, moved);
		}
		add_mass(n, b);
		n = *child_of(t, n, b);
	}
	if (n->mass == 0)
		n->only = b;
	add_mass(n, b);
}

static __attribute__((noinline)) void attract(const struct node *n, struct body *b, double step)
{
	double d[3], square = 1e-4;

	for (int i = 0; i < 3; i++) {
		d[i] = n->at[i] - b->at[i];
		square += d[i] * d[i];
	}
	if (n->only != NULL || n->side * n->side < square / 2 || n->side <= smallest) {
		double pull = n->mass * step / (square * sqrt(square));

		for (int i = 0; i < 3; i++)
			b->speed[i] += pull * d[i];
		return;
	}
	for (int i = 0; i < 8; i++)
		if (n->child[i] != NULL)
			attract(n->child[i], b, step);
}

static __attribute__((noinline)) void place(struct body *body, uint64_t n)
{
	uint64_t state = 88172645463325252ULL;

	for (uint64_t i = 0; i < n; i++) {
		body[i] = (struct body){ .mass = 1.0 / (double)n };
		for (int k = 0; k < 3; k++)
			body[i].at[k] = (double)(next_random(&state) >> 40) / (1 << 24);
	}
}

static __attribute__((noinline)) void advance(struct tree *t, struct body *body, uint64_t n)
{
	static const double middle[3] = { 0.5, 0.5, 0.5 }, side = 4, step = 1e-3;

	t->used = 0;
	struct node *root = add_node(t, middle, side);

	for (uint64_t i = 0; i < n; i++)
		insert(t, root, &body[i]);
	for (uint64_t i = 0; i < n; i++)
		attract(root, &body[i], step);
	for (uint64_t i = 0; i < n; i++)
		for (int k = 0; k < 3; k++)
			body[i].at[k] += step * body[i].speed[k];
}

int main(int argc, char **argv)
{
	enum { LEVELS = 24 }; /* of a cube with the smallest side */
	uint64_t n = number(argc, argv, 1, 3000), steps = number(argc, argv, 2, 4);
	struct body *body = malloc(n * sizeof(*body));
	struct tree tree = { malloc((n * LEVELS + 1) * sizeof(*tree.pool)), 0 };
	double sum = 0;

	if (body == NULL || tree.pool == NULL)
		return 1;
	place(body, n);
	for (uint64_t i = 0; i < steps; i++)
		advance(&tree, body, n);
	for (uint64_t i = 0; i < n; i++)
		sum += body[i].at[0] + body[i].speed[1];
	printf("%.6f\n", sum);
	free(body);
	free(tree.pool);
	return 0;
}
