/*
 * base/err.h - errors are return values with a message; only cli/ prints them and exits.
 *
 * A function that can fail returns int: 0, or one of enum ms_err_code, with the message in *err.
 * The message names the file, what was found, what was expected, and what to do.
 */
#ifndef MS_BASE_ERR_H
#define MS_BASE_ERR_H

#include "base/compiler.h"

enum ms_err_code {
	MS_OK = 0,
	MS_EUSAGE,   /* the user requested something impossible */
	MS_EFORMAT,  /* a file is invalid */
	MS_EIO,      /* a system call failed */
	MS_ENOENT,   /* there is no such run, data, code or file */
	MS_ENOEXEC,  /* the program exists and cannot be executed */
	MS_EMISSING, /* a part that memspy needs is not installed */
	MS_EBUG,     /* a defect of memspy */
};

struct ms_err {
	enum ms_err_code code;
	char text[1024];
};

/* Fills *err (which may be NULL) and returns code, so that a caller can return it directly. */
int ms_fail(struct ms_err *err, enum ms_err_code code, const char *fmt, ...) MS_PRINTF(3, 4);

/* As ms_fail with MS_EIO; appends ": " and the text of errno to the message. */
int ms_fail_errno(struct ms_err *err, const char *fmt, ...) MS_PRINTF(2, 3);

/* Prepends "prefix: " to the message in *err and returns its code. */
int ms_fail_in(struct ms_err *err, const char *fmt, ...) MS_PRINTF(2, 3);

#define MS_TRY(call)                         \
	do {                                 \
		int ms_try_code_ = (call);   \
		if (ms_try_code_ != MS_OK)   \
			return ms_try_code_; \
	} while (0)

#endif
