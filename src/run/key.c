#include "run/key.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"

/* A piece of a full name: [at, at + n). */
struct key_piece {
	const char *at;
	size_t n;
};

/* Where "#12" at the end begins; the end itself if there is none. */
static size_t before_number(const char *text, size_t n)
{
	size_t digits = n;

	while (digits > 0 && isdigit((unsigned char)text[digits - 1]))
		digits--;
	return digits < n && digits > 1 && text[digits - 1] == '#' ? digits - 1 : n;
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0;
}

/* Where the '(' of " (a.c:8)" at the end is; the end itself if there is none. */
static size_t before_parenthesis(const char *text)
{
	size_t n = strlen(text);
	unsigned depth = 0;

	if (n == 0 || text[n - 1] != ')')
		return n;
	for (size_t i = n; i-- > 1;) {
		depth += text[i] == ')';
		depth -= text[i] == '(';
		if (depth == 0)
			return text[i - 1] == ' ' ? i - 1 : n;
	}
	return n;
}

/*
 * The length of the name without what made it unique: "#2" (of rules, and of older runs) or "
 * (a.c:8)". Full names end with the plain name, or, of variables, begin with it.
 */
static size_t plain_length(const struct ms_run_data *data)
{
	size_t n = strlen(data->name), number = before_number(data->name, n);
	bool variable = data->kind == MS_DATA_STATIC || data->kind == MS_DATA_TLS;

	if (number < n || data->key != NULL || data->full_name == NULL ||
	    ends_with(data->full_name, data->name))
		return number;
	size_t plain = before_parenthesis(data->name);
	/* "insert (tree.c:12)" of "main (tree.c:7) > insert (tree.c:12){other paths}" */
	if (variable && strncmp(data->full_name, data->name, plain) != 0)
		return n;
	return plain;
}

/* "+0x1f30" or all of "0x1f30": the end of a call in code without symbols. */
static bool ends_in_offset(struct key_piece p)
{
	size_t i = p.n;

	while (i > 0 && isxdigit((unsigned char)p.at[i - 1]))
		i--;
	return i < p.n && i >= 2 && strncmp(p.at + i - 2, "0x", 2) == 0 &&
	       (i == 2 || p.at[i - 3] == '+');
}

/* The name of a call, without " (matmul.c:40)" or "+0x1f30" at its end. */
static struct key_piece call_name(struct key_piece p)
{
	if (ends_in_offset(p)) {
		while (p.n > 0 && p.at[p.n - 1] != '+')
			p.n--;
		return (struct key_piece){ p.at, p.n > 0 ? p.n - 1 : 0 };
	}
	for (size_t i = p.n; i-- > 1;)
		if (p.at[i] == '(' && p.at[i - 1] == ' ')
			return (struct key_piece){ p.at, i - 1 };
	return p;
}

/* "byId (nodes)": a part of a container, as bins/naming.c names it. */
static bool is_part(struct key_piece p)
{
	static const char *const parts[] = { " (nodes)",  " (buckets)", " (string)",
					     " (chunks)", " (map)",     " (leaves)",
					     " (vector)", " (box)",     " (control block)" };

	for (size_t i = 0; i < MS_COUNT(parts); i++) {
		size_t n = strlen(parts[i]);

		if (p.n > n && strncmp(p.at + p.n - n, parts[i], n) == 0)
			return true;
	}
	return false;
}

/* Whether it has the position of a call: "f (a.c:3)", "f (libc.so.6)", "libc.so.6+0x12". */
static bool is_call(struct key_piece p)
{
	if (ends_in_offset(p))
		return true;
	if (p.n < 4 || p.at[p.n - 1] != ')' || is_part(p))
		return false;
	struct key_piece name = call_name(p);
	/* The parameters of a function pointer's type contain spaces, '*' or nothing. */
	return name.n + 3 < p.n && memchr(p.at + name.n + 2, '*', p.n - name.n - 2) == NULL &&
	       memchr(p.at + name.n + 2, ' ', p.n - name.n - 2) == NULL;
}

/*
 * The calls in a full name, outermost first, and the text after the last of them. Types contain " >
 * " too (list<pair<int> > x), but no call ends there.
 */
