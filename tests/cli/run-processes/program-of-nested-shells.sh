# A program that a shell of a shell starts is kept beside the outer shell, also if the shell between them is not.
cat >work.c <<'END'
static volatile int cells[4096];
int main(void)
{
	for (int round = 0; round < 400; round++)
		for (int i = 0; i < 4096; i++)
			cells[i]++;
	return 3;
}
END
gcc -O1 -g -o work work.c || exit
"$MEMSPY" run -q --frontend native --db runs.db bash -c 'bash -c "./work; true"; exit 5' >/dev/null 2>&1
echo "exit status $?"
sqlite3 runs.db "select run.program, parent.program from run left join run parent on parent.id = run.parent order by run.program"
