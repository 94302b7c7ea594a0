/* advice: allocation data: event */
/* A queue of events, each allocated and freed; afterwards freed events are kept for reuse. */
#include "common.h"

struct event {
	struct event *next;
	uint64_t time;
};

enum { ROUNDS = 400000, BURST = 16 };

static struct event *head;
#ifdef AFTER
static struct event *spare;
#endif

static inline struct event *new_event(void)
{
#ifdef AFTER
	struct event *e = spare;

	if (e != NULL) {
		spare = e->next;
		return e;
	}
#endif
	return malloc(sizeof(struct event));
}

static inline void release_event(struct event *e)
{
#ifdef AFTER
	e->next = spare;
	spare = e;
#else
	free(e);
#endif
}

static KEEP uint64_t simulate(void)
{
	uint64_t sum = 0;

	for (int r = 0; r < ROUNDS; r++) {
		for (int i = 0; i < BURST; i++) {
			struct event *e = new_event();

			e->next = head;
			e->time = (uint64_t)r * i;
			head = e;
		}
		while (head != NULL) {
			struct event *e = head;

			head = e->next;
			sum += e->time;
			release_event(e);
		}
	}
	return sum;
}

int main(void)
{
	printf("%llu\n", (unsigned long long)simulate());
	return 0;
}
