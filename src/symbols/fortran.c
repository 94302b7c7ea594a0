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

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

static const char *line_start(const struct ms_symbols_source *s, uint32_t line)
{
	return s->text + s->lines.at[line - 1];
}

static const char *line_end(const struct ms_symbols_source *s, uint32_t line)
{
	return line < s->lines.n ? s->text + s->lines.at[line] : s->text + s->size;
}

/* Whether a line continues the one before it: '&' at that one's end, or in column 6 of this one. */
static bool is_continuation(const struct ms_symbols_source *s, uint32_t line)
{
	const char *from = line_start(s, line), *last;

	if (line < 2)
		return false;
	for (last = from; last > s->text && isspace((unsigned char)last[-1]); last--)
		continue;
	if (last > line_start(s, line - 1) && last[-1] == '&')
		return true;
	return line_end(s, line) - from > 6 && strncmp(from, "     ", 5) == 0 && from[5] == '&';
}

/* The first line of the statement that is at or ends at this line. */
static uint32_t statement_line(const struct ms_symbols_source *s, uint32_t line)
{
	for (unsigned back = 0; back < 40 && is_continuation(s, line); back++)
		line--;
	return line;
}

/* The '(' of the next allocate statement in [p, end); NULL if there is none. */
static const char *find_allocate(const char *from, const char *p, const char *end)
{
	for (; p + 8 < end; p++) {
		if (strncasecmp(p, "allocate", 8) != 0 || (p > from && is_name_char(p[-1])))
			continue;
		p = skip_blanks(p + 8, end);
		if (p < end && *p == '(')
			return p;
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

/* One object of an allocate statement: "a(n, m)". */
struct object {
	const char *from, *to;
};

enum { MOST_OBJECTS = 256 };

/* Adds the objects of the list after `open`, without options such as stat=...; returns its end. */
static const char *add_objects(const char *open, const char *end, struct object *objects, size_t *n)
{
	const char *from = open + 1, *p;
	bool option = false;
	int depth = 0;

	for (p = open; p < end && p - open < LONGEST; p++) {
		depth += (*p == '(') - (*p == ')');
		option = option || (depth == 1 && *p == '=');
		if ((*p != ',' || depth != 1) && depth != 0)
			continue;
		if (!option && *n < MOST_OBJECTS)
			objects[(*n)++] = (struct object){ from, p };
		option = false;
		from = p + 1;
		if (depth == 0)
			break;
	}
	return p;
}

/* "a%b = ...": what is before '=' of an assignment that is the only statement of the line. */
static bool find_assigned(const struct ms_symbols_source *source, uint32_t line,
			  struct object *object)
{
	const char *from = skip_blanks(line_start(source, line), line_end(source, line));
	const char *end = line_end(source, line);
	int depth = 0;

	for (const char *p = from; p < end && *p != ';'; p++) {
		depth += (*p == '(') - (*p == ')');
		if (depth != 0 || *p != '=')
			continue;
		if (p == from || strchr("=<>/", p[-1]) != NULL || strchr("=>", p[1]) != NULL)
			return false;
		*object = (struct object){ from, p };
		return memchr(p, ';', (size_t)(end - p)) == NULL;
	}
	return false;
}

/*
 * gfortran's columns point to somewhere after the objects. It emits one call per object, so the
 * order of the calls distinguishes the objects. If there are not as many calls as objects (a call
 * is made for a temporary or a component, too), no name is better than a wrong name.
 */
bool ms_symbols_fortran_find(struct ms_symbols_statement *s, const struct ms_symbols_source *source,
			     uint32_t line, unsigned rank, unsigned count,
			     struct ms_symbols_receipt *out)
{
	struct object objects[MOST_OBJECTS];
	size_t n = 0;

	*out = (struct ms_symbols_receipt){ .kind = MS_RECEIPT_EXPRESSION };
	if (line == 0 || line > source->lines.n)
		return false;

	uint32_t first = statement_line(source, line);
	const char *from = line_start(source, first), *end = source->text + source->size;
	const char *open = find_allocate(from, from, line_end(source, line));
	while (open != NULL) {
		const char *close = add_objects(open, end, objects, &n);

		open = close < end ? find_allocate(from, close, line_end(source, line)) : NULL;
	}
	if (n == 0) {
		n = find_assigned(source, first, &objects[0]);
		out->array = true;
	}
	/* Code that was copied has all calls once more. */
	if (n == 0 || count % n != 0 ||
	    !add_object(s, objects[rank % n].from, objects[rank % n].to))
		return false;
	out->last = s->tokens.n - 1;
	return true;
}
