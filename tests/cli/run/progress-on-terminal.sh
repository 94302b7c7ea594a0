# Progress is shown on a terminal. On a terminal that is also the program's standard output nothing is drawn; on one that is its
# input, progress is in the title, and nothing is drawn over a question on standard error.
cat >talker.c <<'END'
/* Runs until the file "stop" exists. */
#include <unistd.h>
static volatile int cells[65536];
int main(int n, char **args)
{
	if (n > 1)
		write(2, "name? ", 6);
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
	script -qefc "stty cols 100; export TERM=xterm; $2" /dev/null </dev/null >"$1" &
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
on_terminal file "'$MEMSPY' run --db run.db ./talker </dev/null | cat" 1200
on_terminal question "'$MEMSPY' run --db run.db ./talker ask | cat" 1200
on_terminal dumb "export TERM=dumb; '$MEMSPY' run --db run.db ./talker | cat"
# kinds NAME: where progress was.
kinds() { python3 - "$1" <<'END'
import re, sys
text = open(sys.argv[1], "rb").read()
screen = re.sub(rb"\033\][^\a]*\a|\033\[2[23];2t", b"", text)
print(sys.argv[1], "title" if text != screen else "", "line" if b"references, " in screen.split(b"Program:")[0] else "",
      "the question" if screen.startswith(b"name? ") and b"\r" not in screen.split(b"Program:")[0].rstrip(b"\r\n") else "")
END
}
for name in silent file question; do kinds $name; done
