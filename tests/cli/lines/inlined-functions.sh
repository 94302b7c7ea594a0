# In optimised code, figures of inlined functions are at their own lines, with the functions that contain them.
set -u
. "$SRC/tests/cli/run/lib.bash"
cat >table.h <<'EOF'
static inline void put(int *table, int i)
{
	table[i * 16] = i;
}
EOF
cat >inlined.c <<'EOF'
#include <stdlib.h>
#include "table.h"

__attribute__((noinline)) void fill(int *table, int n)
{
	for (int i = 0; i < n; i++)
		put(table, i);
}

int main(void)
{
	int *table = calloc(16, 4096);
	fill(table, 1000);
	for (int i = 1023; i > 900; i--)
		put(table, i);
	return table[16] == 1 ? 0 : 1;
}
EOF
gcc -g -O2 -fno-tree-vectorize -o inlined inlined.c || exit 1
touch -d '1 hour ago' table.h inlined.c
profile_quiet inlined ./inlined
"$MEMSPY" lines --db inlined.db --json --code put >lines.json
python3 - <<'EOF' || fail "JSON"
import json
files = json.load(open('lines.json'))['files']
assert [f['file'].split('/')[-1] for f in files] == ['table.h'], files
assert files[0]['changed'] is None and files[0]['trouble'] is None
line = next(l for l in files[0]['lines'] if l['line'] == 3)
assert line['text'] == '\ttable[i * 16] = i;'
assert line['references'] == {'read': 0, 'write': 1123}, line
assert line['inlined_into'] == ['fill', 'main']
assert [c['name'] for c in line['code']] == ['put']
assert [d['name'] for d in line['data']] == ['int.table'], line['data']
EOF
"$MEMSPY" lines --db inlined.db --width 120 --code put >text
grep -q 'fill (+1) > put  *3  *table\[i \* 16\] = i;' text || fail "$(cat text)"
grep -q '^Note: optimised code' text || fail "no note on optimised code"
touch inlined table.h -d '1 hour' # built anew, and edited after the run
"$MEMSPY" lines --db inlined.db --code put | grep -q '^Warning: the source was changed after the run' ||
	fail "no warning"
finish
