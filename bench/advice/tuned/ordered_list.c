/* Adds the elements of a list that lies in memory in the order of its links. */
#include "../common.h"

enum { N = 300000, ROUNDS = 20 };

struct node {
	struct node *next;
	uint64_t value;
};

static KEEP uint64_t add(const struct node *head)
{
	uint64_t sum = 0;

	for (const struct node *n = head; n != NULL; n = n->next)
		sum += n->value;
	return sum;
}

int main(void)
{
	struct node *nodes = malloc(N * sizeof(*nodes));
	uint64_t sum = 0;

	for (uint64_t i = 0; i < N; i++)
		nodes[i] = (struct node){ i + 1 < N ? &nodes[i + 1] : NULL, i };
	for (int r = 0; r < ROUNDS; r++)
		sum += add(nodes);
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
