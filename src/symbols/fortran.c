/* symbols/fortran.c - finds the object that allocate(a(n, m), b(n), stat = err) allocates. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "symbols/receiver_priv.h"
#include "symbols/statement_priv.h"
#include "symbols/stripped_source_priv.h"

enum { LONGEST = 8 * 1024 };

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The '(' of the allocate statement that begins at or before `p`; NULL if there is none. */
static const char *find_allocate(const struct ms_symbols_source *s, uint32_t line)
{
	const char *end = s->text + s->size;

	/* A statement may begin on earlier lines, which then end in '&'. */
	for (uint32_t back = 0; back < 40 && back < line; back++) {
		const char *from = s->text + s->lines.at[line - 1 - back];
		const char *stop =
			line - back < s->lines.n ? s->text + s->lines.at[line - back] : end;

		for (const char *p = from; p + 8 < stop; p++) {
			if (strncasecmp(p, "allocate", 8) != 0 || (p > from && is_name_char(p[-1])))
				continue;
			for (p += 8; p < stop && isspace((unsigned char)*p); p++)
				continue;
			if (p < stop && *p == '(')
				return p;
		}
	}
	return NULL;
}

/* Adds "a", "%", "b" of "a%b(n)"; false for "stat = x". */
static bool add_object(struct ms_symbols_statement *s, const char *from, const char *to)
{
	const char *p = from;

	s->tokens.n = 0;
	while (p < to) {
		struct ms_symbols_token t = { MS_TOKEN_PUNCT, p, 1 };

		if (*p == '=')
			return false;
		if (isspace((unsigned char)*p) || *p == '&') {
			p++;
			continue;
		}
		/* "allocate(real(8) :: a(n))": the text before "::" is a type. */
		if (*p == ':' && p + 1 < to && p[1] == ':') {
			s->tokens.n = 0;
			p += 2;
			continue;
		}
		if (is_name_char(*p)) {
			t.kind = MS_TOKEN_WORD;
			while (p + t.n < to && is_name_char(p[t.n]))
				t.n++;
		} else if (*p == '(') {
			int depth = 0;

			for (; p < to; p++) {
				depth += (*p == '(') - (*p == ')');
				if (depth == 0)
					break;
			}
			p++;
			continue;
		}
		*ms_vec_add(&s->tokens) = t;
		p += t.n;
	}
	return s->tokens.n > 0;
}

/* The number of objects in the list after `open`, without options such as stat=... */
static unsigned count_objects(const char *open, const char *end)
{
	bool option = false;
	unsigned n = 0;
	int depth = 0;

	for (const char *p = open; p < end && p - open < LONGEST; p++) {
		depth += (*p == '(') - (*p == ')');
		option = option || (depth == 1 && *p == '=');
		if ((*p != ',' || depth != 1) && depth != 0)
			continue;
		n += !option;
		option = false;
		if (depth == 0)
			break;
	}
	return n;
}

/*
 * gfortran's columns point to somewhere after the objects, and it emits one call per object. So the
 * objects of one statement cannot be distinguished. If there are several, the function finds none,
 * because no name is better than a wrong name.
 */
bool ms_symbols_fortran_find(struct ms_symbols_statement *s, const struct ms_symbols_source *source,
			     uint32_t line, struct ms_symbols_receipt *out)
{
	const char *end = source->text + source->size, *open;

	*out = (struct ms_symbols_receipt){ .kind = MS_RECEIPT_EXPRESSION };
	if (line == 0 || line > source->lines.n || (open = find_allocate(source, line)) == NULL ||
	    count_objects(open, end) != 1)
		return false;

	const char *stop = open;
	for (int depth = 0; stop < end && stop - open < LONGEST; stop++) {
		depth += (*stop == '(') - (*stop == ')');
		if (depth == 0 || (depth == 1 && *stop == ','))
			break;
	}
	if (!add_object(s, open + 1, stop))
		return false;
	out->last = s->tokens.n - 1;
	return true;
}
