# Threads of a program that has blocked all signals begin with them blocked, and receive none of memspy's, whenever windows
# open and end.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -g -pthread -Wall -Wextra -o taken "$SRC/tests/cli/native-signals/blocked-signals-accepted.c" || fail gcc

for counted in 1 100000000; do
	MEMSPY_NATIVE_COUNTED=$counted timeout -s KILL 100 "$MEMSPY" run --frontend native --sample 1/2 --window 2K -q --db taken.db \
		-- ./taken begin >out 2>err || fail "$counted: exit status $?: $(cat err)"
	[ "$(cat out)" = "0 wrong" ] || fail "$counted: $(cat out)"
done
finish
