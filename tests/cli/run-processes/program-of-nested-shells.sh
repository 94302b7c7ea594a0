# A program that a shell of a shell starts is kept beside the outer shell, also if the shell between them is not. The outer one works itself: it costs
# about as much as the program, and many times as much as the other shell.
cat >work.c <<'END'
static volatile int cells[4096];
int main(void)
{
	for (int round = 0; round < 1000; round++)
		for (int i = 0; i < 4096; i++)
			cells[i]++;
	return 3;
}
END
gcc -O1 -g -o work work.c || exit
"$MEMSPY" run -q --frontend native --db runs.db bash -c 'for ((i = 0; i < 1000; i++)); do :; done; bash -c "./work; true"; exit 5' >/dev/null 2>&1
echo "exit status $?"
sqlite3 runs.db "select run.program, parent.program from run left join run parent on parent.id = run.parent order by run.program"
