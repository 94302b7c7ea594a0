/*
 * cli/paths.c - where memspy's own parts lie: the environment says, or they stand beside the
 * executable in a build tree, or under the prefix into which memspy was installed. Nothing is
 * compiled in, so an installed tree can be moved. And where the user's own files are.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"

enum { FOLDER = PATH_MAX };

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Cuts the last part off; false when nothing is left. */
static bool cut(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash == NULL)
		return false;
	*slash = '\0';
	return true;
}

/* Where /proc is not mounted, by the name under which it was started. */
static bool executable(char path[FOLDER])
{
	ssize_t n = readlink("/proc/self/exe", path, FOLDER - 1);
	const char *name = (const char *)getauxval(AT_EXECFN);

	if (n < 0)
		return name != NULL && realpath(name, path) != NULL;
	path[n] = '\0';
	return true;
}

/* The folder of the executable and the folder around that one. */
static bool executable_folders(char inner[FOLDER], char outer[FOLDER])
{
	if (!executable(inner) || !cut(inner))
		return false;
	memcpy(outer, inner, FOLDER);
	return cut(outer);
}

static void join(char out[FOLDER], const char *folder, const char *below)
{
	size_t n = strlen(folder);

	snprintf(out, FOLDER, "%s", folder);
	snprintf(out + n, FOLDER - n, "/%s", below);
}

static bool in_build_tree(const char *inner, const char *outer)
{
	const char *name = strrchr(inner, '/');
	char machines[FOLDER];

	join(machines, outer, "machines");
	return name != NULL && strncmp(name, "/build", strlen("/build")) == 0 &&
	       is_folder(machines);
}

const char *ms_cli_machines_dir(void)
{
	static char found[FOLDER];
	char inner[FOLDER];
	char outer[FOLDER];
	const char *asked = getenv("MEMSPY_MACHINES");

	if (asked != NULL && *asked != '\0')
		return asked;
	if (executable_folders(inner, outer))
		join(found, outer,
		     in_build_tree(inner, outer) ? "machines" : "share/memspy/machines");
	return found;
}

const char *ms_cli_frontends_dir(void)
{
	static char found[FOLDER];
	char inner[FOLDER];
	char outer[FOLDER];
	const char *asked = getenv("MEMSPY_LIBDIR");

	if (asked != NULL && *asked != '\0')
		return asked;
	if (!executable_folders(inner, outer))
		return found;
	if (in_build_tree(inner, outer))
		join(found, inner, "frontends");
	else
		join(found, outer, "lib/memspy");
	return found;
}

const char *ms_cli_calibration_file(void)
{
	static char found[FOLDER];
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (config != NULL && *config == '/')
		join(found, config, "memspy/host.ini");
	else if (home != NULL && *home == '/')
		join(found, home, ".config/memspy/host.ini");
	return found[0] != '\0' ? found : NULL;
}

void ms_cli_make_folders(const char *path)
{
	char folder[FOLDER];

	for (const char *p = path; (p = strchr(p + 1, '/')) != NULL;) {
		snprintf(folder, sizeof(folder), "%.*s", (int)(p - path), path);
		mkdir(folder, 0700);
	}
}
