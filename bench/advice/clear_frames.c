/* advice: streaming-stores data: frame set: fit */
/* Fills frames that are not read soon; afterwards with streaming stores. */
#include "common.h"
#include "stream.h"

enum { PIXELS = 8000000, ROUNDS = 48 };

static uint64_t *frame;

static KEEP void fill(uint64_t colour)
{
	for (size_t i = 0; i < PIXELS; i += 2) {
#ifdef AFTER
		stream_pair(&frame[i], colour + i, colour ^ i);
#else
		frame[i] = colour + i;
		frame[i + 1] = colour ^ i;
#endif
	}
}

int main(void)
{
	frame = aligned_alloc(64, PIXELS * sizeof(*frame));
	for (uint64_t r = 0; r < ROUNDS; r++)
		fill(r);
	printf("%llu\n", (unsigned long long)frame[PIXELS / 3]);
	return 0;
}
