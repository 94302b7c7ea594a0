# The dynamic loader also reads the libraries that memspy loads into the program: these are no data of the program. A library that
# the program itself needs is.
. "$SRC/tests/cli/run/lib.bash"

cat >program.c <<'END'
#include <stdio.h>
int main(void)
{
	return puts("here") < 0;
}
END
${CC:-cc} -g -o program program.c
rows() { # FRONTEND COMMAND
	"$MEMSPY" run -q --frontend "$1" --db "$1.db" -- ./program >/dev/null
	"$MEMSPY" data --csv --db "$1.db"
}
for frontend in native valgrind; do
	rows $frontend >$frontend.csv
	grep -q '<start-up>' $frontend.csv || fail "$frontend: no rows"
	grep -E 'Zydis|memspy-native|vgpreload' $frontend.csv && fail "$frontend: memory of memspy is data"
done
# Linked with a library that memspy needs, too: its data is the program's again.
if [ -e /usr/lib/x86_64-linux-gnu/libZydis.so ]; then
	${CC:-cc} -g -o program program.c -Wl,--no-as-needed -lZydis
	rows native | grep -q Zydis || fail "a library of the program is taken for one of memspy"
fi
finish
