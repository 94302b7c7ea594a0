/* bins/starters.c - recognises the functions that call main() and thread functions. */
#include <string.h>

#include "base/compiler.h"

#include "bins/starters.h"

static const char *const starters[] = {
	"_start",
	"(below main)",
	"__libc_start_main",
	"__libc_start_call_main",
	"__libc_start_main_impl",
	"start_thread",
	"clone",
	"clone3",
	"__clone",
	"__clone3",
	"__clone_internal",
	"lang_start",
};

/* All versions of a symbol, "name@...", count as the same name. */
static bool is_named(const char *function, const char *name)
{
	size_t n = strlen(name);

	if (function[0] != name[0])
		return false;
	return strncmp(function, name, n) == 0 && (function[n] == '\0' || function[n] == '@');
}

static bool is_assembler(const char *file)
{
	size_t n = file != NULL ? strlen(file) : 0;

	return n > 2 && strcmp(file + n - 2, ".S") == 0;
}

bool ms_bins_is_starter(const struct ms_symbols_frame *frame, bool outermost)
{
	if (frame->function == NULL)
		return false;
	for (size_t i = 0; i < MS_COUNT(starters); i++)
		if (is_named(frame->function, starters[i]))
			return true;
	/*
	 * On aarch64, clone() has a part of this name, in which the new thread begins. Programs
	 * have functions of this name, too, but these have callers and are not in assembly.
	 */
	return outermost && is_named(frame->function, "thread_start") &&
	       (frame->file == NULL || is_assembler(frame->file));
}
