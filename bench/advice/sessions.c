/* advice: padding data: sessions */
/*
 * Sessions with large buffers, a power of two bytes apart in one block; their counters are read in
 * random order. All counters have the same cache sets. Afterwards sessions are two lines longer.
 */
#include "common.h"

struct session {
	uint64_t counters[16]; /* two lines */
	char buffer[(1 << 17) - 128];
#ifdef AFTER
	char pad[128];
#endif
};

enum { SESSIONS = 96, VISITS = 40000000 };

static struct session *sessions;

static KEEP uint64_t visit(uint64_t seed)
{
	uint64_t sum = 0;

	for (int i = 0; i < VISITS; i++) {
		const struct session *s = &sessions[next_random(&seed) % SESSIONS];

		sum += s->counters[0] + s->counters[8];
	}
	return sum;
}

int main(void)
{
	sessions = aligned_alloc(128, SESSIONS * sizeof(*sessions));
	memset(sessions, 0, SESSIONS * sizeof(*sessions));
	for (uint64_t i = 0; i < SESSIONS; i++)
		sessions[i].counters[0] = sessions[i].counters[8] = i;
	printf("%llu\n", (unsigned long long)visit(1));
	return 0;
}
