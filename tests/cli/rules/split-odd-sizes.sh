# Members are distinguished in units of 8 bytes: in an array of structures of 12 bytes they are not, in one such structure they are.
. "$SRC/tests/cli/run/lib.bash"
cat >odd.c <<'END'
#include <stdlib.h>
struct odd {
	int first[2];
	int last;
};
static struct odd *volatile one, *volatile many;
int main(void)
{
	one = malloc(sizeof(*one));
	many = malloc(100 * sizeof(*many));
	one->first[0] = one->last = 1;
	for (int i = 0; i < 100; i++)
		many[i].first[0] = many[i].last = 1;
	return 0;
}
END
gcc -O1 -g -o odd odd.c || fail "gcc"
"$MEMSPY" run -q --db runs.db --rules none ./odd || fail "run"
"$MEMSPY" split --db runs.db --by field odd.one odd.many >split.out || fail "split: $(cat split.out)"
for frontend in native valgrind; do
	"$MEMSPY" run -q --db runs.db --frontend $frontend ./odd || fail "$frontend: exit status $?"
	"$MEMSPY" report --db runs.db --json -o $frontend.json
	expect $frontend <<'END'
data('odd.many').writes == 200
bin('main', 'odd.one{.first}').writes == 1
[n for n in names('heap') if n.startswith('odd.many')] == ['odd.many']
END
done
finish
