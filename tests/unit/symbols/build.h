/* tests/unit/symbols/build.h - small programs, compiled in a temporary folder, for tests of
 * symbols. */
#ifndef MS_UNIT_SYMBOLS_BUILD_H
#define MS_UNIT_SYMBOLS_BUILD_H

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "symbols/symbols.h"

static char build_folder[256];

MS_UNUSED static int build_setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	snprintf(build_folder, sizeof(build_folder), "%s/memspy-symbols-XXXXXX",
		 tmp != NULL && strlen(tmp) < 200 ? tmp : "/tmp");
	return mkdtemp(build_folder) != NULL ? 0 : -1;
}

MS_UNUSED static int build_remove(const char *path, const struct stat *st, int type,
				  struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

MS_UNUSED static int build_teardown(void **state)
{
	(void)state;
	return nftw(build_folder, build_remove, 16, FTW_DEPTH | FTW_PHYS);
}

/* Runs a shell command in the folder; fails the test when it fails. */
MS_UNUSED MS_PRINTF(1, 2) static void build_run(const char *fmt, ...)
{
	char command[4096], whole[4500];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(command, sizeof(command), fmt, ap);
	va_end(ap);
	snprintf(whole, sizeof(whole), "cd %s && unset LD_PRELOAD && { %s; }", build_folder,
		 command);
	if (system(whole) != 0)
		fail_msg("failed: %s", whole);
}

MS_UNUSED static const char *build_path(const char *name)
{
	static char paths[8][512];
	static unsigned next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof(paths[0]), "%s/%s", build_folder, name);
	return path;
}

MS_UNUSED static void build_write(const char *name, const char *text)
{
	FILE *f = fopen(build_path(name), "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

MS_UNUSED static bool build_has(const char *tool)
{
	char command[128];

	snprintf(command, sizeof(command), "%s --version >/dev/null 2>&1", tool);
	if (system(command) == 0)
		return true;
	print_message("[  SKIPPED ] %s is not installed\n", tool);
	return false;
}

MS_UNUSED static struct ms_symbols_module *build_open(const char *name)
{
	struct ms_symbols_module *m;
	struct ms_err err;

	if (ms_symbols_module_open_in(&m, build_path(name), build_path("debug"), &err) != MS_OK)
		fail_msg("%s", err.text);
	return m;
}

/*
 * hook.c: allocation functions that write "PATH a b c", the return addresses inside the program,
 * innermost first; take(n) and give(n) are allocators of the test's own.
 */
MS_UNUSED static const char build_hook_source[] =
	"#define _GNU_SOURCE\n"
	"#include <link.h>\n"
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"#include <unistd.h>\n"
	"#include <unwind.h>\n"
	"extern char __executable_start, etext;\n"
	"extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t),\n"
	"	*__libc_realloc(void *, size_t);\n"
	"static unsigned long bias;\n"
	"struct trace { int n; char *at; };\n"
	"static int first(struct dl_phdr_info *i, size_t n, void *p)\n"
	"{ (void)n; (void)p; bias = i->dlpi_addr; return 1; }\n"
	"static _Unwind_Reason_Code visit(struct _Unwind_Context *c, void *arg)\n"
	"{\n"
	"	struct trace *t = arg; unsigned long ip = _Unwind_GetIP(c);\n"
	"	if (++t->n > 2 && ip >= (unsigned long)&__executable_start &&\n"
	"	    ip < (unsigned long)&etext)\n"
	"		t->at += sprintf(t->at, \" %lx\", ip - bias);\n"
	"	return t->n < 40 ? _URC_NO_REASON : _URC_END_OF_STACK;\n"
	"}\n"
	"static __attribute__((noinline)) void note(void)\n"
	"{\n"
	"	static int busy; char text[2048]; struct trace t = { 0, text };\n"
	"	if (busy) return;\n"
	"	busy = 1;\n"
	"	dl_iterate_phdr(first, 0);\n"
	"	t.at += sprintf(t.at, \"PATH\");\n"
	"	_Unwind_Backtrace(visit, &t);\n"
	"	t.at += sprintf(t.at, \"\\n\");\n"
	"	if (t.at - text > 6 && write(3, text, t.at - text) < 0) abort();\n"
	"	busy = 0;\n"
	"}\n"
	"#define ALLOCATOR __attribute__((noinline))\n"
	"ALLOCATOR void *malloc(size_t n) { note(); return __libc_malloc(n); }\n"
	"ALLOCATOR void *calloc(size_t n, size_t k) { note(); return __libc_calloc(n, k); }\n"
	"ALLOCATOR void *realloc(void *p, size_t k) { note(); return __libc_realloc(p, k); }\n"
	"ALLOCATOR void *aligned_alloc(size_t a, size_t n)\n"
	"{ (void)a; note(); return __libc_malloc(n); }\n"
	"ALLOCATOR int posix_memalign(void **p, size_t a, size_t n)\n"
	"{ (void)a; note(); *p = __libc_malloc(n); return 0; }\n";

enum { BUILD_DEEPEST = 40 };

/* The paths that the program wrote. */
struct build_paths {
	size_t n;
	struct {
		size_t n;
		uint64_t pc[BUILD_DEEPEST];
	} at[256];
};

/* Runs the program with its paths on descriptor 3, and reads them. */
MS_UNUSED static void build_paths_of(const char *program, struct build_paths *out)
{
	char line[4096], file[64];

	build_run("./%s 3>%s.paths >/dev/null", program, program);
	snprintf(file, sizeof(file), "%s.paths", program);
	FILE *f = fopen(build_path(file), "r");
	assert_non_null(f);
	memset(out, 0, sizeof(*out));
	while (fgets(line, sizeof(line), f) != NULL && out->n < MS_COUNT(out->at)) {
		char *save = NULL, *word = strtok_r(line, " \n", &save);

		if (word == NULL || strcmp(word, "PATH") != 0)
			continue;
		while ((word = strtok_r(NULL, " \n", &save)) != NULL &&
		       out->at[out->n].n < BUILD_DEEPEST)
			out->at[out->n].pc[out->at[out->n].n++] = strtoull(word, NULL, 16);
		out->n++;
	}
	fclose(f);
}

#endif
