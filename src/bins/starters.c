/* bins/starters.c - the functions that call main() and the functions of threads. */
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

/* The versions of a symbol, "name@...", are one. */
static bool is_named(const char *function, const char *name)
{
	size_t n = strlen(name);

	return strncmp(function, name, n) == 0 && (function[n] == '\0' || function[n] == '@');
}

static bool is_assembler(const char *file)
{
	size_t n = file != NULL ? strlen(file) : 0;

	return n > 2 && strcmp(file + n - 2, ".S") == 0;
}

bool ms_is_starter(const struct ms_frame *frame, bool outermost)
{
	if (frame->function == NULL)
		return false;
	for (size_t i = 0; i < MS_COUNT(starters); i++)
		if (is_named(frame->function, starters[i]))
			return true;
	/*
	 * What clone() on aarch64 calls the part of it that the new thread begins in; programs call
	 * their functions so, too, but those have been called, and are not of assembler.
	 */
	return outermost && is_named(frame->function, "thread_start") &&
	       (frame->file == NULL || is_assembler(frame->file));
}
