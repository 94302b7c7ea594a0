/* cli/tag.c - which names may be given to runs. */
#include <string.h>

#include "cli/command.h"

int ms_cli_check_tag(const char *tag, struct ms_err *err)
{
	if (tag != NULL && (strchr(tag, ',') != NULL || strstr(tag, "..") != NULL))
		return ms_fail(err, MS_EUSAGE,
			       "a tag is a name, not '%s': a comma and two dots stand between "
			       "runs",
			       tag);
	if (tag == NULL ||
	    (*tag != '@' && strcmp(tag, "latest") != 0 && tag[strspn(tag, "0123456789")] != '\0'))
		return MS_OK;
	return ms_fail(err, MS_EUSAGE,
		       "a tag is a name, not '%s': @NUMBER and @latest name runs already", tag);
}
