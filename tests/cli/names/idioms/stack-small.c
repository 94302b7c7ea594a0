/* Small arrays and objects of the stack, those of a length that is known at run time only, and
 * pointers to them. */
#include <stdlib.h>
#include <string.h>

struct point {
	double x, y, z;
	long tag[5];
};

static double __attribute__((noinline)) smooth(int n)
{
	double left[48], right[48], sum = 0;

	for (int i = 0; i < 48; i++)
		left[i] = i * n;
	memset(right, 0, sizeof(right));
	for (int k = 0; k < n; k++)
		for (int i = 1; i < 48; i++)
			right[i - 1] += left[i] + right[i];
	for (int i = 0; i < 48; i++)
		sum += right[i];
	return sum;
}

static long __attribute__((noinline)) move(int n)
{
	struct point point[6];
	long sum = 0;

	memset(point, 0, sizeof(point));
	for (int k = 0; k < n; k++)
		for (int i = 0; i < 6; i++) {
			point[i].x += k;
			point[i].tag[k % 5] += i;
		}
	for (int i = 0; i < 6; i++)
		sum += point[i].tag[3] + (long)point[i].x;
	return sum;
}

static long __attribute__((noinline)) weigh(int n)
{
	long value[n], weight[n], sum = 0;

	for (int i = 0; i < n; i++) {
		value[i] = i;
		weight[n - 1 - i] = 2 * i;
	}
	for (int k = 0; k < 5; k++)
		for (int i = 0; i < n; i++)
			sum += value[i] * weight[i];
	return sum;
}

static inline __attribute__((always_inline)) int most_frequent(const unsigned char *text, int n)
{
	int count[64] = { 0 }, most = 0;

	for (int i = 0; i < n; i++)
		count[text[i] & 63]++;
	for (int i = 0; i < 64; i++)
		if (count[i] > count[most])
			most = i;
	return most;
}

/* A buffer for short inputs, or memory of the heap. */
static long __attribute__((noinline)) reverse(int n)
{
	char shorter[200], *buffer = n > 200 ? malloc((size_t)n) : shorter;
	long sum = 0;

	for (int i = 0; i < n; i++)
		buffer[n - 1 - i] = (char)(i * 3);
	for (int i = 0; i < n; i += 7)
		sum += buffer[i];
	if (buffer != shorter)
		free(buffer);
	return sum;
}

int main(int argc, char **argv)
{
	unsigned char text[300];

	(void)argv;
	for (int i = 0; i < 300; i++)
		text[i] = (unsigned char)(i * 7);
	return smooth(20 + argc) + (double)move(20) + (double)weigh(100) +
		       most_frequent(text, 300) + (double)reverse(150) ==
	       0;
}
