/* advice: pointer-chasing data: node */
/* Walks a list whose nodes are scattered; afterwards they lie in the order of the walk. */
#include "common.h"

struct node {
	struct node *next;
	int64_t value;
};

enum { N = 1 << 20, ROUNDS = 4 };

static struct node *node, *head;

static void build(void)
{
	uint32_t *order = malloc(N * sizeof(*order));

	node = malloc(N * sizeof(*node));
	shuffle(order, N, 5);
#ifdef AFTER
	for (uint32_t i = 0; i < N; i++)
		node[i] = (struct node){ i + 1 < N ? &node[i + 1] : NULL, order[i] };
	head = node;
#else
	for (uint32_t i = 0; i < N; i++)
		node[order[i]] = (struct node){ i + 1 < N ? &node[order[i + 1]] : NULL, order[i] };
	head = &node[order[0]];
#endif
	free(order);
}

static KEEP int64_t sum(void)
{
	int64_t all = 0;

	for (const struct node *n = head; n != NULL; n = n->next)
		all += n->value;
	return all;
}

int main(void)
{
	int64_t all = 0;

	build();
	for (int r = 0; r < ROUNDS; r++)
		all += sum();
	printf("%lld\n", (long long)all);
	return 0;
}
