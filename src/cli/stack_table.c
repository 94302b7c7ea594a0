/*
 * cli/stack_table.c - writes the table of variables on the stack (wire/stack_table.h).
 *
 * Only the program's own file is read, and only if it is not too large: its debug information is
 * read before the program starts, which then waits. Of many functions, those with the largest
 * variables have room.
 */
#include "cli/stack_table.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"
#include "launch/options.h"
#include "symbols/stack_variables.h"
#include "wire/stack_table.h"
#include "wire/wire.h"

/* Smaller variables hardly ever miss, and small functions are called often. */
enum { LEAST_BYTES = 2048, LARGEST_FILE = 64 << 20 };

struct ranked_function {
	uint64_t largest;
	const struct ms_symbols_stack_function *is;
};

struct table_writer {
	MS_VEC(struct ms_wire_stack_function) functions;
	MS_VEC(struct ms_wire_stack_variable) variables;
	struct ms_text text;
};

static int compare_functions(const void *a, const void *b)
{
	const struct ranked_function *x = a, *y = b;
	int order = ms_cmp_u64(y->largest, x->largest);

	return order != 0 ? order : ms_cmp_u64(x->is->entry, y->is->entry);
}

static int compare_entries(const void *a, const void *b)
{
	const struct ranked_function *x = a, *y = b;

	return ms_cmp_u64(x->is->entry, y->is->entry);
}

static uint32_t add_text(struct table_writer *w, const char *text, size_t n)
{
	uint32_t at = (uint32_t)w->text.n;

	ms_text_add_n(&w->text, text, n);
	return at;
}

static void add_function(struct table_writer *w, const struct ms_symbols_stack_list *list,
			 const struct ms_symbols_stack_function *f)
{
	*ms_vec_add(&w->functions) =
		(struct ms_wire_stack_function){ f->entry, f->high, (uint32_t)w->variables.n,
						 (uint32_t)f->n };
	for (size_t i = 0; i < f->n; i++) {
		const struct ms_symbols_stack_variable *v = &list->variables.at[f->first + i];
		size_t n = strnlen(v->name, MS_WIRE_MAX_NAME);

		*ms_vec_add(&w->variables) =
			(struct ms_wire_stack_variable){ (uint64_t)-v->offset, v->size,
							 add_text(w, v->name, n), (uint32_t)n };
	}
}

static void add_functions(struct table_writer *w, const struct ms_symbols_stack_list *list)
{
	size_t n = list->functions.n;
	struct ranked_function *ranked = ms_alloc((n + 1) * sizeof(*ranked));

	for (size_t i = 0; i < n; i++) {
		const struct ms_symbols_stack_function *f = &list->functions.at[i];

		/* The variables of a function are in the order of their sizes. */
		ranked[i] = (struct ranked_function){ list->variables.at[f->first].size, f };
	}
	if (n > 1)
		qsort(ranked, n, sizeof(*ranked), compare_functions);
	n = n < MS_WIRE_STACK_FUNCTIONS ? n : MS_WIRE_STACK_FUNCTIONS;
	if (n > 1)
		qsort(ranked, n, sizeof(*ranked), compare_entries);
	for (size_t i = 0; i < n; i++)
		add_function(w, list, ranked[i].is);
	ms_free(ranked);
}

static bool write_all(int fd, const void *bytes, size_t n)
{
	const char *at = bytes;

	while (n > 0) {
		ssize_t done = write(fd, at, n);

		if (done <= 0)
			return false;
		at += done;
		n -= (size_t)done;
	}
	return true;
}

static int write_table(struct table_writer *w, const char *path)
{
	struct ms_wire_stack_table head = {
		.magic = MS_WIRE_STACK_TABLE_MAGIC,
		.functions = (uint32_t)w->functions.n,
		.variables = (uint32_t)w->variables.n,
		.path = add_text(w, path, strlen(path)),
	};
	size_t functions = w->functions.n * sizeof(*w->functions.at);
	size_t variables = w->variables.n * sizeof(*w->variables.at);
	int fd = memfd_create("memspy-stack", MFD_CLOEXEC);

	head.bytes = sizeof(head) + functions + variables + w->text.n + 1;
	if (fd >= 0 &&
	    (!write_all(fd, &head, sizeof(head)) || !write_all(fd, w->functions.at, functions) ||
	     !write_all(fd, w->variables.at, variables) ||
	     !write_all(fd, ms_text_get(&w->text), w->text.n + 1))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static int make_table(const char *path)
{
	struct ms_symbols_stack_list list = { 0 };
	struct table_writer w = { .text = MS_TEXT_INIT };
	struct ms_symbols_module *module;
	struct ms_err err = { MS_OK, "" };
	int fd = -1;

	if (ms_symbols_module_open(&module, path, &err) != MS_OK)
		return -1;
	ms_symbols_module_stack_variables(module, LEAST_BYTES, &list);
	add_functions(&w, &list);
	if (w.functions.n > 0)
		fd = write_table(&w, path);
	ms_vec_free(&w.functions);
	ms_vec_free(&w.variables);
	ms_text_free(&w.text);
	ms_symbols_stack_free(&list);
	ms_symbols_module_close(module);
	return fd;
}

static bool find_file(const char *program, pid_t attach, char path[PATH_MAX])
{
	char link[64];
	char *found;
	bool ok;

	if (attach != 0) {
		snprintf(link, sizeof(link), "/proc/%d/exe", (int)attach);
		return realpath(link, path) != NULL;
	}
	found = ms_launch_find_program(program);
	ok = found != NULL && realpath(found, path) != NULL;
	ms_free(found);
	return ok;
}

void ms_cli_open_stack_table(struct ms_cli_stack_table *table, const char *program, pid_t attach)
{
	char path[PATH_MAX];
	struct stat st;

	*table = (struct ms_cli_stack_table){ .fd = -1 };
	if (!find_file(program, attach, path) || stat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
	    st.st_size > LARGEST_FILE)
		return;
	table->fd = make_table(path);
	if (table->fd < 0)
		return;
	snprintf(table->text, sizeof(table->text), "%d/fd/%d", (int)getpid(), table->fd);
	table->name = table->text;
}

void ms_cli_close_stack_table(struct ms_cli_stack_table *table)
{
	if (table->fd >= 0)
		close(table->fd);
	*table = (struct ms_cli_stack_table){ .fd = -1 };
}
