#include "base/opt.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/near.h"
#include "base/num.h"
#include "base/text.h"

enum { ENV_NAME = 64, SHOWN = 64, LEFT_MAX = 34 };

/* The position of a walk over argv, and where its results go. */
struct option_walk {
	const struct ms_opt_set *set;
	int argc;
	char *const *argv;
	int at;
	char *into;
	MS_VEC(const struct ms_opt *) given; /* rows seen on the command line */
	struct ms_err *err;
};

/* --- rows ----------------------------------------------------------------------------------- */

/* Iterates over the rows of all tables, in order. */
struct rows {
	const struct ms_opt *const *table;
	const struct ms_opt *row;
};

static struct rows first_row(const struct ms_opt_set *set)
{
	return (struct rows){ set->tables, set->tables != NULL ? set->tables[0] : NULL };
}

static const struct ms_opt *next_row(struct rows *rows)
{
	while (rows->row != NULL && rows->row->name == NULL)
		rows->row = *++rows->table;
	return rows->row != NULL ? rows->row++ : NULL;
}

static const struct ms_opt *find_name(const struct ms_opt_set *set, const char *name, size_t n)
{
	struct rows rows = first_row(set);
	const struct ms_opt *row;

	while ((row = next_row(&rows)) != NULL)
		if (strlen(row->name) == n && memcmp(row->name, name, n) == 0)
			return row;
	return NULL;
}

static const struct ms_opt *find_letter(const struct ms_opt_set *set, char letter)
{
	struct rows rows = first_row(set);
	const struct ms_opt *row;

	while ((row = next_row(&rows)) != NULL)
		if (row->letter == letter)
			return row;
	return NULL;
}

static bool takes_value(const struct ms_opt *row)
{
	return row->kind != MS_OPT_FLAG;
}

static const char *value_name(const struct ms_opt *row)
{
	if (!takes_value(row))
		return NULL;
	if (row->value != NULL)
		return row->value;
	return row->choices != NULL ? row->choices : "VALUE";
}

/* --- values --------------------------------------------------------------------------------- */

/* `shown` is the user's form of the option: "--top", "-n" or "MEMSPY_TOP". */
struct value {
	const struct ms_opt *row;
	const char *shown;
	const char *text;
	void *field;
	struct ms_err *err;
};

static bool has_bounds(const struct ms_opt *row)
{
	return row->min != 0 || row->max != 0;
}

static bool in_bounds(const struct ms_opt *row, double value)
{
	if (!has_bounds(row))
		return true;
	return value >= row->min && (row->max < row->min || value <= row->max);
}

static char *bound_text(const struct ms_opt *row, double bound, char out[MS_NUM_TEXT])
{
	if (row->kind == MS_OPT_SIZE)
		return ms_format_size((uint64_t)bound, out);
	snprintf(out, MS_NUM_TEXT, row->kind == MS_OPT_NUMBER ? "%.0f" : "%g", bound);
	return out;
}

static int bad_number(const struct value *v, const char *what)
{
	char min[MS_NUM_TEXT];
	char max[MS_NUM_TEXT];

	if (!has_bounds(v->row))
		return ms_fail(v->err, MS_EUSAGE, "%s expects %s, not '%s'", v->shown, what,
			       v->text);
	bound_text(v->row, v->row->min, min);
	if (v->row->max < v->row->min)
		return ms_fail(v->err, MS_EUSAGE, "%s expects %s of at least %s, not '%s'",
			       v->shown, what, min, v->text);
	bound_text(v->row, v->row->max, max);
	return ms_fail(v->err, MS_EUSAGE, "%s expects %s from %s to %s, not '%s'", v->shown, what,
		       min, max, v->text);
}

static int set_flag(const struct value *v)
{
	static const char *const no[] = { "0", "no", "false", "off" };
	static const char *const yes[] = { "1", "yes", "true", "on" };
	bool *field = v->field;

	for (size_t i = 0; i < MS_COUNT(yes); i++) {
		if (strcmp(v->text, yes[i]) == 0 || strcmp(v->text, no[i]) == 0) {
			*field = strcmp(v->text, yes[i]) == 0;
			return MS_OK;
		}
	}
	return ms_fail(v->err, MS_EUSAGE, "%s expects 1 or 0, not '%s'", v->shown, v->text);
}

static int set_number(const struct value *v)
{
	uint64_t number;

	if (!ms_parse_u64(v->text, &number) || !in_bounds(v->row, (double)number))
		return bad_number(v, "a number");
	*(uint64_t *)v->field = number;
	return MS_OK;
}

static int set_size(const struct value *v)
{
	uint64_t size;

	if (!ms_parse_size(v->text, &size) || !in_bounds(v->row, (double)size))
		return bad_number(v, "a size");
	*(uint64_t *)v->field = size;
	return MS_OK;
}

