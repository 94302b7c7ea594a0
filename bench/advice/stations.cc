// advice: member-order data: stations set: held-out
// Visits stations in a fixed scattered order; two members that are used together lie in different lines of a
// record. Afterwards they are neighbours.
#include <cstdint>
#include <cstdio>
#include <vector>

struct alignas(64) Station {
#ifdef AFTER
	double level, limit;
	char name[80];
	char notes[96];
#else
	double level;
	char name[80];
	double limit;
	char notes[96];
#endif
};

static const std::uint32_t count = 1 << 17, visits = 16000000;

__attribute__((noipa)) static double visit(std::vector<Station> &stations)
{
	double above = 0;
	std::uint32_t at = 1;

	for (std::uint32_t i = 0; i < visits; i++) {
		at = at * 1664525u + 1013904223u;
		Station &s = stations[at >> 15];

		s.level += 0.5;
		above += s.level > s.limit;
	}
	return above;
}

int main()
{
	std::vector<Station> stations(count);

	for (std::uint32_t i = 0; i < count; i++)
		stations[i].limit = i % 90;
	std::printf("%g\n", visit(stations));
	return 0;
}
