/*
 * symbols/stripped_source.c - reads source files once, and blanks out everything that is not code.
 *
 * Blanks preserve lines and columns, so positions from DWARF remain valid.
 */
#include <ctype.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/module_priv.h"
#include "symbols/stripped_source_priv.h"
#include "symbols/units_priv.h"

enum { LARGEST_SOURCE = 64 * 1024 * 1024 };

static char *read_file(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	size_t n = 0;
	char *text = NULL;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= LARGEST_SOURCE) {
		text = ms_alloc((size_t)st.st_size + 1);
		while (n < (size_t)st.st_size) {
			ssize_t got = read(fd, text + n, (size_t)st.st_size - n);

			if (got <= 0)
				break;
			n += (size_t)got;
		}
	}
	close(fd);
	*size = n;
	return text;
}

static void blank(char *from, const char *to)
{
	for (; from < to; from++)
		if (*from != '\n')
			*from = ' ';
}

/* The position after the end of the line at or after p; lines that end in '\' continue. */
static char *line_end(char *p, const char *end)
{
	while (p < end && !(*p == '\n' && p[-1] != '\\'))
		p++;
	return p;
}

static char *behind_block_comment(char *p, const char *end, bool nested)
{
	int depth = 1;

	for (p += 2; p < end && depth > 0; p++) {
		if (p + 1 < end && p[0] == '*' && p[1] == '/') {
			depth--;
			p++;
		} else if (nested && p + 1 < end && p[0] == '/' && p[1] == '*') {
			depth++;
			p++;
		}
	}
	return p;
}

static char *behind_quotes(char *p, const char *end)
{
	char quote = *p++;

	while (p < end && *p != quote && (*p != '\n' || quote == '"'))
		p += *p == '\\' && p + 1 < end ? 2 : 1;
	return p < end ? p + 1 : p;
}

/* C++: R"tag( ... )tag"; Rust: r#" ... "#. p is at the quote; NULL: not a raw string. */
static char *behind_raw(char *text, char *p, char *end, enum ms_symbols_lang lang)
{
	char close[32] = "";
	char *r = p;

	if (lang == MS_LANG_CPP && p > text && p[-1] == 'R') {
		char *open = memchr(p, '(', (size_t)(end - p));

		if (open == NULL || open - p > 17)
			return NULL;
		close[0] = ')';
		memcpy(close + 1, p + 1, (size_t)(open - p - 1));
		strcat(close, "\"");
	} else if (lang == MS_LANG_RUST) {
		while (r > text && r[-1] == '#' && p - r < 8)
			r--;
		if (r == text || r[-1] != 'r')
			return NULL;
		close[0] = '"';
		memset(close + 1, '#', (size_t)(p - r));
	} else {
		return NULL;
	}
	char *found = memmem(p + 1, (size_t)(end - p - 1), close, strlen(close));
	return found != NULL ? found + strlen(close) : end;
}

/*
 * In Rust a quote may begin a lifetime, in C++ it may separate digits: then it is not a character.
 */
static bool is_character(const char *text, const char *p, const char *end,
			 enum ms_symbols_lang lang)
{
	if (lang == MS_LANG_RUST)
		return p + 2 < end && (p[1] == '\\' || p[2] == '\'');
	return p == text || !isxdigit((unsigned char)p[-1]) || !isalnum((unsigned char)p[1]) ||
	       (p + 2 < end && p[2] == '\'');
}

static bool starts_line(const char *text, const char *p)
{
	while (p > text && (p[-1] == ' ' || p[-1] == '\t'))
		p--;
	return p == text || p[-1] == '\n';
}

/* Records the name of "#define NAME(...". */
static void add_macro(struct ms_symbols_module *m, struct ms_symbols_source *s, const char *p,
		      const char *end)
{
	static const char keyword[] = "define";
	const char *name;

	for (p++; p < end && (*p == ' ' || *p == '\t'); p++)
		continue;
	if ((size_t)(end - p) <= strlen(keyword) || strncmp(p, keyword, strlen(keyword)) != 0)
		return;
	for (p += strlen(keyword); p < end && (*p == ' ' || *p == '\t'); p++)
		continue;
	for (name = p; p < end && (isalnum((unsigned char)*p) || *p == '_'); p++)
		continue;
	if (p == name || p == end || *p != '(')
		return;
	char *text = ms_strndup(name, (size_t)(p - name));
	*ms_vec_add(&s->macros) = ms_intern(&m->names, text);
	ms_free(text);
}

