#include "store/packed_evictions.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#define AT(field) offsetof(struct ms_store_packed_row, field)
static const struct ms_run_field fields[] = {
	{ "cell", MS_FIELD_INDEX, AT(cell), offsetof(struct ms_run, cells), NULL },
	{ "level", MS_FIELD_INDEX, AT(level), offsetof(struct ms_run, levels), NULL },
	{ "evictors", MS_FIELD_MAYBE_TEXT, AT(evictors), 0, NULL },
	{ "victims", MS_FIELD_MAYBE_TEXT, AT(victims), 0, NULL },
	{ NULL, MS_FIELD_U32, 0, 0, NULL },
};
#undef AT

const struct ms_run_table ms_store_replacement_table = {
	.table = "replacement",
	.order = "cell, level",
	.size = sizeof(struct ms_store_packed_row),
	.fields = fields,
	.counts = true,
};

int ms_store_packed_keys(const struct ms_run_table *stored)
{
	int n = 0;

	while (stored->fields[n].column != NULL)
		n++;
	assert(n - 2 <= MS_PACKED_KEYS);
	return n - 2;
}

/* --- encoding --- */

/* Writes the digits before `end`; returns where they begin. */
static char *write_number(char *end, uint64_t value)
{
	do
		*--end = (char)('0' + value % 10);
	while ((value /= 10) > 0);
	return end;
}

void ms_store_packed_add(struct ms_text *text, bool is_first, uint32_t key, uint64_t count)
{
	char buffer[48];
	char *end = buffer + sizeof(buffer), *at = write_number(end, count);

	*--at = ':';
	*--at = '"';
	at = write_number(at, key);
	*--at = '"';
	*--at = is_first ? '{' : ',';
	ms_text_add_n(text, at, (size_t)(end - at));
}

void ms_store_packed_add_end(struct ms_text *text)
{
	ms_text_add_n(text, "}", sizeof("}"));
}

/* The common layout of elements of `replaced` and `evictions`. */
struct packed_pair {
	uint32_t cell, level, data;
	uint64_t count;
};

struct packed_pairs {
	struct ms_run_any_vec rows;
	size_t at; /* the next one */
};

#define LOOKS_ALIKE(type, other)                                                               \
	static_assert(                                                                         \
		sizeof(struct packed_pair) == sizeof(struct type) &&                           \
			offsetof(struct packed_pair, level) == offsetof(struct type, level) && \
			offsetof(struct packed_pair, data) == offsetof(struct type, other) &&  \
			offsetof(struct packed_pair, count) == offsetof(struct type, count),   \
		"pairs look alike")
LOOKS_ALIKE(ms_run_replaced, evictor);
LOOKS_ALIKE(ms_run_eviction, victim);

static bool peek(const struct packed_pairs *pairs, struct packed_pair *pair, uint64_t *key)
{
	*key = UINT64_MAX;
	if (pairs->at == pairs->rows.n)
		return false;
	memcpy(pair, pairs->rows.at + pairs->at * sizeof(*pair), sizeof(*pair));
	*key = (uint64_t)pair->cell << 32 | pair->level;
	return true;
}

/* All next pairs of the key, as one text. 0: there are none; else 1 + its start. */
static size_t add_pairs(struct ms_text *text, struct packed_pairs *pairs, uint64_t key)
{
	size_t begin = text->n;
	struct packed_pair pair;
	uint64_t found;

	while (peek(pairs, &pair, &found) && found == key) {
		ms_store_packed_add(text, text->n == begin, pair.data, pair.count);
		pairs->at++;
	}
	if (text->n == begin)
		return 0;
	ms_store_packed_add_end(text);
	return 1 + begin;
}

/* The starts of texts: pointers would not stay valid while the whole text grows. */
struct row_starts {
	size_t evictors, victims;
};

struct all_row_starts {
	MS_VEC(struct row_starts) at;
};

/* The text does not grow any more. */
static void set_texts(struct ms_store_packed *packed, const struct all_row_starts *begins)
{
	for (size_t i = 0; i < begins->at.n; i++) {
		const struct row_starts *begin = &begins->at.at[i];
		struct ms_store_packed_row *row = &packed->rows.at[i];

		if (begin->evictors != 0)
			row->evictors = packed->text.at + begin->evictors - 1;
		if (begin->victims != 0)
			row->victims = packed->text.at + begin->victims - 1;
	}
}

bool ms_store_packed_make(struct ms_store_packed *packed, const struct ms_run *run,
			  struct ms_store_packed_position *from, size_t bytes)
{
	struct packed_pairs replaced = { ms_run_vec(run, offsetof(struct ms_run, replaced)),
					 from->replaced };
	struct packed_pairs evictions = { ms_run_vec(run, offsetof(struct ms_run, evictions)),
					  from->evictions };
	struct all_row_starts begins = { MS_VEC_INIT };
	struct packed_pair pair;
	uint64_t key, other;

	*packed = (struct ms_store_packed){ .text = MS_TEXT_INIT };
	while (bytes == 0 || packed->text.n < bytes) {
		bool any = peek(&replaced, &pair, &key);

		if (!peek(&evictions, &pair, &other) && !any)
			break;
		key = key < other ? key : other;
		*ms_vec_add(&packed->rows) = (struct ms_store_packed_row){
			.cell = (uint32_t)(key >> 32),
			.level = (uint32_t)key,
		};
		struct row_starts *row = ms_vec_add(&begins.at);
		row->evictors = add_pairs(&packed->text, &replaced, key);
		row->victims = add_pairs(&packed->text, &evictions, key);
	}
	set_texts(packed, &begins);
	ms_vec_free(&begins.at);
	*from = (struct ms_store_packed_position){ replaced.at, evictions.at };
	return packed->rows.n > 0;
}

void ms_store_packed_free(struct ms_store_packed *packed)
{
	ms_text_free(&packed->text);
	ms_vec_free(&packed->rows);
}

/* --- decoding --- */

static bool skip(const char *text, size_t n, size_t *at, char c)
{
	if (*at == n || text[*at] != c)
		return false;
	++*at;
	return true;
}

/* The canonical form only: the first digit is not 0, unless it is the only one. */
static bool read_number(const char *text, size_t n, size_t *at, uint64_t *value)
{
	size_t begin = *at;

	for (*value = 0; *at < n && isdigit((unsigned char)text[*at]); ++*at) {
		uint64_t digit = (uint64_t)(text[*at] - '0');

		if (*value > (UINT64_MAX - digit) / 10)
			return false;
		*value = *value * 10 + digit;
	}
	return *at > begin && (text[begin] != '0' || *at == begin + 1);
}

bool ms_store_packed_next(const char *text, size_t n, size_t *at, uint32_t *data, uint64_t *count)
{
	size_t place = *at;
	uint64_t number;

	if (!skip(text, n, &place, place == 0 ? '{' : ',') || !skip(text, n, &place, '"') ||
	    !read_number(text, n, &place, &number) || number > UINT32_MAX ||
	    !skip(text, n, &place, '"') || !skip(text, n, &place, ':') ||
	    !read_number(text, n, &place, count))
		return false;
	*data = (uint32_t)number;
	if (place == n)
		return false; /* another pair must follow */
	*at = place + 1 == n && text[place] == '}' ? n : place;
	return true;
}