static struct key_piece split_calls(const char *full, struct key_piece *calls, size_t most,
				    size_t *n)
{
	const char *from = full, *mark = full;

	*n = 0;
	while ((mark = strstr(mark, " > ")) != NULL) {
		struct key_piece p = { from, (size_t)(mark - from) };

		mark += 3;
		if (!is_call(p))
			continue;
		if (*n < most)
			calls[(*n)++] = p;
		from = mark;
	}
	return (struct key_piece){ from, strlen(from) };
}

static void add(struct ms_text *out, struct key_piece p)
{
	ms_text_add_n(out, p.at, p.n);
}

enum { MOST_CALLS = 1024 };

static void heap_key(struct ms_text *out, const struct ms_run_data *data)
{
	struct key_piece calls[MOST_CALLS];
	size_t n;
	struct key_piece last = split_calls(data->full_name, calls, MOST_CALLS, &n);

	if (is_call(last))
		add(out, call_name(last));
	else
		add(out, last);
	while (n-- > 0) {
		ms_text_add(out, " < ");
		add(out, call_name(calls[n]));
	}
}

/* "f (libfoo.so)": whether the call is in the module of `unnamed`, "libfoo.so". */
static bool is_in_module(struct key_piece call, struct key_piece unnamed)
{
	return call.n > unnamed.n + 3 && call.at[call.n - 1] == ')' &&
	       call.at[call.n - 2 - unnamed.n] == '(' &&
	       strncmp(call.at + call.n - 1 - unnamed.n, unnamed.at, unnamed.n) == 0;
}

/* Of calls, outermost first: the innermost one with a name in the module of the last; else its
 * module: "libfoo.so+*". */
static void add_function(struct ms_text *out, const struct key_piece *calls, size_t n)
{
	struct key_piece unnamed = call_name(calls[n - 1]);

	for (size_t i = n; i-- > 0;) {
		struct key_piece name = call_name(calls[i]);

		if (ends_in_offset(calls[i]) && name.n == unnamed.n &&
		    strncmp(name.at, unnamed.at, name.n) == 0)
			continue;
		if (i < n - 1 && (ends_in_offset(calls[i]) || !is_in_module(calls[i], unnamed)))
			break;
		add(out, name);
		return;
	}
	add(out, unnamed);
	ms_text_add(out, "+*");
}

bool ms_run_data_function(struct ms_text *out, const struct ms_run_data *data)
{
	struct key_piece calls[MOST_CALLS + 1];
	size_t n;
	struct key_piece last = split_calls(data->full_name, calls, MOST_CALLS, &n);

	/* "f (a.c:3){other paths}": a part. */
	if (last.n > 0 && last.at[last.n - 1] == '}')
		while (last.n > 0 && last.at[--last.n] != '{')
			continue;
	if (is_call(last))
		calls[n++] = last;
	if (n > 0)
		add_function(out, calls, n);
	return n > 0;
}

/* "counter (count.c:12) in /home/u/count", "environ in /lib/libc.so.6" */
static void variable_key(struct ms_text *out, const struct ms_run_data *data)
{
	size_t n = strlen(data->name);
	const char *rest;

	if (strncmp(data->full_name, data->name, n) != 0)
		n = plain_length(data);
	ms_text_add_n(out, data->name, n);
	rest = strncmp(data->full_name, data->name, n) == 0 ? data->full_name + n : "";
	const char *colon = strncmp(rest, " (", 2) == 0 ? strchr(rest, ':') : NULL;
	if (colon != NULL) {
		ms_text_add(out, " @ ");
		ms_text_add_n(out, rest + 2, (size_t)(colon - rest - 2));
	} else if (strncmp(rest, " in ", 4) == 0) {
		ms_text_addf(out, " @ %s", ms_base_name(rest + 4));
	}
}

void ms_run_data_key(struct ms_text *out, const struct ms_run_data *data)
{
	size_t before = out->n;

	if (data->kind == MS_DATA_HEAP || data->kind == MS_DATA_MAPPED)
		heap_key(out, data);
	else if (data->kind == MS_DATA_STATIC || data->kind == MS_DATA_TLS)
		variable_key(out, data);
	else
		ms_text_add(out, data->name);
	if (out->n == before)
		ms_text_add(out, data->name);
}

void ms_run_data_plain_name(struct ms_text *out, const struct ms_run_data *data)
{
	ms_text_add_n(out, data->name, plain_length(data));
}