static int set_real(const struct value *v)
{
	char *end;
	double real = strtod(v->text, &end);
	bool whole = end != v->text && *end == '\0' && !isspace((unsigned char)v->text[0]);

	if (!whole || !isfinite(real) || !in_bounds(v->row, real))
		return bad_number(v, "a number");
	*(double *)v->field = real;
	return MS_OK;
}

static int set_text(const struct value *v)
{
	*(const char **)v->field = v->text;
	return MS_OK;
}

/* The choices as a phrase: "auto, always or never". */
static void spell_choices(const char *choices, struct ms_text *out)
{
	size_t count = 1, i = 0;

	for (const char *at = choices; *at != '\0'; at++)
		count += *at == '|';
	for (const char *at = choices; *at != '\0'; i++) {
		size_t n = strcspn(at, "|");

		ms_text_addf(out, "%s%.*s", ms_text_choice_separator(i, count), (int)n, at);
		at += at[n] == '|' ? n + 1 : n;
	}
}

static int set_word(const struct value *v)
{
	size_t n = strlen(v->text);
	struct ms_text spelled = MS_TEXT_INIT;

	for (const char *at = v->row->choices; *at != '\0';) {
		size_t m = strcspn(at, "|");

		if (n == m && memcmp(at, v->text, n) == 0)
			return set_text(v);
		at += at[m] == '|' ? m + 1 : m;
	}
	spell_choices(v->row->choices, &spelled);
	int code = ms_fail(v->err, MS_EUSAGE, "%s expects %s, not '%s'", v->shown,
			   ms_text_get(&spelled), v->text);
	ms_text_free(&spelled);
	return code;
}

static int add_word(const struct value *v)
{
	struct ms_opt_list *list = v->field;

	*ms_vec_add(&list->words) = v->text;
	return MS_OK;
}

static int (*const setters[])(const struct value *v) = {
	[MS_OPT_FLAG] = set_flag, [MS_OPT_NUMBER] = set_number, [MS_OPT_SIZE] = set_size,
	[MS_OPT_REAL] = set_real, [MS_OPT_TEXT] = set_text,     [MS_OPT_WORD] = set_word,
	[MS_OPT_LIST] = add_word,
};

static int set(struct option_walk *w, const struct ms_opt *row, const char *shown, const char *text)
{
	struct value v = { row, shown, text, w->into + row->offset, w->err };

	return setters[row->kind](&v);
}

/* --- the command line ----------------------------------------------------------------------- */

/* The value of an option: the rest of the same word, or else the next word. */
static int take_value(struct option_walk *w, const struct ms_opt *row, const char *shown,
		      const char *attached)
{
	*ms_vec_add(&w->given) = row;
	if (attached != NULL)
		return set(w, row, shown, attached);
	if (w->at + 1 >= w->argc)
		return ms_fail(w->err, MS_EUSAGE, "%s needs a value: %s %s", shown, shown,
			       value_name(row));
	return set(w, row, shown, w->argv[++w->at]);
}

static int unknown_long(struct option_walk *w, const char *name, size_t n)
{
	char typed[SHOWN];
	struct ms_near near = { .word = typed };
	struct rows rows = first_row(w->set);
	const struct ms_opt *row;

	snprintf(typed, sizeof(typed), "%.*s", (int)n, name);
	while ((row = next_row(&rows)) != NULL)
		ms_near_try(&near, row->name);
	ms_near_try(&near, "help");
	if (near.best == NULL)
		return ms_fail(w->err, MS_EUSAGE, "unknown option '--%s'", typed);
	return ms_fail(w->err, MS_EUSAGE, "unknown option '--%s'; did you mean '--%s'?", typed,
		       near.best);
}

static int take_long(struct option_walk *w, const char *name)
{
	size_t n = strcspn(name, "=");
	const char *attached = name[n] == '=' ? name + n + 1 : NULL;
	const struct ms_opt *row = find_name(w->set, name, n);
	char shown[SHOWN];

	if (row == NULL)
		return unknown_long(w, name, n);
	snprintf(shown, sizeof(shown), "--%s", row->name);
	if (takes_value(row))
		return take_value(w, row, shown, attached);
	if (attached != NULL)
		return ms_fail(w->err, MS_EUSAGE, "%s takes no value, but '%s' was given", shown,
			       attached);
	*ms_vec_add(&w->given) = row;
	return set(w, row, shown, "1");
}

/* "-qn3": flags may be combined; the text after a letter with a value is the value. */
static int take_letters(struct option_walk *w, const char *letters)
{
	for (; *letters != '\0'; letters++) {
		const struct ms_opt *row = find_letter(w->set, *letters);
		const char shown[] = { '-', *letters, '\0' };

		if (row == NULL)
			return ms_fail(w->err, MS_EUSAGE, "unknown option '%s'", shown);
		if (takes_value(row))
			return take_value(w, row, shown, letters[1] != '\0' ? letters + 1 : NULL);
		*ms_vec_add(&w->given) = row;
		MS_TRY(set(w, row, shown, "1"));
	}
	return MS_OK;
}

static bool is_option(const char *word)
{
	return word[0] == '-' && word[1] != '\0';
}

