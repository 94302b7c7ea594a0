# memspy sample follows programs that are executed: by a script, in its place or by a child of it, through several programs, by
# all functions of the C library but system() and popen(). The one that was meant is shown; neither it nor what it starts sees
# memspy.
profile() {
	rm -f run.db
	"$MEMSPY" sample -q --event timer --rate 2000 --db run.db -- "$@" >out 2>log
	local status=$?
	echo "$1: status $status, run of $("$MEMSPY" runs --csv --db run.db | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row["command"].split("/")[-1])' | sort -u | tr '\n' ' ')"
	"$MEMSPY" callers --db run.db --threshold 0 touch 2>>log | grep -c 'use_new_block (page-callers.c:[0-9]*)' | sed 's/[1-9][0-9]*/with callers/'
}
printf '#!/bin/sh\n"%s" 15\nexit 3\n' "$PROGRAMS/page-callers" >child
printf '#!/bin/bash\nexec "%s" 15\n' "$PROGRAMS/page-callers" >exec
printf '#!/usr/bin/env bash\nset -e\nx=$(echo one)\nexec ./exec\n' >nested
chmod +x child exec nested
profile ./child
profile ./exec
profile ./nested
profile sh -c "'$PROGRAMS/page-callers' 15; true"
cat >executes.c <<'END2'
#include <spawn.h>
#include <string.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
int main(int n, char **args)
{
	char *words[] = { args[2], "15", NULL };
	const char *how = args[1];
	pid_t pid;
	int status = 1;

	(void)n;
	if (strcmp(how, "execv") == 0)
		execv(args[2], words);
	if (strcmp(how, "execvp") == 0)
		execvp(args[2], words);
	if (strcmp(how, "execve") == 0)
		execve(args[2], words, environ);
	if (strcmp(how, "execl") == 0)
		execl(args[2], args[2], "15", NULL);
	if (strcmp(how, "spawn") == 0 && posix_spawn(&pid, args[2], NULL, NULL, words, environ) == 0)
		waitpid(pid, &status, 0);
	if (strcmp(how, "vfork") == 0) {
		if ((pid = vfork()) == 0) {
			execv(args[2], words);
			_exit(9);
		}
		waitpid(pid, &status, 0);
	}
	return WEXITSTATUS(status);
}
END2
gcc -O1 executes.c -o executes || exit
for how in execv execvp execve execl spawn vfork; do
	profile ./executes $how "$PROGRAMS/page-callers"
done
# The environment is the program's own, in each of the programs.
printf '#!/bin/sh\nenv | grep -c "memspy-native\\|MEMSPY_"\nexec env\n' >prints
chmod +x prints
"$MEMSPY" sample -q --db run.db ./prints 2>/dev/null | grep -c 'memspy-native\|MEMSPY_N'
LD_PRELOAD=libm.so.6 "$MEMSPY" sample -q --db run.db ./prints 2>/dev/null | grep LD_PRELOAD
# A program that does not exist, and one that cannot be sampled, are executed or fail as without memspy.
printf '#!/bin/sh\n./none\necho "status $?"\nexec ./none2\n' >fails
chmod +x fails
"$MEMSPY" sample -q --db run.db ./fails 2>/dev/null
echo "status $?"
