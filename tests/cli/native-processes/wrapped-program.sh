# memspy run profiles the program that a wrapper executes: env, nice, taskset, time, scripts with and without exec, and a
# chain of them. The wrapper is left out, its output, environment and exit status stay.
. "$SRC/tests/cli/run/lib.bash"
cat >walk.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static volatile char lines[1024][4096];
int main(int argc, char *argv[])
{
	for (int round = 0; round < 200; round++)
		for (int i = 0; i < 1024; i++)
			lines[i][0]++;
	printf("%s %s\n", argv[1], getenv("LD_PRELOAD") == NULL && getenv("MEMSPY_NATIVE") == NULL ? "clean" : "changed");
	return 7;
}
END
gcc -g -O1 -o walk walk.c || fail "gcc walk.c"
cat >plain.sh <<'END'
#!/bin/sh
name=$(basename ./walk)
./$name script
END
cat >replaces.sh <<'END'
#!/bin/bash
export MORE=1
exec env -i ./walk script
END
cat >shim.sh <<'END'
#!/bin/bash
for part in a b c; do part=$(dirname /x/$part); done
exec ./replaces.sh
END
chmod +x *.sh
# check NAME WRAPPER...: one run is kept, with the misses that the program has without it.
check() {
	local name=$1 status
	shift
	"$MEMSPY" run --db "$name.db" --machine dash --tag wrapped --note kept -- "$@" >out.txt 2>err.txt
	status=$?
	echo "$name: status $status, prints $(cat out.txt)," \
		"runs $(sqlite3 "$name.db" "select count(*) || ' ' || program || ' ' || ended || ' ' || exit_status || ' ' || tag || ' ' || note from run")," \
		"$(grep -c '^memspy: .* has started ./walk, which is profiled in its place (--follow-forks keeps both)$' err.txt) message"
	[ "$(walked "$name.db")" = "$expected" ] || fail "$name: $(cat err.txt)"
}
walked() { "$MEMSPY" show --data lines --code main --db "$1" | sed -n '/^References/,/^  First/p'; }
"$MEMSPY" run -q --db alone.db --machine dash ./walk alone >/dev/null
expected=$(walked alone.db)
[ -n "$expected" ] || fail "alone: no figures"
check env env X=1 ./walk env
check nice nice ./walk nice
check taskset taskset -c "$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')" ./walk taskset
check timeout timeout 100 ./walk timeout
check sh sh -c './walk sh'
check bash bash -c './walk bash; exit 7'
check plain ./plain.sh
check replaces ./replaces.sh
check shim ./shim.sh
# time(1) may be missing.
[ ! -x /usr/bin/time ] || check time /usr/bin/time -o time.txt ./walk time >time.out
[ ! -x /usr/bin/time ] || grep -q '^time: status 7, prints time clean, runs 1 ./walk exited 7 wrapped kept, 1 message$' time.out || fail "$(cat time.out)"

# Killed by a signal: the same process.
cat >dies.c <<'END'
#include <signal.h>
int main(void) { return raise(SIGTERM); }
END
gcc -O1 -o dies dies.c || fail "gcc dies.c"
profile dies -- env ./dies
echo "dies: status $status, $(sqlite3 dies.db 'select program, ended, exit_status from run'), $(cat dies.err)"

# A trace is the program's.
"$MEMSPY" run -q --db traced.db --machine dash --trace kept.trace -- ./plain.sh >/dev/null
"$MEMSPY" replay -q --db replayed.db --machine dash kept.trace
echo "trace: $(sqlite3 replayed.db 'select program from run'), files $(echo kept.trace*)"

# In windows, too.
"$MEMSPY" run -q --sample 1/2 --db sampled.db --l1 4K,4,64 -- env ./walk sampled >/dev/null
echo "sampled: $(sqlite3 sampled.db 'select program, exit_status from run')"

# A program that cannot be followed natively: by a known wrapper Valgrind does, else the reason and the command are named.
echo 'int main(void) { return 0; }' >still.c
gcc -static -o still still.c || fail "gcc still.c"
"$MEMSPY" run -q --db still.db --machine dash -- sh -c 'exec ./still' 2>&1
"$MEMSPY" run --db static.db --machine dash -- env ./still 2>&1 | grep '^memspy:'
echo "still: $(sqlite3 static.db 'select frontend, program from run')"

# A program that does something itself is profiled, whatever it starts.
cat >starts.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile char lines[1024][4096];
int main(void)
{
	for (int round = 0; round < 200; round++)
		for (int i = 0; i < 1024; i++)
			lines[i][0]++;
	if (fork() == 0)
		execlp("true", "true", (char *)NULL);
	wait(NULL);
	if (vfork() == 0) {
		char *argv[] = { "true", NULL };

		execvp("true", argv);
		_exit(1);
	}
	wait(NULL);
	return system("true");
}
END
gcc -O1 -o starts starts.c || fail "gcc starts.c"
profile starts -- ./starts
echo "starts: status $status, $(sqlite3 starts.db 'select count(*), program from run'), says \"$(cat starts.err)\""

# With --follow-forks all runs are kept, and Next leads to the one with the largest cost.
"$MEMSPY" run --follow-forks --db all.db --machine dash -- /bin/sh -c './walk all; true' >/dev/null 2>err.txt
id=$(sqlite3 all.db "select id from run where program = './walk'")
echo "followed: $(sqlite3 all.db 'select count(*) from run') runs, $(grep "^Next:" err.txt | sed "s/@$id /@WALK /")"
finish
