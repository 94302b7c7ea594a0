#include <pthread.h>
#include <stdlib.h>
struct node {
	struct node *next;
	int a, b;
	double value[4];
};
static struct node table[64];
static char *buffer(size_t n)
{
	char *p = calloc(1, n);
	return p;
}
static void *work(void *arg)
{
	long *mine = calloc(512, sizeof(*mine));
	for (int i = 0; i < 512; i++)
		mine[i] = i;
	return arg;
}
int main(void)
{
	struct node *list = calloc(100, sizeof(*list));
	long sum = 0;
	for (int i = 0; i < 99; i++)
		list[i].next = &list[i + 1];
	for (int i = 0; i < 64; i++)
		table[i].value[1] = i;
	for (struct node *n = list; n != NULL; n = n->next)
		sum += n->b;
	for (int i = 0; i < 100; i++) {
		char *b = buffer(i % 2 ? 40 : 4000);
		b[3] = 1;
	}
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return sum != 0;
}
