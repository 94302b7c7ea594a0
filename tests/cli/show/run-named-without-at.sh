# A word that is the name of a run is taken as one, with and without '@', before or after names of data and code; a word that is no
# run is a name, and the message about it lists what there is.
cat >two.c <<'END'
#include <stdlib.h>
int main(void)
{
	int *cells = malloc(65536);
	for (int i = 0; i < 16384; i++)
		cells[i] = i;
	return cells[7] == 1;
}
END
gcc -g -O1 -fno-builtin two.c -o two || exit
"$MEMSPY" run -q --machine dash --db two.db --tag before ./two
"$MEMSPY" run -q --machine dash --db two.db --tag after ./two
shown() {
	echo "$*: $("$MEMSPY" "$@" --db two.db 2>&1 | grep -oE '^Run: +@[0-9]|there is no .* "[a-z]*"|there is no run @[a-z]*' | tr -s ' ')"
}
for word in before @before 1; do
	shown report "$word"
	shown show cells "$word"
	shown show "$word" cells
	shown show "$word"
	shown lines "$word"
	shown evictions "$word"
done
shown show cells
shown show cells neither
shown report neither
