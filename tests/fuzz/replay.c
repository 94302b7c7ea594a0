/*
 * fuzz/replay.c - a fuzz target over stored inputs, without libFuzzer:
 *
 *    TARGET FILE...                runs the target over each
 *    TARGET --unpack FOLDER FILE...   writes them into FOLDER as libFuzzer wants them
 *
 * A file whose name ends in ".hex" is text: "0x1f" is a word of eight bytes, little-endian; other
 * digits are bytes, two digits each; '#' begins a comment; a word or bytes followed by "*40" stand
 * there 40 times; 'text' stands for itself. All other files are taken as they are.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "fuzz/fuzz.h"

/* For one input; sanitizers and valgrind make it slow. */
enum { SECONDS = 120 };

struct bytes {
	MS_VEC(uint8_t) at;
};

static void add(struct bytes *to, const void *from, size_t n)
{
	ms_vec_reserve(&to->at, n + 1);
	memcpy(to->at.at + to->at.n, from, n);
	to->at.n += n;
}

static void add_hex(struct bytes *to, const char *word, size_t n)
{
	char digits[3] = "";

	if (n > 2 && strncmp(word, "0x", 2) == 0) {
		uint64_t value = strtoull(word, NULL, 16);

		add(to, &value, sizeof(value));
		return;
	}
	if (n % 2 != 0 || strspn(word, "0123456789abcdefABCDEF") < n)
		fuzz_fail("found '%.*s', expected 0xWORD, pairs of hexadecimal digits or 'text'",
			  (int)n, word);
	for (size_t i = 0; i < n; i += 2) {
		memcpy(digits, word + i, 2);
		uint8_t byte = (uint8_t)strtoul(digits, NULL, 16);

		add(to, &byte, 1);
	}
}

/* One word of text at *at, which is advanced. */
static void add_word(struct bytes *to, const char **at)
{
	size_t before = to->at.n, n;

	if (**at == '\'') {
		n = strcspn(*at + 1, "'\n");
		add(to, *at + 1, n);
		n += 2;
	} else {
		n = strcspn(*at, " \t\n#*");
		add_hex(to, *at, n);
	}
	*at += n;
	if (**at != '*')
		return;
	char *end;
	unsigned long times = strtoul(*at + 1, &end, 10);
	size_t size = to->at.n - before;
	for (unsigned long i = 1; i < times; i++) {
		ms_vec_reserve(&to->at, size);
		memcpy(to->at.at + to->at.n, to->at.at + before, size);
		to->at.n += size;
	}
	*at = end;
}

static void decode(const struct bytes *text, struct bytes *out)
{
	const char *at = (const char *)text->at.at;

	while (*at != '\0') {
		if (*at == '#')
			at += strcspn(at, "\n");
		else if (isspace((unsigned char)*at))
			at++;
		else
			add_word(out, &at);
	}
}

static void read_input(const char *path, struct bytes *out)
{
	struct bytes raw = { 0 };
	FILE *file = fopen(path, "rb");
	uint8_t buffer[4096];
	size_t n, length = strlen(path);

	if (file == NULL)
		fuzz_fail("%s: cannot be opened", path);
	add(&raw, "", 0);
	while ((n = fread(buffer, 1, sizeof(buffer), file)) > 0)
		add(&raw, buffer, n);
	fclose(file);
	add(out, "", 0);
	if (length > 4 && strcmp(path + length - 4, ".hex") == 0)
		decode(&raw, out);
	else
		add(out, raw.at.at, raw.at.n);
	ms_vec_free(&raw.at);
}

static void unpack(const char *folder, const char *path, const struct bytes *input)
{
	char to[4096];
	const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;

	snprintf(to, sizeof(to), "%s/%s", folder, name);
	FILE *file = fopen(to, "wb");
	if (file == NULL || fwrite(input->at.at, 1, input->at.n, file) != input->at.n ||
	    fclose(file) != 0)
		fuzz_fail("%s: cannot be written", to);
}

int main(int argc, char **argv)
{
	const char *folder = argc > 2 && strcmp(argv[1], "--unpack") == 0 ? argv[2] : NULL;

	for (int i = folder != NULL ? 3 : 1; i < argc; i++) {
		struct bytes input = { 0 };
		uint8_t *exact;

		read_input(argv[i], &input);
		/* Just as large as it is, so that a sanitizer sees who reads on. */
		exact = malloc(input.at.n > 0 ? input.at.n : 1);
		memcpy(exact, input.at.at, input.at.n);
		printf("%s: %zu bytes\n", argv[i], input.at.n);
		fflush(stdout);
		alarm(SECONDS);
		if (folder != NULL)
			unpack(folder, argv[i], &input);
		else
			LLVMFuzzerTestOneInput(exact, input.at.n);
		alarm(0);
		free(exact);
		ms_vec_free(&input.at);
	}
	return 0;
}