static int take_all(struct option_walk *w, struct ms_words *rest)
{
	for (w->at = 1; w->at < w->argc; w->at++) {
		const char *word = w->argv[w->at];

		if (strcmp(word, "--") == 0) {
			w->at++;
			break;
		}
		if (is_option(word)) {
			MS_TRY(word[1] == '-' ? take_long(w, word + 2) : take_letters(w, word + 1));
			continue;
		}
		if (w->set->stop_at_word)
			break;
		*ms_vec_add(&rest->at) = word;
	}
	for (; w->at < w->argc; w->at++)
		*ms_vec_add(&rest->at) = w->argv[w->at];
	return MS_OK;
}

/* --- the environment ------------------------------------------------------------------------ */

static void env_name(const char *name, char out[ENV_NAME])
{
	size_t n = (size_t)snprintf(out, ENV_NAME, "MEMSPY_%s", name);

	for (size_t i = 0; i < n && i < ENV_NAME; i++)
		out[i] = out[i] == '-' ? '_' : (char)toupper((unsigned char)out[i]);
}

static bool was_given(const struct option_walk *w, const struct ms_opt *row)
{
	for (size_t i = 0; i < w->given.n; i++)
		if (w->given.at[i] == row)
			return true;
	return false;
}

/* The only function that reads options from the environment; an empty variable counts as unset. */
static int take_environment(struct option_walk *w)
{
	struct rows rows = first_row(w->set);
	const struct ms_opt *row;
	char name[ENV_NAME];

	while ((row = next_row(&rows)) != NULL) {
		env_name(row->name, name);
		const char *text = getenv(name);

		if (text != NULL && *text != '\0' && !was_given(w, row))
			MS_TRY(set(w, row, name, text));
	}
	return MS_OK;
}

int ms_opt_parse(const struct ms_opt_set *set_of, int argc, char *const argv[], void *into,
		 struct ms_words *rest, struct ms_err *err)
{
	struct option_walk w = {
		.set = set_of, .argc = argc, .argv = argv, .into = into, .err = err
	};
	int code = take_all(&w, rest);

	if (code == MS_OK)
		code = take_environment(&w);
	ms_vec_free(&w.given);
	return code;
}

/* --- help ----------------------------------------------------------------------------------- */

/* The number of words of an option: itself, and its value if that is a separate word. */
static int words_of(const struct ms_opt_set *set_of, const char *word)
{
	size_t n = strcspn(word, "=");

	if (word[1] == '-') {
		const struct ms_opt *row = find_name(set_of, word + 2, n - 2);

		return row != NULL && takes_value(row) && word[n] == '\0' ? 2 : 1;
	}
	for (const char *at = word + 1; *at != '\0'; at++) {
		const struct ms_opt *row = find_letter(set_of, *at);

		if (row != NULL && takes_value(row))
			return at[1] == '\0' ? 2 : 1;
	}
	return 1;
}

bool ms_opt_wants_help(const struct ms_opt_set *set_of, int argc, char *const argv[])
{
	bool has_h = find_letter(set_of, 'h') != NULL;

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0;) {
		if (strcmp(argv[i], "--help") == 0 || (!has_h && strcmp(argv[i], "-h") == 0))
			return true;
		if (!is_option(argv[i]) && set_of->stop_at_word)
			return false;
		i += is_option(argv[i]) ? words_of(set_of, argv[i]) : 1;
	}
	return false;
}

static size_t left_column(const struct ms_opt *row, char *out, size_t size)
{
	const char *value = value_name(row);
	char letter[] = "    ";

	if (row->letter != 0)
		memcpy(letter, (const char[]){ '-', row->letter, ',' }, 3);
	return (size_t)snprintf(out, size, "  %s--%s%s%s", letter, row->name, value ? " " : "",
				value ? value : "");
}

static void help_row(const struct ms_opt *row, size_t width, FILE *out)
{
	char left[256];
	size_t n = left_column(row, left, sizeof(left));

	if (n > width)
		fprintf(out, "%s\n%*s  %s\n", left, (int)width, "", row->brief);
	else
		fprintf(out, "%-*s  %s\n", (int)width, left, row->brief);
}

const struct ms_opt ms_opt_help_row = { .name = "help", .letter = 'h', .brief = "show this help" };

void ms_opt_help(const struct ms_opt_set *set_of, FILE *out)
{
	struct ms_opt last = ms_opt_help_row;
	struct rows rows = first_row(set_of);
	const struct ms_opt *row;
	char left[256];
	size_t width = left_column(&last, left, sizeof(left));

	while ((row = next_row(&rows)) != NULL) {
		size_t n = left_column(row, left, sizeof(left));

		if (n > width && n <= LEFT_MAX)
			width = n;
	}
	rows = first_row(set_of);
	while ((row = next_row(&rows)) != NULL)
		help_row(row, width, out);
	if (find_letter(set_of, 'h') != NULL)
		last.letter = 0;
	help_row(&last, width, out);
}
