// advice: working-set data: buffer set: held-out
// Encrypts a large buffer and then computes its checksum; afterwards chunk by chunk.
#include <cstdint>
#include <cstdio>
#include <vector>

static const std::size_t n = 6000000;
static const int rounds = 6;
#ifdef AFTER
static const std::size_t chunk = 20000;
#else
static const std::size_t chunk = n;
#endif

__attribute__((noipa)) static void encrypt(std::uint64_t *from, std::size_t count, std::uint64_t key)
{
	for (std::size_t i = 0; i < count; i++)
		from[i] ^= key + i;
}

__attribute__((noipa)) static std::uint64_t checksum(const std::uint64_t *from, std::size_t count)
{
	std::uint64_t sum = 0;

	for (std::size_t i = 0; i < count; i++)
		sum += from[i];
	return sum;
}

int main()
{
	std::vector<std::uint64_t> buffer(n, 7);
	std::uint64_t sum = 0;

	for (int r = 0; r < rounds; r++)
		for (std::size_t first = 0; first < n; first += chunk) {
			encrypt(&buffer[first], chunk, r);
			sum += checksum(&buffer[first], chunk);
		}
	std::printf("%llu\n", static_cast<unsigned long long>(sum));
	return 0;
}
