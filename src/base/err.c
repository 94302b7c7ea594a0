#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int ms_fail(struct ms_err *err, enum ms_err_code code, const char *fmt, ...)
{
	va_list ap;

	if (err == NULL)
		return code;
	err->code = code;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	return code;
}

int ms_fail_errno(struct ms_err *err, const char *fmt, ...)
{
	int saved = errno;
	va_list ap;

	if (err == NULL)
		return MS_EIO;
	err->code = MS_EIO;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);

	size_t used = strlen(err->text);
	snprintf(err->text + used, sizeof(err->text) - used, ": %s", strerror(saved));
	return MS_EIO;
}

int ms_fail_in(struct ms_err *err, const char *fmt, ...)
{
	char inner[sizeof(err->text)];
	va_list ap;

	if (err == NULL)
		return MS_EBUG;
	memcpy(inner, err->text, sizeof(inner));
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);

	size_t used = strlen(err->text);
	snprintf(err->text + used, sizeof(err->text) - used, ": %s", inner);
	return err->code;
}
