// advice: blocking data: picture
// Rotates a picture by a quarter; afterwards tile by tile.
#include <cstdint>
#include <cstdio>
#include <vector>

static const int N = 4000, TILE = 32, ROUNDS = 6;

static std::vector<uint32_t> picture(N *N), rotated(N *N);

__attribute__((noipa)) static void rotate()
{
#ifdef AFTER
	for (int yy = 0; yy < N; yy += TILE)
		for (int xx = 0; xx < N; xx += TILE)
			for (int y = yy; y < yy + TILE; y++)
				for (int x = xx; x < xx + TILE; x++)
					rotated[y * N + x] = picture[(N - 1 - x) * N + y];
#else
	for (int y = 0; y < N; y++)
		for (int x = 0; x < N; x++)
			rotated[y * N + x] = picture[(N - 1 - x) * N + y];
#endif
}

int main()
{
	for (int i = 0; i < N * N; i++)
		picture[i] = i;
	for (int r = 0; r < ROUNDS; r++)
		rotate();
	std::printf("%u\n", rotated[N * N / 3]);
}
