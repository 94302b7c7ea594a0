/* mixed.c - more blocks than are recorded while sampling: nodes and texts lie side by side in the
   heap, from two places, and only the nodes are walked. The texts are freed and made anew on the
   way, so that memory of the one becomes the other's. Prints how many blocks there were. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
	struct node *next;
	uint64_t value;
};

enum { COUNT = 300000, ROUNDS = 3 };
static struct node *nodes[COUNT];
static char *texts[COUNT];
static uint64_t made;

__attribute__((noinline)) static struct node *make_node(void)
{
	struct node *node = malloc(sizeof(*node));

	if (node == NULL)
		exit(1);
	made++;
	return node;
}

__attribute__((noinline)) static char *make_text(uint64_t i)
{
	char *text = malloc(24);

	if (text == NULL)
		exit(1);
	made++;
	text[0] = (char)i;
	return text;
}

__attribute__((noinline)) static uint64_t walk(const struct node *at, uint64_t steps)
{
	uint64_t sum = 0;

	while (steps-- > 0) {
		sum += at->value;
		at = at->next;
	}
	return sum;
}

int main(void)
{
	uint64_t sum = 0, state = 88172645463325252ULL;

	for (uint64_t i = 0; i < COUNT; i++) {
		nodes[i] = make_node();
		texts[i] = make_text(i);
	}
	for (uint64_t i = COUNT - 1; i > 0; i--) { /* in any order, in one circle */
		state = state * 6364136223846793005ULL + 1442695040888963407ULL;
		uint64_t k = (state >> 33) % i;
		struct node *other = nodes[k];
		nodes[k] = nodes[i];
		nodes[i] = other;
	}
	for (uint64_t i = 0; i < COUNT; i++)
		*nodes[i] = (struct node){ nodes[(i + 1) % COUNT], i };
	for (int round = 0; round < ROUNDS; round++) {
		sum += walk(nodes[0], 4 * (uint64_t)COUNT);
		for (uint64_t i = 0; i < COUNT; i++) {
			free(texts[i]);
			texts[i] = make_text(i);
		}
	}
	printf("%llu %llu\n", (unsigned long long)made, (unsigned long long)(sum % 10));
	return 0;
}
