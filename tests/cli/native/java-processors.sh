# With --processors, Java is traced by the native front-end because it aborts under Valgrind, and memspy says so; --frontend
# valgrind is obeyed.
. "$SRC/tests/cli/run/lib.bash"
"$MEMSPY" run --processors 4 --db runs.db -o report.txt -- java -Xint -version >out.txt 2>err.txt || fail "exit status $?: $(cat out.txt err.txt)"
grep -q '^memspy: the native front-end follows the program: Java aborts under Valgrind' err.txt || fail "says $(cat err.txt)"
[ "$(sqlite3 runs.db 'select frontend, ended, exit_status from run')" = 'native|exited|0' ] || fail "the run is $(sqlite3 runs.db 'select frontend, ended, exit_status from run')"
finish
