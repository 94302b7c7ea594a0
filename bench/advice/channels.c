/* advice: line-use data: sample */
/* Adds one of eight interleaved channels; afterwards each channel is an array of its own. */
#include "common.h"

enum { SAMPLES = 3000000, CHANNELS = 8, ROUNDS = 12 };

static float *sample;

#ifdef AFTER
#define AT(i, channel) ((size_t)(channel)*SAMPLES + (i))
#else
#define AT(i, channel) ((size_t)(i)*CHANNELS + (channel))
#endif

static KEEP float add(int channel)
{
	float sum = 0;

	for (int i = 0; i < SAMPLES; i++)
		sum += sample[AT(i, channel)];
	return sum;
}

int main(void)
{
	float sum = 0;

	sample = malloc(sizeof(*sample) * SAMPLES * CHANNELS);
	for (int i = 0; i < SAMPLES; i++)
		for (int c = 0; c < CHANNELS; c++)
			sample[AT(i, c)] = (float)(i % 7 + c);
	for (int r = 0; r < ROUNDS; r++)
		sum += add(2);
	printf("%g\n", (double)sum);
	return 0;
}