struct keyed_data {
	const char *key;
	const char *full, *name;
	uint32_t data;
	const struct ms_run_frame *frames; /* of its call path */
	size_t frame_count;
};

/* By the instructions that called, the innermost first. */
static int compare_calls(const struct keyed_data *x, const struct keyed_data *y)
{
	int order = 0;

	for (size_t i = 0; i < x->frame_count && i < y->frame_count && order == 0; i++) {
		order = strcmp(ms_base_name(x->frames[i].module),
			       ms_base_name(y->frames[i].module));
		if (order == 0)
			order = ms_cmp_u64(x->frames[i].offset, y->frames[i].offset);
	}
	return order;
}

/*
 * Sorts equal keys in the order of the source: digits in full names compare as numbers. If these
 * are equal, too, the calling instructions or what the name has in addition distinguish the data.
 */
static int compare(const void *a, const void *b)
{
	const struct keyed_data *x = a, *y = b;
	int order = strcmp(x->key, y->key);

	if (order == 0)
		order = strverscmp(x->full, y->full);
	if (order == 0)
		order = compare_calls(x, y);
	if (order == 0)
		order = strverscmp(x->name, y->name);
	return order != 0 ? order : ms_cmp_u64(x->data, y->data);
}

/* Frames are listed by data. */
static void find_frames(const struct ms_run *run, struct keyed_data *all)
{
	for (size_t i = 0; i < run->frames.n; i++) {
		struct keyed_data *of = &all[run->frames.at[i].data];

		if (of->frame_count == 0)
			of->frames = &run->frames.at[i];
		of->frame_count += of->frames + of->frame_count == &run->frames.at[i];
	}
}

/*
 * The number in the name of a variable without a known source position: only this number
 * distinguishes it from others of its name in the same module; otherwise 0. "buffer (libc.so.6,
 * 3)"; "buffer#3" in older runs.
 */
static unsigned own_number(const struct ms_run_data *data)
{
	size_t n = strlen(data->name), plain = plain_length(data);
	bool variable = data->kind == MS_DATA_STATIC || data->kind == MS_DATA_TLS;

	if (!variable || plain == n || strncmp(data->full_name, data->name, n) == 0 ||
	    strncmp(data->full_name, data->name, plain) != 0 ||
	    strncmp(data->full_name + plain, " in ", 4) != 0)
		return 0;
	const char *comma = strrchr(data->name + plain, ',');
	const char *digits = data->name[plain] == '#' ? data->name + plain + 1
			     : comma != NULL          ? comma + 2
						      : "";
	unsigned number = (unsigned)strtoul(digits, NULL, 10);
	return data->name[plain] == '#' || number > 1 ? number : 0;
}

void ms_run_keys_make(struct ms_run_keys *keys, const struct ms_run *run)
{
	struct keyed_data *all = ms_alloc((run->data.n + 1) * sizeof(*all));
	struct ms_text text = MS_TEXT_INIT;
	uint32_t same = 1;

	*keys = (struct ms_run_keys){ .n = run->data.n,
				      .at = ms_alloc((run->data.n + 1) * sizeof(*keys->at)) };
	for (uint32_t i = 0; i < run->data.n; i++) {
		ms_text_clear(&text);
		ms_run_data_key(&text, &run->data.at[i]);
		all[i] = (struct keyed_data){ ms_intern(&keys->names, ms_text_get(&text)),
					      run->data.at[i].full_name,
					      run->data.at[i].name,
					      i,
					      NULL,
					      0 };
	}
	find_frames(run, all);
	qsort(all, run->data.n, sizeof(*all), compare);
	for (size_t i = 0; i < run->data.n; i++) {
		same = i > 0 && all[i].key == all[i - 1].key ? same + 1 : 1;
		ms_text_clear(&text);
		ms_text_add(&text, all[i].key);
		unsigned own = own_number(&run->data.at[all[i].data]);
		if (own > 0 || same > 1)
			ms_text_addf(&text, "#%u", own > 0 ? own : same);
		keys->at[all[i].data] = ms_intern(&keys->names, text.at);
	}
	ms_text_free(&text);
	ms_free(all);
}

void ms_run_keys_free(struct ms_run_keys *keys)
{
	ms_names_free(&keys->names);
	ms_free(keys->at);
	*keys = (struct ms_run_keys){ .n = 0 };
}
