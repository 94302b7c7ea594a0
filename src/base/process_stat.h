/* base/process_stat.h - reads the kernel's status line of a process. */
#ifndef MS_BASE_PROCESS_STAT_H
#define MS_BASE_PROCESS_STAT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The fields of /proc/PID/stat after the name, first the state; NULL: there is no such process. */
const char *ms_process_stat(pid_t pid, char *text, size_t room);
/* Whether it is one of these n processes or a descendant of one. */
bool ms_process_descends(pid_t pid, const pid_t *from, size_t n);

#endif
