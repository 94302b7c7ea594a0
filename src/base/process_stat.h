/* base/process_stat.h - what the kernel says of a process in one line. */
#ifndef MS_BASE_PROCESS_STAT_H
#define MS_BASE_PROCESS_STAT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* What /proc/PID/stat holds after the name, first the state; NULL: there is no such process. */
const char *ms_process_stat(pid_t pid, char *text, size_t room);
/* Whether it is one of these n processes, or a child of one, or a child of a child ... */
bool ms_process_descends(pid_t pid, const pid_t *from, size_t n);

#endif