static void find_macros(struct ms_symbols_module *m, struct ms_symbols_source *s)
{
	const char *p = s->text, *end = s->text + s->size;

	while (p < end) {
		const char *next = memchr(p, '\n', (size_t)(end - p));

		next = next != NULL ? next : end;
		while (p < next && (*p == ' ' || *p == '\t'))
			p++;
		if (p < next && *p == '#')
			add_macro(m, s, p, next);
		p = next + 1;
	}
}

static void clean_c(char *text, size_t n, enum ms_symbols_lang lang)
{
	char *p = text, *end = text + n;

	while (p < end) {
		char *from = p, *raw;

		if (*p == '/' && p + 1 < end && p[1] == '/') {
			p = line_end(p, end);
			blank(from, p);
		} else if (*p == '/' && p + 1 < end && p[1] == '*') {
			p = behind_block_comment(p, end, lang == MS_LANG_RUST);
			blank(from, p);
		} else if (*p == '#' && lang != MS_LANG_RUST && starts_line(text, p)) {
			p = line_end(p, end);
			blank(from, p);
		} else if (*p == '"') {
			raw = behind_raw(text, p, end, lang);
			p = raw != NULL ? raw : behind_quotes(p, end);
			blank(from + 1, p - 1 > from ? p - 1 : from + 1);
		} else if (*p == '\'' && is_character(text, p, end, lang)) {
			p = behind_quotes(p, end);
			blank(from + 1, p - 1 > from ? p - 1 : from + 1);
		} else {
			p++;
		}
	}
}

/* Fortran: '!' comments, and lines of fixed form that begin with C or '*'. */
static void clean_fortran(char *text, size_t n, bool fixed)
{
	char *p = text, *end = text + n;
	bool line_start = true;

	while (p < end) {
		char *from = p;

		if (*p == '!' || (fixed && line_start && strchr("cC*", *p) != NULL && *p)) {
			while (p < end && *p != '\n')
				p++;
			blank(from, p);
		} else if (*p == '"' || *p == '\'') {
			for (p++; p < end && *p != *from && *p != '\n'; p++)
				*p = ' ';
			p += p < end;
		} else {
			p++;
		}
		line_start = p > text && p[-1] == '\n';
	}
}

static void clean(struct ms_symbols_source *s, enum ms_symbols_lang lang)
{
	const char *dot = strrchr(s->path, '.');

	if (lang == MS_LANG_FORTRAN)
		clean_fortran(s->text, s->size,
			      dot != NULL &&
				      (strcasecmp(dot, ".f") == 0 || strcasecmp(dot, ".for") == 0));
	else
		clean_c(s->text, s->size, lang);
}

const struct ms_symbols_source *ms_symbols_source_get(struct ms_symbols_module *m, const char *path,
						      enum ms_symbols_lang lang)
{
	for (size_t i = 0; i < m->sources.n; i++)
		if (strcmp(m->sources.at[i]->path, path) == 0)
			return m->sources.at[i]->text != NULL ? m->sources.at[i] : NULL;

	struct ms_symbols_source *s = ms_alloc(sizeof(*s));
	*ms_vec_add(&m->sources) = s;
	s->path = ms_intern(&m->names, path);
	s->text = read_file(path, &s->size);
	if (s->text == NULL)
		return NULL;
	if (lang == MS_LANG_C || lang == MS_LANG_CPP)
		find_macros(m, s);
	clean(s, lang);
	*ms_vec_add(&s->lines) = 0;
	for (size_t i = 0; i < s->size; i++)
		if (s->text[i] == '\n' && i + 1 < s->size)
			*ms_vec_add(&s->lines) = i + 1;
	return s;
}

uint64_t ms_symbols_module_missing_sources(const struct ms_symbols_module *m, const char **file)
{
	uint64_t n = 0;

	for (size_t i = 0; i < m->sources.n; i++)
		if (m->sources.at[i]->text == NULL && n++ == 0)
			*file = m->sources.at[i]->path;
	return n;
}

void ms_symbols_sources_free(struct ms_symbols_module *m)
{
	for (size_t i = 0; i < m->sources.n; i++) {
		ms_free(m->sources.at[i]->text);
		ms_vec_free(&m->sources.at[i]->lines);
		ms_vec_free(&m->sources.at[i]->macros);
		ms_free(m->sources.at[i]);
	}
	ms_vec_free(&m->sources);
}
