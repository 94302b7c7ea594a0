/*
 * base/distinct_cuts.c - cuts texts of a column so that different ones stay different.
 *
 * Names of data in libraries often have the same end: "array_new (multiarray.so) < call_function <
 * main:3". Of names that are equal after they are cut, the other end is shown, or both ends, or the
 * text from the first difference on.
 */
#include "base/distinct_cuts.h"

#include <string.h>

#include "base/text.h"
#include "base/vec.h"

/* Lists with more rows are for programs, which use CSV. */
enum { MOST_TEXTS = 1000 };

struct alike {
	MS_VEC(size_t) rows;
	MS_VEC(const char *) shown;
};

static const char *fit(struct ms_arena *arena, const char *text, size_t width, enum ms_utf8_cut cut)
{
	struct ms_text shown = MS_TEXT_INIT;

	ms_utf8_fit(&shown, text, width, cut);
	const char *fitted = ms_arena_strdup(arena, ms_text_get(&shown));
	ms_text_free(&shown);
	return fitted;
}

/* Whether different texts are shown differently. */
static bool are_distinct(const struct alike *group, const char *const *texts)
{
	for (size_t i = 0; i < group->rows.n; i++)
		for (size_t k = i + 1; k < group->rows.n; k++)
			if (strcmp(group->shown.at[i], group->shown.at[k]) == 0 &&
			    strcmp(texts[group->rows.at[i]], texts[group->rows.at[k]]) != 0)
				return false;
	return true;
}

static bool try_cut(struct ms_arena *arena, struct alike *group, const char *const *texts,
		    size_t width, enum ms_utf8_cut cut)
{
	group->shown.n = 0;
	for (size_t i = 0; i < group->rows.n; i++)
		*ms_vec_add(&group->shown) = fit(arena, texts[group->rows.at[i]], width, cut);
	return are_distinct(group, texts);
}

/* The number of bytes with which all texts of the group begin, as whole characters. */
static size_t common_start(const struct alike *group, const char *const *texts)
{
	const char *first = texts[group->rows.at[0]];
	size_t same = strlen(first);

	for (size_t i = 1; i < group->rows.n; i++) {
		const char *text = texts[group->rows.at[i]];
		size_t n = 0;

		while (n < same && text[n] == first[n])
			n++;
		same = n;
	}
	while (same > 0 && ((unsigned char)first[same] & 0xc0) == 0x80)
		same--;
	return same;
}

/*
 * From the first difference on, with a little of what is before it. Where the end matters most, it
 * has half of the width.
 */
static void show_difference(struct ms_arena *arena, struct alike *group, const char *const *texts,
			    size_t width, enum ms_utf8_cut cut)
{
	enum { BEFORE = 2 };
	enum ms_utf8_cut inner = cut == MS_CUT_START ? MS_CUT_HALVES : MS_CUT_END;
	size_t from = common_start(group, texts);

	from = from > BEFORE ? from - BEFORE : 0;
	while (from > 0 && ((unsigned char)texts[group->rows.at[0]][from] & 0xc0) == 0x80)
		from--;
	group->shown.n = 0;
	for (size_t i = 0; i < group->rows.n; i++) {
		const char *end = fit(arena, texts[group->rows.at[i]] + from, width - 1, inner);
		struct ms_text shown = MS_TEXT_INIT;

		ms_text_addf(&shown, "%s%s", from > 0 ? ms_utf8_ellipsis() : "", end);
		*ms_vec_add(&group->shown) = ms_arena_strdup(arena, ms_text_get(&shown));
		ms_text_free(&shown);
	}
}

static void separate(struct ms_arena *arena, struct alike *group, const char **texts, size_t width,
		     enum ms_utf8_cut cut)
{
	enum ms_utf8_cut other = cut == MS_CUT_START ? MS_CUT_END : MS_CUT_START;

	if (!try_cut(arena, group, texts, width, other) &&
	    !try_cut(arena, group, texts, width, MS_CUT_MIDDLE))
		show_difference(arena, group, texts, width, cut);
	for (size_t i = 0; i < group->rows.n; i++)
		texts[group->rows.at[i]] = group->shown.at[i];
}

void ms_table_cut_distinctly(struct ms_arena *arena, const char **texts, size_t n, size_t width,
			     enum ms_utf8_cut cut)
{
	enum { NARROWEST = 8 };
	struct alike group = { 0 };
	MS_VEC(const char *) cuts = { 0 };

	for (size_t i = 0; i < n && n <= MOST_TEXTS && width >= NARROWEST; i++)
		*ms_vec_add(&cuts) = texts[i] != NULL && ms_utf8_width(texts[i]) > width
					     ? fit(arena, texts[i], width, cut)
					     : NULL;
	for (size_t i = 0; i < cuts.n; i++) {
		bool differ = false;

		group.rows.n = 0;
		for (size_t k = i; k < cuts.n && cuts.at[i] != NULL; k++) {
			if (cuts.at[k] == NULL || strcmp(cuts.at[i], cuts.at[k]) != 0)
				continue;
			*ms_vec_add(&group.rows) = k;
			differ = differ || strcmp(texts[i], texts[k]) != 0;
		}
		if (differ)
			separate(arena, &group, texts, width, cut);
		for (size_t k = 0; k < group.rows.n; k++)
			cuts.at[group.rows.at[k]] = NULL;
	}
	ms_vec_free(&cuts);
	ms_vec_free(&group.rows);
	ms_vec_free(&group.shown);
}
