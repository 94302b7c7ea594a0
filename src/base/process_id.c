#include "base/process_id.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/process_stat.h"

/* False: there is no such process, or only its exit status is left. */
static bool read_start(pid_t pid, uint64_t *start)
{
	unsigned long long ticks = 0;
	char line[1024], state = 'Z';
	const char *stat = ms_process_stat(pid, line, sizeof(line));

	if (stat == NULL || sscanf(stat,
				   "%c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d "
				   "%*d %*d %*d %*d %llu",
				   &state, &ticks) != 2)
		return false;
	*start = ticks;
	return state != 'Z' && state != 'X';
}

/* "BOOT pid:[4026531836]"; empty if /proc does not have it. */
static void read_system(char text[MS_PROCESS_SYSTEM])
{
	char boot[64] = "", space[MS_PROCESS_SYSTEM - sizeof(boot) - 1] = "";
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	ssize_t n = readlink("/proc/self/ns/pid", space, sizeof(space) - 1);

	if (file != NULL) {
		if (fgets(boot, sizeof(boot), file) != NULL)
			boot[strcspn(boot, "\n")] = '\0';
		fclose(file);
	}
	text[0] = '\0';
	if (n > 0 && boot[0] != '\0')
		snprintf(text, MS_PROCESS_SYSTEM, "%s %s", boot, space);
}

void ms_process_self(struct ms_process_id *id)
{
	*id = (struct ms_process_id){ .pid = (uint64_t)getpid() };
	read_start(getpid(), &id->start);
	read_system(id->system);
}

enum ms_process_state ms_process_state(uint64_t pid, uint64_t start, const char *system)
{
	char here[MS_PROCESS_SYSTEM];
	uint64_t found = 0;

	read_system(here);
	if (here[0] == '\0' || strcmp(here, system) != 0)
		return MS_PROCESS_ELSEWHERE;
	if (pid == 0 || pid > INT32_MAX || !read_start((pid_t)pid, &found) || found != start)
		return MS_PROCESS_ENDED;
	return MS_PROCESS_RUNS;
}
