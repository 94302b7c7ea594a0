/*
 * text_index.cc - words of a text: counted in a hash table of strings, counted by numbers
 * instead, visited in random order.
 *
 * fix: count_words count_numbers 20
 * calls: count_words *memcmp*
 */
#include <string>
#include <utility>
#include <vector>

#include "phase.h"

/* Buckets of words and how often each occurred. */
using Counts = std::vector<std::vector<std::pair<std::string, uint64_t>>>;

#define HASH_WORD(hash, word)                                              \
	do {                                                               \
		for (char c : word)                                        \
			hash = (hash ^ (unsigned char)c) * 1099511628211U; \
	} while (0)

PHASE_FUNCTION __attribute__((flatten)) uint64_t split_text(const std::string &text, size_t rounds)
{
	uint64_t words = 0, length = 0;

	for (size_t round = 0; round < rounds; round++)
		for (char c : text) {
			bool end = c == ' ';

			words += end;
			length = end ? 0 : length + 1;
		}
	return words + length;
}

PHASE_FUNCTION __attribute__((flatten)) uint64_t
count_words(Counts &counts, const std::vector<std::string> &words, size_t times)
{
	for (size_t k = 0; k < times; k++) {
		const std::string &word = words[phase_key(k) % words.size()];
		uint64_t hash = 14695981039346656037U;

		HASH_WORD(hash, word);
		for (auto &entry : counts[hash % counts.size()])
			if (entry.first == word)
				entry.second++;
	}
	return counts.size();
}

PHASE_FUNCTION __attribute__((flatten)) uint64_t count_numbers(std::vector<uint64_t> &counts,
							       size_t times)
{
	for (size_t k = 0; k < times; k++)
		counts[phase_key(k) % counts.size()]++;
	return counts[0];
}

/* Strings in the order of another vector: their characters are anywhere. */
PHASE_FUNCTION __attribute__((flatten)) uint64_t
add_first_letters(const std::vector<const std::string *> &words, size_t rounds)
{
	uint64_t sum = 0;

	for (size_t round = 0; round < rounds; round++)
		for (const std::string *word : words)
			sum += uint64_t((*word)[0] + (*word)[word->size() - 1]);
	return sum;
}

int main()
{
	size_t n = phase_size(300000, 100), times = 500000;
	std::vector<std::string> words;
	Counts counts(n);
	std::vector<const std::string *> order;
	std::vector<uint64_t> numbers(phase_size(n, 6000));
	std::string text;

	for (size_t i = 0; i < n; i++) {
		words.push_back("word-" + std::to_string(1000000 + i * 7));
		uint64_t hash = 14695981039346656037U;

		HASH_WORD(hash, words.back());
		counts[hash % n].emplace_back(words.back(), 0);
		if (text.size() < phase_size(MIB(8), KIB(2)))
			text += words.back() + ' ';
	}
	uint32_t *shuffled = phase_permutation(n);
	for (size_t i = 0; i < n; i++)
		order.push_back(&words[shuffled[i]]);
	PHASE(split_text(text, phase_rounds(MIB(50), text.size())));
	PHASE(count_words(counts, words, times));
	PHASE(count_numbers(numbers, 20 * times));
	PHASE(add_first_letters(order, phase_rounds(6000000, n)));
	return phase_end_program();
}
