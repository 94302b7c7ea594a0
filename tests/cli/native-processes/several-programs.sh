# Of several programs that one command executes, none is lost without a word: one is shown, others that cost much are kept and
# named, the rest is named with its share. Next leads to the costliest.
cat >walk.c <<'END'
#include <stdlib.h>
#include <unistd.h>
static volatile char lines[256][4096];
int main(int argc, char *argv[])
{
	for (int round = atoi(argv[1]); round > 0; round--)
		for (int i = 0; i < 256; i++)
			lines[i][0]++;
	return argc > 2 && execv(argv[2], argv + 2) != 0;
}
END
gcc -g -O1 -o walk walk.c || exit
for name in early late other; do cp walk $name; done
check() {
	rm -f runs.db
	"$MEMSPY" run --db runs.db --machine dash -- "$@" >/dev/null 2>err.txt
	echo "== $*: status $?, shows $(sed -n 's/^Program: *//p' err.txt)"
	sed -nE '/^memspy:|^Next:/{s/[0-9]+\.[0-9]%/N%/g; p}' err.txt >words.txt
	for id in $(sqlite3 runs.db 'select id from run'); do
		sed -i "s,@$id\\b,@<$(sqlite3 runs.db "select program from run where id = $id")>,g" words.txt
	done
	cat words.txt
}
# What a costly program becomes is shown, and itself is kept.
check ./early 2000 ./late 200
check ./early 200 ./late 2000
# The costliest of those that a shell executes.
check bash -c './early 200; ./early 200; ./late 8000'
check bash -c './late 8000; ./early 200; ./early 200'
check bash -c './late 4000; ./early 2000; ./other 5000; true'
