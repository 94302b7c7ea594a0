// advice: allocation data: word set: held-out
// Makes a string for each line of a text; afterwards one string is reused.
#include <cstdio>
#include <string>

static const int LINES = 4000000;

__attribute__((noipa)) static size_t measure(const std::string &word)
{
	return word.size() + static_cast<unsigned char>(word[3]);
}

int main()
{
	size_t sum = 0;
#ifdef AFTER
	std::string word;
#endif

	for (int i = 0; i < LINES; i++) {
#ifdef AFTER
		word.assign(24 + i % 16, static_cast<char>('a' + i % 26));
#else
		std::string word(24 + i % 16, static_cast<char>('a' + i % 26));
#endif
		sum += measure(word);
	}
	std::printf("%zu\n", sum);
}
