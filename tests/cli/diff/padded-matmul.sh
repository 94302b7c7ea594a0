# Padded and plain matrix multiply: nearly all of the gain is attributed to Y in BlkMultiply although source lines moved;
# conditions for scripts hold and fail as they should.
set -u
{ # lines above, a line within, other lengths of rows
	printf '/* padded */\n\n'
	sed 's/(size_t)(i)\*n/(size_t)(i)*320/; s/(size_t)n \* (size_t)n/(size_t)n * 320/
		s/^\t\t\t\t\tdouble r = .*/\n&\n/' "$SRC/examples/matmul.c"
} >matmul.c
gcc -std=c17 -O1 -g -fno-inline -o matmul matmul.c || exit 1
run() {
	"$MEMSPY" run -q --frontend native --machine memspy-1992-matmul "$@" >/dev/null
}
run --tag plain "$EXAMPLES/matmul" 200 64
run --tag padded ./matmul 200 64
python3 - <<'END'
import json, os, subprocess
memspy = os.environ['MEMSPY']
d = json.loads(subprocess.check_output([memspy, 'diff', 'plain', 'padded', '--json']))
total = d['total']['metrics']['stall']
assert total['change'] < 0, total
first = d['bins'][0]
print(first['data'], 'in', first['code'], first['presence'])
stall = first['metrics']['stall']
assert stall['share'] > 0.95, stall
cause = first['causes'][0]['replacement']
assert cause['change'] < 0 and cause['share'] > 0.95, cause
line = d['lines'][0]
assert line['line'] > line['old_line'] > 0 and line['metrics']['stall']['share'] > 0.9, line
print(line['file'], line['code'], line['presence'])
print([row['name'] for key in ('data', 'code') for row in d[key]
       if row['presence'] != 'both' and abs(row['metrics']['stall']['change']) > 0.001 * abs(total['change'])])
print(d['remarks'])
END
"$MEMSPY" diff plain padded -q --fail-if 'stall > +5%' --fail-if 'stall of Y in BlkMultiply > 0%' && echo "passes"
"$MEMSPY" diff padded plain -q --fail-if 'stall > +5%' 2>err
echo "status $?"
sed 's/[0-9.]*[MK] before, [0-9.]*[MKG] after ([+][0-9.]*%)/N before, N after (N)/' err
# Between the same run there is no change; of one side alone AFTER is the latest.
"$MEMSPY" diff @1 @1 -q --fail-if 'stall > 0%' --fail-if 'stall < 0%' && echo "no change"
"$MEMSPY" diff plain -q --fail-if 'stall < -1%' 2>/dev/null
echo "status $?"
# Another program: allowed, and said.
run true
"$MEMSPY" diff padded @latest --by code | sed -n '/^Note:/,/^$/p'
