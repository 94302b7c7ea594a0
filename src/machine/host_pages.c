/* machine/host_pages.c - the page sizes of the machine that memspy runs on, from the system. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "machine/machine_priv.h"

enum { VALUE = 256 };

static bool read_attribute(const char *sysfs_root, const char *file, char out[VALUE])
{
	char path[512];

	snprintf(path, sizeof(path), "%s/kernel/mm/transparent_hugepage/%s", sysfs_root, file);
	FILE *in = fopen(path, "re");
	if (in == NULL)
		return false;
	bool got = fgets(out, VALUE, in) != NULL;
	fclose(in);
	if (got)
		out[strcspn(out, "\n")] = '\0';
	return got;
}

static void set(struct ms_machine *machine, enum ms_machine_figure figure, uint64_t value)
{
	const struct ms_machine_figure_row *row = &ms_machine_figures[figure];

	if (value < row->least || value > row->most)
		return;
	*ms_machine_figure_at(&machine->core, figure) = (uint32_t)value;
	machine->figure_origins[figure] = "system";
}

/* "always [madvise] never": which one the brackets choose. */
static void set_policy(struct ms_machine *machine, const char *text)
{
	const char *const *words = ms_machine_figures[MS_FIGURE_HUGE_PAGES].words;
	const char *chosen = strchr(text, '[');

	for (uint32_t i = 0; chosen != NULL && words[i] != NULL; i++)
		if (strncmp(chosen + 1, words[i], strlen(words[i])) == 0 &&
		    chosen[1 + strlen(words[i])] == ']')
			set(machine, MS_FIGURE_HUGE_PAGES, i);
}

/* Without the folder, the kernel has no transparent huge pages. */
void ms_machine_host_pages(struct ms_machine *machine, const char *sysfs_root)
{
	char text[VALUE];
	uint64_t size;

	set(machine, MS_FIGURE_PAGE, (uint64_t)sysconf(_SC_PAGESIZE));
	if (read_attribute(sysfs_root, "hpage_pmd_size", text) && ms_parse_u64(text, &size))
		set(machine, MS_FIGURE_HUGE_PAGE, size);
	if (read_attribute(sysfs_root, "enabled", text))
		set_policy(machine, text);
	else
		set(machine, MS_FIGURE_HUGE_PAGES, MS_HUGE_PAGES_NEVER);
}
