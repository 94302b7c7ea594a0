/* machine/load.c - finds the description for a name: the host, a preset, or a file. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/near.h"
#include "machine/families.h"
#include "machine/machine_priv.h"

static const char suffix[] = ".ini";

static bool ends_in_suffix(const char *text)
{
	size_t n = strlen(text);
	size_t m = strlen(suffix);

	return n > m && strcmp(text + n - m, suffix) == 0;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int ms_machine_list(const char *preset_dir, struct ms_arena *arena, const char ***names, size_t *n,
		    struct ms_err *err)
{
	MS_VEC(const char *) found = MS_VEC_INIT;
	DIR *dir = opendir(preset_dir);
	struct dirent *entry;

	if (dir == NULL)
		return ms_fail_errno(err, "cannot read the folder of machine presets '%s'",
				     preset_dir);
	while ((entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.' && ends_in_suffix(entry->d_name))
			*ms_vec_add(&found) = ms_arena_strndup(
				arena, entry->d_name, strlen(entry->d_name) - strlen(suffix));
	closedir(dir);

	*n = found.n;
	*names = ms_arena_take(arena, found.n * sizeof(**names));
	if (found.n > 0) {
		memcpy(*names, found.at, found.n * sizeof(**names));
		qsort(*names, found.n, sizeof(**names), compare_names);
	}
	ms_vec_free(&found);
	return MS_OK;
}

static int no_such_preset(const char *name, const char *preset_dir, struct ms_err *err)
{
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_near near = { .word = name };
	const char **names;
	size_t n;
	int code = ms_machine_list(preset_dir, &arena, &names, &n, err);

	if (code == MS_OK) {
		for (size_t i = 0; i < n; i++)
			ms_near_try(&near, names[i]);
		ms_near_try(&near, "host");
		code = ms_fail(
			err, MS_EUSAGE,
			"there is no machine '%s'%s%s%s; 'memspy machine list' "
			"shows those there are, and a file's name needs a '/' or ends in .ini",
			name, near.best ? "; did you mean '" : "", near.best ? near.best : "",
			near.best ? "'?" : "");
	}
	ms_arena_free(&arena);
	return code;
}

/* The core of this machine is that of its processor family, or is assumed. */
static int load_host(struct ms_machine *machine, const char *preset_dir, struct ms_err *err)
{
	MS_TRY(ms_machine_load_host(machine, "/sys", err));
	ms_machine_host_pages(machine, "/sys");
	ms_machine_apply_family(machine, "/proc/cpuinfo", preset_dir);
	return MS_OK;
}

int ms_machine_load(struct ms_machine *machine, const char *spec, const char *preset_dir,
		    struct ms_err *err)
{
	char path[PATH_MAX];
	char label[NAME_MAX];

	if (strcmp(spec, "host") == 0)
		return load_host(machine, preset_dir, err);
	if (strchr(spec, '/') != NULL || ends_in_suffix(spec))
		return ms_machine_load_file(machine, spec, err);
	snprintf(path, sizeof(path), "%s/%s%s", preset_dir, spec, suffix);
	if (*spec == '\0' || access(path, F_OK) != 0)
		return no_such_preset(spec, preset_dir, err);

	snprintf(label, sizeof(label), "preset %s", spec);
	return ms_machine_read(machine, path, label, err);
}

void ms_machine_free(struct ms_machine *machine)
{
	ms_vec_free(&machine->levels);
	ms_arena_free(&machine->arena);
	*machine = (struct ms_machine){ 0 };
}
