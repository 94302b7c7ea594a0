/* cli/stack_table.h - the program's variables on the stack, for the front-end. */
#ifndef MS_CLI_STACK_TABLE_H
#define MS_CLI_STACK_TABLE_H

#include <sys/types.h>

struct ms_cli_stack_table {
	int fd;           /* -1: there is none */
	const char *name; /* for struct ms_launch_options; NULL: there is none */
	char text[32];
};

/* Of the program, or of the process that is attached to. Without debug information it is empty. */
void ms_cli_open_stack_table(struct ms_cli_stack_table *table, const char *program, pid_t attach);
void ms_cli_close_stack_table(struct ms_cli_stack_table *table);

#endif
