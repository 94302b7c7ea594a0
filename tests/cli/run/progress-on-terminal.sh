# The progress line is shown on a terminal. On a terminal that is also the program's standard output nothing is drawn.
cat >talker.c <<'END'
/* Runs until the file "stop" exists. */
#include <unistd.h>
static volatile int cells[65536];
int main(void)
{
	while (access("stop", F_OK) != 0)
		for (int i = 0; i < 65536; i++)
			cells[i]++;
	return 0;
}
END
gcc -g -O1 talker.c -o talker || exit
# on_terminal NAME COMMAND: until the progress line is there, or the program has run for some time.
on_terminal() {
	rm -f stop
	script -qefc "stty cols 100; $2" /dev/null </dev/null >"$1" &
	local pid=$! i
	for ((i = 0; i < ${3:-40}; i++)); do
		grep -q 'references' "$1" && break
		sleep 0.05
	done
	touch stop
	wait "$pid"
	echo "$1: $(grep -q ' references, ' "$1" && echo "progress" || echo "no progress")"
}
# The longest wait is for the line that must be there.
on_terminal silent "'$MEMSPY' run --db run.db ./talker | cat" 1200
on_terminal terminal "'$MEMSPY' run --db run.db ./talker"
